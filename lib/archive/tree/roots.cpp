#include "archive/tree/roots.h"

#include <algorithm>
#include <optional>

#include "archive/tree/entry.h"

namespace lmzip::tree {
namespace {

std::optional<io::file_status> status_if_any(const std::string& path, io::system_calls* calls) {
  try {
    return io::status_of(path, names_directory(path), calls);
  } catch (const io::file_error&) {
    return std::nullopt;  // the walk will say so
  }
}

/// What `outer` would have under the path that `inner` is stored by.
std::string path_within(const root& outer, const root& inner) {
  if (outer.stored == inner.stored) return outer.given;
  const auto rest =
      std::string_view(inner.stored).substr(outer.stored.empty() ? 0 : outer.stored.size() + 1);
  return outer.given + "/" + std::string(rest);
}

void require_same(const root& outer, const root& inner, io::system_calls* calls) {
  const auto there = status_if_any(path_within(outer, inner), calls);
  const auto named = status_if_any(inner.given, calls);
  if (named && (!there || !io::is_same_file(*there, *named)))
    throw error(errc::usage, outer.given + " and " + inner.given +
                                 " would be stored under the same name (add one of them alone)");
}

}  // namespace

std::string stored_path_of(std::string_view argument) {
  std::string stored;
  while (!argument.empty()) {
    const auto slash = argument.find('/');
    const auto name = argument.substr(0, slash);
    argument.remove_prefix(slash == argument.npos ? argument.size() : slash + 1);
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      stored.resize(parent_of(stored).size());
      continue;
    }
    if (!stored.empty()) stored += '/';
    stored += name;
  }
  return stored;
}

bool names_directory(std::string_view argument) noexcept {
  const auto name = name_of(argument);
  return name.empty() || name == "." || name == "..";
}

walk_roots arrange_roots(std::span<const std::string> arguments, io::system_calls* calls) {
  std::vector<root> all;
  for (const std::string& each : arguments) all.push_back({each, stored_path_of(each)});
  std::stable_sort(all.begin(), all.end(), [](const root& a, const root& b) {
    return compare_paths(a.stored, b.stored) < 0;
  });
  walk_roots arranged;
  for (root& each : all) {
    const root* outer = arranged.walked.empty() ? nullptr : &arranged.walked.back();
    const bool is_same = outer != nullptr && outer->stored == each.stored;
    if (outer == nullptr || (!is_same && !is_below(each.stored, outer->stored))) {
      arranged.walked.push_back(std::move(each));
      continue;
    }
    require_same(*outer, each, calls);
    if (!is_same) arranged.inner.push_back(std::move(each.stored));
  }
  return arranged;
}

}  // namespace lmzip::tree
