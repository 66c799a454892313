#pragma once

#include <span>
#include <string>
#include <vector>

#include "archive/tree/entry.h"
#include "archive/tree/exclusions.h"

namespace lmzip::tree {

enum class problem_kind {
  missing,     ///< a path that the caller named is not there
  unreadable,  ///< what stands there, or a part of it, could not be read
  vanished,    ///< gone, or something else, between listing and reading
  skipped,     ///< sockets and the archive itself: not stored on purpose
};

struct problem {
  problem_kind kind;
  std::string path;  ///< as the user would write it
  std::string text;
};

/// Takes what a walk finds.
class visitor {
 public:
  virtual ~visitor() = default;

  /// Asked first, with what stat() tells. True if the visitor has taken the entry from what it
  /// knows of an earlier walk; then nothing more is read of it.
  virtual bool reuse(const entry& found) = 0;

  /// Takes a whole entry; of a file all but its content, which `content` gives (see
  /// file_content.h), for others it is nullptr. False if it was not stored after all: other names
  /// of the same file are then no hard links to it.
  virtual bool store(entry& found, io::file* content) = 0;

  /// Told of what could not be had; the walk goes on.
  virtual void report(const problem& found) = 0;
};

struct walk_options {
  exclusions excluded;           ///< not applied to the paths that are walked themselves
  bool one_file_system = false;  ///< directories where another file system begins are left empty
  bool skip_caches = false;      ///< of directories with a valid CACHEDIR.TAG keeps only that
  std::vector<io::file_status> left_out;  ///< files to skip, such as the archive itself
  io::system_calls* calls = nullptr;
};

/// Walks trees in the order of compare_paths() over stored paths, without following symbolic links
/// (but those on the way to `paths`), and without changing times of access where that is permitted.
/// Depth is not limited by the length of paths or by open files. Memory is needed for the names in
/// the directories that lead to the present one, and for files with several links until all have
/// come.
///
/// Throws error(usage) if two of `paths` would be stored under one name, error(canceled), and what
/// the visitor throws.
void walk(std::span<const std::string> paths, const walk_options& options, visitor& to);

}  // namespace lmzip::tree
