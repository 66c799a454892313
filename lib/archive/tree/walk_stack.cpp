#include "archive/tree/walk_stack.h"

#include <utility>

namespace lmzip::tree {

void walk_stack::push(walk_level level) {
  levels_.push_back(std::move(level));
  if (levels_.size() > most_open) levels_[levels_.size() - 1 - most_open].folder = io::folder();
}

bool walk_stack::reopen(walk_level& level, const io::folder& below, const root& from,
                        const std::string& path) {
  const auto take = [&level](io::folder found) {
    if (!io::is_same_file(found.status(), level.status)) return false;
    level.folder = std::move(found);
    return true;
  };
  try {
    if (below.is_open() && take(below.open_parent())) return true;
    const io::folder top = io::folder::open(from.given, calls_);
    const std::size_t stored = from.stored.empty() ? 0 : from.stored.size() + 1;
    if (level.path_bytes <= stored) return take(io::folder::open(from.given, calls_));
    return take(top.open_beneath(path.substr(stored, level.path_bytes - stored)));
  } catch (const io::file_error&) {
    return false;
  }
}

bool walk_stack::pop(const root& from, const std::string& path) {
  const walk_level below = std::move(levels_.back());
  levels_.pop_back();
  if (levels_.empty() || top().folder.is_open()) return true;
  if (top().next == top().names.size()) return true;
  if (reopen(top(), below.folder, from, path)) return true;
  top().next = top().names.size();
  return false;
}

}  // namespace lmzip::tree
