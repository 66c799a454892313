#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/lmzip/messages.h"
#include "core/io/file.h"

namespace lmzip::app {

/// Which files may be opened.
struct input_rules {
  bool follow_links = false;     ///< read what symbolic links point to
  bool any_kind = false;         ///< read FIFOs, devices and sockets
  bool will_be_removed = false;  ///< links and hard-linked files must then be left alone
};

/// An open input file.
struct input {
  std::string path;  ///< "-" for standard input
  std::string name;  ///< for messages
  io::file handle;
  io::file_status status;

  bool is_standard_input() const { return path == "-"; }
  /// Size if the file has one.
  std::optional<std::uint64_t> bytes() const;
};

/// Opens `path`, or says why not and returns nothing.
std::optional<input> open_input(const std::string& path, const input_rules& rules, messages& out);

/// Throws if compressed data would come from a terminal, unless `force`.
void refuse_terminal_input(const input& in, bool force);

/// Opens an archive that is only looked at: links are followed and any kind of file is read.
std::optional<input> open_archive(const std::string& path, bool force, messages& out);

/// True if the file is still what it was when it was opened, by size and time of change.
bool is_unchanged(const input& in);

/// Removes the file by its name if that still names the file that was read.
void remove_input(const input& in, messages& out);

/// Calls `action` for each file in order; directories are gone into if `recursive` (regular files
/// only, sorted by name, links never followed; then `found` is true), else reported. Exceptions of
/// `action` are reported under the file's name. Ends early once a signal came or the output went
/// away.
void for_each_file(const std::vector<std::string>& paths, bool recursive, messages& out,
                   const std::function<void(const std::string& path, bool found)>& action);

}  // namespace lmzip::app
