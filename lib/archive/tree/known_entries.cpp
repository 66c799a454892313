#include "archive/tree/known_entries.h"

#include <utility>

namespace lmzip::tree {

known_entries::known_entries(std::function<std::optional<entry>()> next)
    : next_(std::move(next)), present_(next_()) {}

const entry* known_entries::find(std::string_view path) {
  while (present_ && compare_paths(present_->path, path) < 0) present_ = next_();
  return present_ && present_->path == path ? &*present_ : nullptr;
}

}  // namespace lmzip::tree
