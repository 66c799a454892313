#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "archive/tree/entry.h"

namespace lmzip::tree {

/// The sorted entries of an earlier snapshot, looked up in their order while a walk goes on, so that
/// one at a time is in memory.
class known_entries {
 public:
  /// `next` gives the entries in the order of compare_paths(), then nothing.
  explicit known_entries(std::function<std::optional<entry>()> next);

  /// The entry of a path, or nullptr; valid until the next call. Paths must come in order.
  const entry* find(std::string_view path);

 private:
  std::function<std::optional<entry>()> next_;
  std::optional<entry> present_;
};

}  // namespace lmzip::tree
