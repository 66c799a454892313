#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "archive/tree/roots.h"
#include "core/io/folder.h"

namespace lmzip::tree {

/// A directory that a walk has entered.
struct walk_level {
  io::folder folder;  ///< closed while the walk is far below
  io::file_status status;
  std::uint64_t device = 0;    ///< of what the user named and this is a part of
  std::size_t path_bytes = 0;  ///< of the directory's path
  std::vector<std::string> names;
  std::size_t next = 0;     ///< of the names
  bool only_inner = false;  ///< left out, but holds something that the user named
};

/// The directories from a root down to the present one, of which only the lowest are kept open.
class walk_stack {
 public:
  explicit walk_stack(io::system_calls* calls) : calls_(calls) {}

  bool is_empty() const noexcept { return levels_.empty(); }
  walk_level& top() noexcept { return levels_.back(); }
  const walk_level& top() const noexcept { return levels_.back(); }

  void push(walk_level level);

  /// Leaves the lowest directory. False if the one above was closed and cannot be found again: it
  /// was moved meanwhile. Then that has no names left, and its folder is not open.
  bool pop(const root& from, const std::string& path);

 private:
  static constexpr std::size_t most_open = 64;

  bool reopen(walk_level& level, const io::folder& below, const root& from,
              const std::string& path);

  std::vector<walk_level> levels_;
  io::system_calls* calls_;
};

}  // namespace lmzip::tree
