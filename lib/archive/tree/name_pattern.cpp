#include "archive/tree/name_pattern.h"

#include <cstddef>

namespace lmzip::tree {
namespace {

constexpr auto nowhere = std::string_view::npos;

/// Position of the bracket that closes the set at the beginning of `pattern`, or nowhere. One that
/// comes first is a member of the set.
std::size_t end_of_set(std::string_view pattern) noexcept {
  std::size_t at = 1;
  if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) ++at;
  return pattern.find(']', at + 1);
}

bool is_in_set(unsigned char byte, std::string_view set) noexcept {
  const bool is_inverted = set.front() == '!' || set.front() == '^';
  if (is_inverted) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto low = static_cast<unsigned char>(set[i]);
    auto high = low;
    if (i + 2 < set.size() && set[i + 1] == '-') high = static_cast<unsigned char>(set[i += 2]);
    found = found || (low <= byte && byte <= high);
  }
  return found != is_inverted;
}

/// Whether `byte` matches the beginning of `pattern`, which is no star; cuts that off.
bool matches_one(char byte, std::string_view& pattern) noexcept {
  const char first = pattern.front();
  if (first == '[') {
    const std::size_t end = end_of_set(pattern);
    if (end != nowhere) {
      const auto set = pattern.substr(1, end - 1);
      pattern.remove_prefix(end + 1);
      return is_in_set(static_cast<unsigned char>(byte), set);
    }
  }
  if (first == '\\' && pattern.size() > 1) {
    const char wanted = pattern[1];
    pattern.remove_prefix(2);
    return byte == wanted;
  }
  pattern.remove_prefix(1);
  return first == '?' || byte == first;
}

}  // namespace

bool matches_name(std::string_view name, std::string_view pattern) noexcept {
  // Only the last star can need another try: what an earlier one took is settled by then.
  std::string_view after_star;
  std::string_view name_at_star;
  bool has_star = false;
  for (;;) {
    if (!pattern.empty() && pattern.front() == '*') {
      pattern.remove_prefix(1);
      after_star = pattern;
      name_at_star = name;
      has_star = true;
      continue;
    }
    if (name.empty() && pattern.empty()) return true;
    if (!name.empty() && !pattern.empty() && matches_one(name.front(), pattern)) {
      name.remove_prefix(1);
      continue;
    }
    if (!has_star || name_at_star.empty()) return false;
    name_at_star.remove_prefix(1);
    name = name_at_star;
    pattern = after_star;
  }
}

}  // namespace lmzip::tree
