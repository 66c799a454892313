#include "archive/tree/exclusions.h"

#include <cstddef>
#include <utility>

#include "archive/tree/name_pattern.h"
#include "lmzip/error.h"

namespace lmzip::tree {
namespace {

constexpr std::string_view any_directories = "**";

/// Takes the first name off a path.
std::string_view take_name(std::string_view& path) {
  const auto slash = path.find('/');
  const auto name = path.substr(0, slash);
  path.remove_prefix(slash == path.npos ? path.size() : slash + 1);
  return name;
}

/// The same as matches_name(), with names for bytes and "**" for the star.
bool matches_parts(std::string_view path, const std::vector<std::string>& parts) {
  std::size_t part = 0;
  std::size_t after_star = 0;
  std::string_view path_at_star;
  for (;;) {
    if (part < parts.size() && parts[part] == any_directories) {
      after_star = ++part;
      path_at_star = path;
      continue;
    }
    if (path.empty() && part == parts.size()) return true;
    if (!path.empty() && part < parts.size()) {
      auto rest = path;
      if (matches_name(take_name(rest), parts[part])) {
        path = rest;
        ++part;
        continue;
      }
    }
    if (after_star == 0 || path_at_star.empty()) return false;
    take_name(path_at_star);
    path = path_at_star;
    part = after_star;
  }
}

}  // namespace

void exclusions::add(std::string_view pattern) {
  rule next;
  const bool is_anchored = pattern.starts_with('/');
  next.directories_only = pattern.ends_with('/');
  if (!is_anchored) next.parts.emplace_back(any_directories);
  bool has_name = false;
  for (auto rest = pattern; !rest.empty();) {
    const auto part = take_name(rest);
    if (part.empty() || part == ".") continue;
    next.parts.emplace_back(part);
    has_name = has_name || part != any_directories;
  }
  if (!has_name)
    throw error(errc::usage, "exclude pattern without a name: \"" + std::string(pattern) + "\"");
  // All that a directory holds, but not itself.
  if (next.parts.back() == any_directories) next.parts.back() = "*";
  rules_.push_back(std::move(next));
}

void exclusions::add_lines(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && line.front() != '#') add(line);
  }
}

bool exclusions::excludes(std::string_view path, bool is_directory) const {
  for (const rule& each : rules_) {
    if (each.directories_only && !is_directory) continue;
    if (matches_parts(path, each.parts)) return true;
  }
  return false;
}

}  // namespace lmzip::tree
