#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lmzip/messages.h"
#include "app/lmzip/names.h"
#include "app/train/arguments.h"
#include "app/train/command_export.h"
#include "app/train/corpus.h"
#include "app/train/log_file.h"
#include "app/train/machine.h"
#include "core/io/file.h"
#include "core/io/signals.h"

namespace lmzip::train {
namespace {

constexpr std::string_view help =
    "Usage: lmzip-train train TEXT... -o CHECKPOINT [OPTION...]\n"
    "\n"
    "Trains a language model for lmzip on files, directories and .lmz archives.\n"
    "lmzip-train train --help lists the options.\n";

void print(std::string_view text) {
  io::file::standard_output().write(std::as_bytes(std::span(text)));
}

/// One line a report, with the time that is left by the speed so far.
class report_printer {
 public:
  report_printer(std::uint64_t steps, double bytes_a_token)
      : steps_(steps), bytes_a_token_(bytes_a_token) {}

  void print(const training_report& r) {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    if (!first_) first_ = {r.step, seconds};
    const double speed = static_cast<double>(r.step - first_->step) / (seconds - first_->seconds);
    const double left = r.step > first_->step ? static_cast<double>(steps_ - r.step) / speed : 0;
    std::string line =
        fmt::format("step {} of {}  {:.1f} M tokens  rate {:.5f}  loss {:.4f}", r.step, steps_,
                    static_cast<double>(r.tokens) / 1e6, r.rate, r.loss);
    if (r.held_out_loss > 0)
      line += fmt::format("  held out {:.4f} bits a token, {:.4f} a byte", r.held_out_loss,
                          r.held_out_loss / bytes_a_token_);
    if (left > 0) line += fmt::format("  {:.0f} min left", left / 60);
    app::write_to_standard_error(line + "\n");
  }

 private:
  struct start {
    std::uint64_t step;
    double seconds;
  };

  std::uint64_t steps_;
  double bytes_a_token_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::optional<start> first_;
};

void run_train(std::span<const std::string> arguments, app::messages& out) {
  const train_request asked = parse_train(arguments);
  if (asked.help) return print(train_help());
  keep_freed_memory();
  if (const double speed = product_speed(); speed < slow_product_speed)
    out.note("",
             fmt::format("matrix products run at {:.1f} GFLOP/s only: training is several times "
                         "faster with another BLAS (Debian: libopenblas0-pthread)",
                         speed));
  const io::signal_watch watch;
  const corpus text = read_corpus(asked.texts, {});
  const double bytes_a_token =
      static_cast<double>(text.bytes) / static_cast<double>(text.leaves.size());
  app::write_to_standard_error(
      fmt::format("{} bytes of text, {} tokens\n", text.bytes, text.leaves.size()));
  report_printer printer(asked.options.schedule.steps, bytes_a_token);
  std::optional<log_file> log;
  if (!asked.log.empty()) log.emplace(asked.log);
  train(text.leaves, asked.options, asked.checkpoint, [&](const training_report& r) {
    printer.print(r);
    if (log) log->add(r, bytes_a_token);
  });
}

void run_program(const std::vector<std::string>& arguments, app::messages& out) {
  if (arguments.size() < 2 || arguments[1] == "--help" || arguments[1] == "-h") return print(help);
  if (arguments[1] == "export") return run_export(std::span(arguments).subspan(2));
  if (arguments[1] != "train")
    throw error(errc::usage, app::printable(arguments[1]) + " is not a command (train, export)");
  run_train(std::span(arguments).subspan(2), out);
}

}  // namespace
}  // namespace lmzip::train

int main(int argc, char** argv) {
  using namespace lmzip;
  io::reserve_standard_descriptors();
  app::messages out(0);
  try {
    train::run_program({argv, argv + argc}, out);
  } catch (...) {
    out.report(std::current_exception(), "");
  }
  if (const int signal = io::pending_signal()) io::die_by_signal(signal);
  return out.status().value(false);
}
