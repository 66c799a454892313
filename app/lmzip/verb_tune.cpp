#include "app/lmzip/verb_tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cxxopts.hpp>
#include <exception>
#include <optional>
#include <string_view>
#include <vector>

#include "app/lmzip/environment.h"
#include "app/lmzip/messages.h"
#include "app/lmzip/names.h"
#include "app/lmzip/output.h"
#include "app/lmzip/session.h"
#include "app/lmzip/sizes.h"
#include "app/lmzip/tune_levels.h"
#include "app/lmzip/tune_report.h"
#include "app/lmzip/tune_sample.h"
#include "core/io/signals.h"
#include "lmzip/compress.h"

namespace lmzip::app {
namespace {

constexpr std::string_view tune_help = R"(Usage: lmzip tune [OPTION...] FILE...

Runs the levels on a sample of the files and recommends the smallest one within a budget. Nothing
is written. Directories are gone into; - is standard input.

      --min-speed=MB/s      compress at least so fast, in 10^6 bytes a second of one core
      --min-speed-out=MB/s  decompress at least so fast
      --max-memory=SIZE     need at most SIZE bytes of memory a thread, both ways
      --levels=LIST         the levels to try, such as 1-3,6; default 1-9
      --sample=SIZE         size of the sample; default 8MiB
      --json                print one JSON object
  -q, --quiet               no warnings
  -h, --help                this text

Without a budget: at least 1 MB/s each way. Exit status 1: no level keeps to the budget.
)";

constexpr std::uint64_t default_sample_bytes = std::uint64_t{8} << 20;
constexpr double default_speed = 1e6;
constexpr double largest_speed = 1e9;  // in MB/s

struct request {
  std::vector<std::string> files;
  tune_budget budget;
  std::vector<int> levels;
  std::uint64_t sample_bytes = default_sample_bytes;
  bool json = false;
  bool quiet = false;
  bool help = false;
};

[[noreturn]] void refuse(std::string_view option, const std::string& value,
                         std::string_view wanted) {
  throw error(errc::usage, fmt::format("tune: --{}={}: not {}", option, printable(value), wanted));
}

/// Bytes a second from a number of MB/s.
double speed_of(std::string_view option, const std::string& value) {
  double speed = 0;
  const char* const last = value.data() + value.size();
  const auto [end, failure] = std::from_chars(value.data(), last, speed);
  const bool good = failure == std::errc() && end == last && std::isfinite(speed) && speed > 0 &&
                    speed <= largest_speed;
  if (!good) refuse(option, value, "a number of MB/s such as 20 or 0.5");
  return speed * 1e6;
}

std::uint64_t size_of(std::string_view option, const std::string& value) {
  const auto bytes = parse_size(value);
  if (!bytes || *bytes == 0) refuse(option, value, "a size such as 64MiB");
  return *bytes;
}

/// "1-3,6": ascending, each level once.
std::vector<int> levels_of(const std::string& value) {
  std::vector<int> levels;
  const auto level = [&](std::string_view word) {
    const auto number = parse_number(word);
    if (number && *number >= min_level && *number <= max_level) return static_cast<int>(*number);
    refuse("levels", value, "a list of levels such as 1-3,6");
  };
  std::string_view rest = value;
  for (bool more = true; more;) {
    const auto comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
    const auto dash = item.find('-');
    const int first = level(item.substr(0, dash));
    const int last = dash == std::string_view::npos ? first : level(item.substr(dash + 1));
    if (first > last) refuse("levels", value, "a list of levels such as 1-3,6");
    for (int each = first; each <= last; ++each) levels.push_back(each);
  }
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

cxxopts::ParseResult parse_words(std::span<const std::string> arguments) {
  cxxopts::Options options("lmzip tune");
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options()("min-speed", "", text())("min-speed-out", "", text())(
      "max-memory", "", text())("levels", "", text())("sample", "", text())("json", "")(
      "q,quiet", "")("h,help", "");
  std::vector<const char*> words = {"lmzip tune"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  try {
    return options.parse(static_cast<int>(words.size()), words.data());
  } catch (const cxxopts::exceptions::exception& failure) {
    throw error(errc::usage, fmt::format("tune: {}", printable(failure.what())));
  }
}

request parse_request(std::span<const std::string> arguments) {
  const cxxopts::ParseResult words = parse_words(arguments);
  request asked;
  asked.help = words.count("help") != 0;
  if (asked.help) return asked;
  asked.json = words.count("json") != 0;
  asked.quiet = words.count("quiet") != 0;
  asked.files = words.unmatched();
  if (asked.files.empty()) throw error(errc::usage, "tune: no file given (- is standard input)");
  const auto with = [&](const char* name, auto action) {
    if (words.count(name) != 0) action(words[name].as<std::string>());
  };
  tune_budget& budget = asked.budget;
  with("min-speed",
       [&](const std::string& value) { budget.min_speed_in = speed_of("min-speed", value); });
  with("min-speed-out",
       [&](const std::string& value) { budget.min_speed_out = speed_of("min-speed-out", value); });
  with("max-memory",
       [&](const std::string& value) { budget.max_memory = size_of("max-memory", value); });
  if (!budget.min_speed_in && !budget.min_speed_out && !budget.max_memory) {
    budget.min_speed_in = budget.min_speed_out = default_speed;
  }
  asked.levels = levels_of(fmt::format("{}-{}", min_level, max_level));
  with("levels", [&](const std::string& value) { asked.levels = levels_of(value); });
  with("sample", [&](const std::string& value) { asked.sample_bytes = size_of("sample", value); });
  return asked;
}

void tune(const request& asked, session& on) {
  const tune_sample sample = take_sample(asked.files, asked.sample_bytes, on.out);
  if (sample.bytes.empty()) {
    const bool explained = on.out.status().value(false) != 0;
    if (!explained) on.out.error("", "there is nothing to measure", exit_code::failure);
    return;
  }
  const tune_results results = measure_levels(sample.bytes, asked.levels, on);
  const recommendation best = recommend(results.levels, asked.budget);
  on.to_stdout.write(asked.json ? tune_json(sample, results, asked.budget, best)
                                : tune_text(sample, results, asked.budget, best));
  if (best.fits) return;
  on.out.error("", nothing_fits_text(results.levels[best.index]), exit_code::failure);
}

}  // namespace

int run_tune(std::span<const std::string> arguments) {
  const request asked = parse_request(arguments);
  messages out(asked.quiet ? -1 : 0);
  try {
    settings run;
    run.files = asked.files;
    apply_environment(run, out);
    const io::signal_watch watch;
    standard_output to_stdout;
    if (asked.help) {
      to_stdout.write(tune_help);
    } else {
      progress_display progress(progress_style::automatic, out.verbosity(), false);
      out.before_each_line([&] { progress.erase(); });
      session on{run, out, progress, to_stdout, {}, {}, {}, {}};
      tune(asked, on);
      progress.erase();
    }
    to_stdout.finish();
  } catch (...) {
    out.report(std::current_exception(), "");
  }
  if (const int signal = io::pending_signal()) io::die_by_signal(signal);
  return out.status().value(false);
}

}  // namespace lmzip::app
