#pragma once

#include <set>
#include <string>
#include <string_view>

#include "core/io/folder.h"

namespace lmzip::tree {

/// The folder that a tree is restored to. Directories below it are reached from it without passing
/// a symbolic link, whoever put that there, so that nothing is ever made outside.
///
/// New entries are made in a folder of their own that only this user can enter, and get their names
/// when they are whole: nobody can put something else in their place before.
class restore_target {
 public:
  /// Creates the folder and those above it if they are missing.
  explicit restore_target(const std::string& path, io::system_calls* calls);
  restore_target(const restore_target&) = delete;
  restore_target& operator=(const restore_target&) = delete;
  ~restore_target();

  io::folder& top() noexcept { return top_; }
  const io::folder& top() const noexcept { return top_; }
  bool is_new() const noexcept { return is_new_; }

  /// The directory of an entry's path; it and those above it are made if they are missing. It stays
  /// open until the next call. Throws file_error.
  io::folder& parent(std::string_view path);
  /// True if parent() has made this directory.
  bool has_made(const std::string& path) const { return made_.count(path) != 0; }

  /// An open folder for a new entry that parent() will get; empty, and on the same file system.
  io::folder& workshop();
  /// False if others can enter the workshop after all: the file system gives what is made in it to
  /// somebody else, or somebody has put another folder in its place.
  bool is_private() const noexcept { return is_private_; }
  /// The name that the new entry has in the workshop.
  static const std::string& new_name();
  /// Gives it its name in parent().
  void publish(const std::string& name, bool replace);
  /// Removes a new entry that is not to be.
  void discard() noexcept;

  /// Removes the workshop.
  void close() noexcept;

 private:
  io::folder make_path(std::string_view path);

  bool is_new_ = false;  ///< before top_, whose making sets it
  io::folder top_;
  bool has_parent_ = false;
  std::string parent_path_;
  io::folder parent_;
  std::set<std::string> made_;
  io::folder workshop_;
  std::string workshop_name_;
  bool is_private_ = false;
};

}  // namespace lmzip::tree
