#include "archive/tree/entry.h"

#include <algorithm>

namespace lmzip::tree {
namespace {

bool is_name(std::string_view name) noexcept {
  return !name.empty() && name != "." && name != ".." && name.find('\0') == name.npos;
}

}  // namespace

std::uint64_t data_bytes(const entry& of) noexcept {
  if (!of.has_holes) return of.bytes;
  std::uint64_t sum = 0;
  for (const data_range& each : of.data) sum += each.bytes;
  return sum;
}

bool is_entry_path(std::string_view path) noexcept {
  if (path.size() > max_path_bytes) return false;
  if (path.empty()) return true;
  for (;;) {
    const auto slash = path.find('/');
    if (!is_name(path.substr(0, slash))) return false;
    if (slash == path.npos) return true;
    path.remove_prefix(slash + 1);
  }
}

int compare_paths(std::string_view a, std::string_view b) noexcept {
  const auto [at_a, at_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const bool ends_a = at_a == a.end();
  const bool ends_b = at_b == b.end();
  if (ends_a || ends_b) return static_cast<int>(ends_b) - static_cast<int>(ends_a);
  // NUL occurs in no path: it can stand for the slash.
  const auto rank = [](char each) {
    return each == '/' ? 0 : static_cast<int>(static_cast<unsigned char>(each));
  };
  return rank(*at_a) - rank(*at_b);
}

bool is_below(std::string_view path, std::string_view above) noexcept {
  if (above.empty()) return !path.empty();
  return path.size() > above.size() && path.starts_with(above) && path[above.size()] == '/';
}

std::string_view parent_of(std::string_view path) noexcept {
  const auto slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) noexcept {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace lmzip::tree
