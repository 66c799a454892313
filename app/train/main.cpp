#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lmzip/messages.h"
#include "app/lmzip/names.h"
#include "app/train/arguments.h"
#include "app/train/command_eval.h"
#include "app/train/command_export.h"
#include "app/train/corpus.h"
#include "app/train/curves.h"
#include "app/train/log_file.h"
#include "app/train/machine.h"
#include "core/io/file.h"
#include "core/io/signals.h"

namespace lmzip::train {
namespace {

constexpr std::string_view help =
    "Usage: lmzip-train train TEXT... -o CHECKPOINT [OPTION...]\n"
    "       lmzip-train distill TEACHER TEXT... -o CHECKPOINT [OPTION...]\n"
    "       lmzip-train eval TEXT... [OPTION...]\n"
    "       lmzip-train export CHECKPOINT -o MODEL [OPTION...]\n"
    "\n"
    "Trains a language model for lmzip on files, directories and .lmz archives; distill\n"
    "trains it on what another one expects of them too. eval measures models on texts, and\n"
    "export makes model files of checkpoints.\n"
    "With --help each command lists its options.\n";

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

/// Where a run tells how it stands: on the terminal, in the log and as a picture.
class reporter {
 public:
  reporter(const train_request& asked, const corpus& text)
      : bytes_a_token_(static_cast<double>(text.bytes) / static_cast<double>(text.leaves.size())),
        printer_(asked.options.schedule.steps, bytes_a_token_) {
    if (!asked.curves.empty())
      curves_.emplace(asked.curves, asked.log.empty() ? std::vector<training_report>{}
                                                      : log_file::read(asked.log));
    if (!asked.log.empty()) log_.emplace(asked.log);
  }

  void add(const training_report& report) {
    printer_.print(report);
    if (log_) log_->add(report, bytes_a_token_);
    if (curves_) curves_->add(report);
  }

  /// Of a run of several ranks.
  void add(const training_cost& cost, std::int64_t ranks) {
    if (cost.tokens == 0) return;
    const double speed = static_cast<double>(cost.tokens) / cost.seconds;
    const double exchange = cost.exchange_seconds / cost.seconds;
    app::write_to_standard_error(fmt::format(
        "{} ranks: {:.0f} tokens/s, {:.0f} each  exchange of gradients {:.1f} % of the time, so "
        "scaling efficiency {:.1f} %\n",
        ranks, speed * static_cast<double>(ranks), speed, 100 * exchange, 100 * (1 - exchange)));
    if (log_) log_->add(cost, ranks);
  }

 private:
  double bytes_a_token_;
  report_printer printer_;
  std::optional<curves_file> curves_;
  std::optional<log_file> log_;
};

void run(train_request asked, app::messages& out) {
  keep_freed_memory();
  const rank me = rank_from([](const char* name) { return std::getenv(name); });
  asked.options.device = device_for(asked.device, me.local);
  if (me.number == 0 && asked.options.device.is_cpu()) warn_of_slow_products(out);
  const io::signal_watch watch;
  const corpus text = read_corpus(asked.texts, {});
  const auto ranks = join_ranks(me, asked.options.device.type());
  std::optional<reporter> report;
  if (ranks->first()) {
    app::write_to_standard_error(
        fmt::format("{} bytes of text, {} tokens\n", text.bytes, text.leaves.size()));
    report.emplace(asked, text);
  }
  const training_cost cost = train(text.leaves, asked.options, asked.checkpoint, *ranks,
                                   [&](const training_report& r) { report->add(r); });
  if (report && me.count > 1) report->add(cost, me.count);
}

void run_program(const std::vector<std::string>& arguments, app::messages& out) {
  if (arguments.size() < 2 || arguments[1] == "--help" || arguments[1] == "-h") return print(help);
  const auto rest = std::span(arguments).subspan(2);
  if (arguments[1] == "export") return run_export(rest);
  if (arguments[1] == "eval") return run_eval(rest, out);
  const bool distills = arguments[1] == "distill";
  if (!distills && arguments[1] != "train")
    throw error(errc::usage,
                app::printable(arguments[1]) + " is not a command (train, distill, eval, export)");
  train_request asked = distills ? parse_distill(rest) : parse_train(rest);
  if (asked.help) return print(distills ? distill_help() : train_help());
  run(std::move(asked), out);
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
