#include "app/lmzip/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace lmzip::app {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

/// Which power of 1024 a unit means.
std::optional<unsigned> power_of(std::string_view unit) {
  if (unit.empty() || unit == "B") return 0;
  if (unit.size() != 1 && !(unit.size() == 3 && unit.substr(1) == "iB")) return std::nullopt;
  constexpr std::string_view small = "kmgt";
  constexpr std::string_view large = "KMGT";
  const auto position = std::min(small.find(unit[0]), large.find(unit[0]));
  if (position == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(position) + 1;
}

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_number(text.substr(0, digits));
  const auto power = power_of(text.substr(digits));
  if (!number || !power) return std::nullopt;
  const unsigned shift = 10 * *power;
  if (*number > largest >> shift) return std::nullopt;
  return *number << shift;
}

std::optional<std::uint64_t> parse_memory_limit(std::string_view text, std::uint64_t usable) {
  if (text == "none") return 0;
  if (!text.ends_with('%')) {
    const auto bytes = parse_size(text);
    return bytes && *bytes > 0 ? bytes : std::nullopt;  // 0 stands for "none" inside
  }
  const auto percent = parse_number(text.substr(0, text.size() - 1));
  if (!percent || *percent == 0 || *percent > 100) return std::nullopt;
  return std::max<std::uint64_t>(usable / 100 * *percent, 1);
}

std::string human_size(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::string_view units = "KMGTPE";
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 999.95 && unit + 1 < units.size(); ++unit) value /= 1024;
  return fmt::format("{:.1f} {}iB", value, units[unit]);
}

std::string percentage(std::uint64_t coded, std::uint64_t plain) {
  if (plain == 0) return "-";
  return fmt::format("{:.2f} %", 100.0 * static_cast<double>(coded) / static_cast<double>(plain));
}

}  // namespace lmzip::app
