#include "app/lmzip/tune_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/lmzip/json.h"
#include "app/lmzip/sizes.h"

namespace lmzip::app {
namespace {

double megabytes(double bytes) { return bytes / 1e6; }

constexpr const char* line_format =
    "{:1} {:>5}  {:<12}  {:>12}  {:>8}  {:>8}  {:>8}  {:>9}  {:>10}\n";

std::string line_of(const level_result& result, std::size_t sample_bytes, bool recommended) {
  return fmt::format(line_format, recommended ? "*" : "", result.level,
                     fmt::join(result.methods, "+"), result.coded_bytes,
                     percentage(result.coded_bytes, sample_bytes),
                     fmt::format("{:.2f}", megabytes(result.speed_in)),
                     fmt::format("{:.2f}", megabytes(result.speed_out)),
                     human_size(result.memory_in), human_size(result.memory_out));
}

json speed_json(const std::optional<double>& speed) {
  return speed ? json(std::llround(*speed)) : json(nullptr);
}

json level_json(const level_result& result, std::size_t sample_bytes, bool fits) {
  return {{"level", result.level},
          {"methods", result.methods},
          {"compressed_bytes", result.coded_bytes},
          {"ratio", static_cast<double>(result.coded_bytes) / static_cast<double>(sample_bytes)},
          {"compress_speed", std::llround(result.speed_in)},
          {"decompress_speed", std::llround(result.speed_out)},
          {"compress_memory", result.memory_in},
          {"decompress_memory", result.memory_out},
          {"fits", fits}};
}

/// What a level must keep to, after "the smallest"; empty for all levels.
std::string describe(const tune_budget& budget) {
  std::vector<std::string> limits;
  if (budget.min_speed_in) limits.push_back(fmt::format("{} MB/s in", *budget.min_speed_in / 1e6));
  if (budget.min_speed_out)
    limits.push_back(fmt::format("{} MB/s out", *budget.min_speed_out / 1e6));
  std::string text = limits.empty() ? "" : fmt::format("at least {}", fmt::join(limits, ", "));
  if (budget.max_memory)
    text += fmt::format("{}at most {}", text.empty() ? "" : ", ", human_size(*budget.max_memory));
  return text.empty() ? text : " with " + text;
}

}  // namespace

std::string tune_text(const tune_sample& sample, const tune_results& results,
                      const tune_budget& budget, const recommendation& best) {
  std::string text =
      fmt::format("Sample: {} of {} bytes in {} {}\n", sample.bytes.size(), sample.plain_bytes,
                  sample.files, sample.files == 1 ? "file" : "files");
  text += fmt::format(line_format, "", "Level", "Method", "Bytes", "Ratio", "MB/s in", "MB/s out",
                      "Memory in", "Memory out");
  for (std::size_t i = 0; i < results.levels.size(); ++i) {
    text += line_of(results.levels[i], sample.bytes.size(), best.fits && i == best.index);
  }
  for (const equal_level& each : results.equal) {
    text += fmt::format("Level {} gives the same bytes as level {}.\n", each.level, each.same_as);
  }
  if (!best.fits) return text;
  const int level = results.levels[best.index].level;
  text += fmt::format("Level {} is the smallest{}: lmzip -{} FILE...\n", level, describe(budget),
                      level);
  return text;
}

std::string tune_json(const tune_sample& sample, const tune_results& results,
                      const tune_budget& budget, const recommendation& best) {
  json levels = json::array();
  for (const level_result& each : results.levels) {
    levels.push_back(level_json(each, sample.bytes.size(), fits(each, budget)));
  }
  json equal = json::array();
  for (const equal_level& each : results.equal) {
    equal.push_back({{"level", each.level}, {"same_as", each.same_as}});
  }
  const int level = results.levels[best.index].level;
  const json object = {
      {"files", sample.files},
      {"plain_bytes", sample.plain_bytes},
      {"sample_bytes", sample.bytes.size()},
      {"min_speed", speed_json(budget.min_speed_in)},
      {"min_speed_out", speed_json(budget.min_speed_out)},
      {"max_memory", budget.max_memory ? json(*budget.max_memory) : json(nullptr)},
      {"levels", levels},
      {"equal_levels", equal},
      {"recommended", best.fits ? json(level) : json(nullptr)},
      {"nearest", best.fits ? json(nullptr) : json(level)},
      {"command", best.fits ? json(fmt::format("lmzip -{}", level)) : json(nullptr)}};
  return to_line(object);
}

std::string nothing_fits_text(const level_result& nearest) {
  return fmt::format(
      "no level keeps to the budget; level {} comes nearest with {:.2f} MB/s in, {:.2f} MB/s out, "
      "{} in, {} out",
      nearest.level, megabytes(nearest.speed_in), megabytes(nearest.speed_out),
      human_size(nearest.memory_in), human_size(nearest.memory_out));
}

}  // namespace lmzip::app
