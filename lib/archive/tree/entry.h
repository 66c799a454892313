#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/attributes.h"
#include "core/io/file.h"

namespace lmzip::tree {

/// Values are part of the format.
enum class entry_kind : std::uint8_t {
  file = 0,
  directory = 1,
  symbolic_link = 2,
  fifo = 3,
  character_device = 4,
  block_device = 5,
  hard_link = 6,  ///< one more name of an earlier entry, which `target` names
};
inline constexpr unsigned entry_kinds = 7;

/// Who owns an entry: names count where they are known, then numbers.
struct entry_owner {
  std::uint32_t user = 0;
  std::uint32_t group = 0;
  std::string user_name;  ///< empty: unknown
  std::string group_name;
  friend bool operator==(const entry_owner&, const entry_owner&) = default;
};

/// Bytes [offset, offset + bytes) of a file that are not a hole. bytes > 0.
struct data_range {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const data_range&, const data_range&) = default;
};

/// Where a part of a file's data stands. bytes > 0.
struct content_extent {
  std::uint32_t source = 0;  ///< number in a table that others keep
  std::uint64_t offset = 0;  ///< in that source
  std::uint64_t bytes = 0;
  friend bool operator==(const content_extent&, const content_extent&) = default;
};

/// What tells without reading a file that it is still the one it was.
struct stat_stamp {
  io::file_time changed;
  std::uint64_t inode = 0;
  std::uint64_t device = 0;
  friend bool operator==(const stat_stamp&, const stat_stamp&) = default;
};

/// One entry of a tree. A hard link has a path, a target and a stamp, and nothing else.
struct entry {
  std::string path;  ///< see is_entry_path()
  entry_kind kind = entry_kind::file;
  std::uint32_t mode = 0;  ///< at most 07777
  entry_owner owner;
  io::file_time modified;   ///< nanoseconds in [0, 10^9)
  std::uint64_t bytes = 0;  ///< of a file, holes counted
  std::uint64_t links = 1;  ///< how many names there were in the file system, at least 1
  std::string target;       ///< of a symbolic link: any bytes but NUL; of a hard link: a path
  std::uint32_t device_major = 0;
  std::uint32_t device_minor = 0;
  std::vector<io::attribute> attributes;  ///< sorted by name
  bool has_holes = false;                 ///< false: all bytes are data; `data` is empty
  std::vector<data_range> data;           ///< rising, not touching each other
  std::vector<content_extent> content;    ///< together data_bytes() long
  stat_stamp stamp;                       ///< stored apart, see entry_writer.h
  friend bool operator==(const entry&, const entry&) = default;
};

/// Bytes of a file that are not in holes.
std::uint64_t data_bytes(const entry& of) noexcept;

/// Longest path and longest target of a link, in bytes.
inline constexpr std::size_t max_path_bytes = std::size_t{1} << 20;

/// True for names joined by single slashes, at most max_path_bytes long, of which none is empty,
/// "." or "..", without NUL. The path of the tree's own top is "" and stands for a directory only.
bool is_entry_path(std::string_view path) noexcept;

/// Order of entries: a directory before what it holds, and that before anything else; names by
/// their bytes. (Like paths by bytes, if the slash were the smallest of all.) Negative, 0,
/// positive.
int compare_paths(std::string_view a, std::string_view b) noexcept;

/// True if `path` stands below the directory `above`; everything does below "".
bool is_below(std::string_view path, std::string_view above) noexcept;

/// What comes before the last slash, or "".
std::string_view parent_of(std::string_view path) noexcept;
/// What comes behind the last slash.
std::string_view name_of(std::string_view path) noexcept;

}  // namespace lmzip::tree
