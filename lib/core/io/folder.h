#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/io/attributes.h"
#include "core/io/file.h"

namespace lmzip::io {

/// An open directory. Its functions take the names of what stands in it, which must have neither
/// slash nor NUL, and never follow a symbolic link of such a name. They throw file_error. The
/// directory stays the same one whatever happens to the path that led to it. Not thread-safe.
class folder {
 public:
  folder() = default;

  /// Opens `path`, following links. `calls` is nullptr for the kernel's.
  static folder open(const std::string& path, system_calls* calls = nullptr);

  bool is_open() const noexcept { return handle_.is_open(); }
  /// The path that it was opened by, for messages.
  const std::string& path() const noexcept { return handle_.name(); }
  std::string path_of(const std::string& name) const;

  file_status status() const { return handle_.status(); }
  /// Names of all entries but "." and "..", sorted by their bytes.
  std::vector<std::string> names() const;
  std::vector<attribute> attributes() const { return handle_.attributes(); }

  /// Nothing if there is no such name.
  std::optional<file_status> status_of(const std::string& name) const;
  folder open_folder(const std::string& name) const;
  /// Opens the directory `path` below this one without passing a symbolic link or "..": ELOOP or
  /// ENOTDIR if there is one, ENOENT if there is no such directory.
  folder open_beneath(const std::string& path) const;
  /// The directory that holds this one now, which may be another one than it was opened in.
  folder open_parent() const;
  /// Opens for reading, without waiting for the writer of a FIFO and without changing the time of
  /// the last access where that is permitted.
  file open_file(const std::string& name) const;
  std::string read_link(const std::string& name) const;
  std::vector<attribute> attributes_of(const std::string& name) const;

  /// Creates a file with mode 0600; EEXIST if there is something of that name.
  file create_file(const std::string& name);
  /// Creates a directory with `mode`, less the umask; false if there is something of that name.
  bool make_directory(const std::string& name, unsigned mode);
  void make_link(const std::string& name, const std::string& target);
  /// A FIFO, a socket or a device, with mode 0600.
  void make_node(const std::string& name, const file_status& like);
  /// Gives `from` in `source` one more name, `name` in this directory.
  void make_hard_link(const std::string& name, const folder& source, const std::string& from);
  /// Moves `from` in `source` here. Without `replace` EEXIST if there is something named `to`; with
  /// it that is replaced, unless it is a directory.
  void take(const std::string& to, const folder& source, const std::string& from, bool replace);
  void remove(const std::string& name, bool is_directory);

  // Change metadata of what stands at `name`, a link itself, and return 0 or the reason why not.
  int set_mode_of(const std::string& name, unsigned mode) noexcept;
  int set_owner_of(const std::string& name, std::optional<unsigned> owner,
                   std::optional<unsigned> group) noexcept;
  int set_modified_of(const std::string& name, const file_time& modified) noexcept;
  int set_attribute_of(const std::string& name, const attribute& which) noexcept;

  /// The directory itself as an open file, for its metadata.
  file& handle() noexcept { return handle_; }

 private:
  explicit folder(file handle) : handle_(std::move(handle)) {}
  folder open_directory(const std::string& name, int extra_flags) const;
  std::optional<folder> open_by_one_call(const std::string& path) const;
  [[noreturn]] void fail(const std::string& name, std::string_view doing) const;
  std::string path_of_open(const std::string& name) const;

  file handle_;
};

}  // namespace lmzip::io
