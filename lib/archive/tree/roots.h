#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/file.h"

namespace lmzip::tree {

/// A path that a walk begins at.
struct root {
  std::string given;   ///< as the user wrote it
  std::string stored;  ///< path of its entry
};

/// The path that an argument is stored under: without slashes in front, "." and "..", so that
/// /home/me/ becomes home/me, ../src becomes src, and . becomes "", the top.
std::string stored_path_of(std::string_view argument);

/// True if the argument means a directory whatever stands at its last name: it ends in a slash, "."
/// or "..". A symbolic link is then followed.
bool names_directory(std::string_view argument) noexcept;

struct walk_roots {
  std::vector<root> walked;        ///< sorted by stored path; none below another
  std::vector<std::string> inner;  ///< stored paths, sorted, that the user named below one of them
};

/// Sorts the arguments and sets those apart that others contain. Throws error(usage) if two that
/// are not the same would be stored under the same path.
walk_roots arrange_roots(std::span<const std::string> arguments, io::system_calls* calls);

}  // namespace lmzip::tree
