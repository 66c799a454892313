#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/io/attributes.h"
#include "core/io/file_error.h"

struct stat;

namespace lmzip::io {

class system_calls;

enum class file_kind { regular, directory, symbolic_link, fifo, socket, device, other };

struct file_time {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  friend auto operator<=>(const file_time&, const file_time&) = default;
};

/// What stat() tells of a file.
struct file_status {
  file_kind kind = file_kind::other;
  bool is_block_device = false;
  std::uint64_t bytes = 0;
  std::uint64_t block_bytes = 4096;   ///< of the file system
  std::uint64_t allocated_bytes = 0;  ///< on disk; less than `bytes` where there are holes
  unsigned mode = 0;                 ///< permission bits with the special ones, 07777
  unsigned owner = 0;
  unsigned group = 0;
  std::uint64_t links = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint32_t device_major = 0;  ///< of a device itself
  std::uint32_t device_minor = 0;
  file_time modified;
  file_time accessed;
  file_time changed;  ///< content or metadata; nobody can set it
};

/// The same from the system's own structure.
file_status from_stat(const struct stat& raw) noexcept;

/// True if both name the same file, whatever path led there.
bool is_same_file(const file_status& a, const file_status& b) noexcept;

/// Status of `path`, or nothing if there is no such file. Throws file_error for other failures.
std::optional<file_status> status_of(const std::string& path, bool follow_links,
                                     system_calls* calls = nullptr);

/// An open file. Calls that a signal interrupts are repeated, unless the signal asks the process
/// to end (see signals.h): then they throw error(canceled). Not thread-safe.
class file {
 public:
  file() = default;
  /// Takes over `descriptor`. `calls` is nullptr for the kernel's, and must outlive the file.
  file(int descriptor, std::string name, system_calls* calls = nullptr);
  file(file&& other) noexcept;
  file& operator=(file&& other) noexcept;
  /// Closes and discards the result; use close() where it matters.
  ~file();

  /// Opens `path` for reading. Without `follow_links` a symbolic link is error ELOOP.
  static file open_for_reading(const std::string& path, bool follow_links,
                               system_calls* calls = nullptr);
  /// Opens an existing device, FIFO or the like for writing, without creating or truncating.
  static file open_for_writing(const std::string& path, system_calls* calls = nullptr);
  /// Creates `path` with mode 0600; error EEXIST if it exists, even as a dangling link.
  static file create(const std::string& path, system_calls* calls = nullptr);

  /// The three standard streams; not closed by the destructor.
  static file standard_input(system_calls* calls = nullptr);
  static file standard_output(system_calls* calls = nullptr);
  static file standard_error(system_calls* calls = nullptr);

  bool is_open() const noexcept { return descriptor_ >= 0; }
  const std::string& name() const noexcept { return name_; }
  /// Sets the name that errors show.
  void set_name(std::string name) noexcept { name_ = std::move(name); }

  /// Reads up to `out.size()` bytes; 0 at the end of the file.
  std::size_t read(std::span<std::byte> out);
  /// Reads up to `out.size()` bytes at `offset`, wherever the position is, and leaves that alone; 0
  /// at the end of the file. Not for pipes. Safe to call from several threads.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out);
  /// Writes all of `data`.
  void write(std::span<const std::byte> data);

  file_status status() const;
  /// Position in the file, or nothing if it has none (a pipe).
  std::optional<std::uint64_t> position() const;
  /// Sets the position `bytes` further on.
  void skip(std::uint64_t bytes);
  void set_length(std::uint64_t bytes);
  /// Where the next data (not a hole) at or behind `offset` begins, or nothing if only a hole
  /// follows up to the end. A file system that knows no holes calls everything data.
  std::optional<std::uint64_t> next_data(std::uint64_t offset) const;
  /// Where the next hole at or behind `offset` begins; the end of the file counts as one.
  std::uint64_t next_hole(std::uint64_t offset) const;
  /// True if every write goes to the end (O_APPEND).
  bool appends() const noexcept;
  bool is_terminal() const noexcept;
  /// Characters per line of a terminal; 80 if unknown.
  unsigned terminal_columns() const noexcept;
  /// Tells the kernel that reading will be sequential; a hint, never fails.
  void expect_sequential_reading() const noexcept;
  void sync();
  /// Closes and reports what writing back has found (full disk on a network file system).
  void close();

  /// Those below change the file's metadata and return false if that was not permitted.
  bool set_mode(unsigned mode) noexcept;
  bool set_owner(std::optional<unsigned> owner, std::optional<unsigned> group) noexcept;
  bool set_times(const file_time& accessed, const file_time& modified) noexcept;
  bool set_modified(const file_time& modified) noexcept;

  /// Extended attributes, sorted by name; none where the file system has no such thing.
  std::vector<attribute> attributes() const;
  /// Sets one; returns 0 or the reason why not.
  int set_attribute(const attribute& which) noexcept;

 private:
  friend class folder;
  [[noreturn]] void fail(std::string_view doing) const;

  int descriptor_ = -1;
  bool owned_ = true;
  std::string name_;
  system_calls* calls_ = nullptr;
};

/// Fills descriptors 0, 1 and 2 where the parent closed them, so that no file opened later gets
/// one; using such a stream still fails with EBADF. Call first thing in main().
void reserve_standard_descriptors() noexcept;

/// Mode of a new file for everybody's eyes: 0666 without the bits of the umask.
unsigned new_file_mode() noexcept;

/// True if the process runs as root.
bool is_superuser() noexcept;
/// The user whose rights the process has.
unsigned effective_user() noexcept;

/// Flushes the directory that holds `path`, so that a rename in it survives a crash.
void sync_directory_of(const std::string& path, system_calls* calls = nullptr);

/// Removes a name. Throws file_error.
void remove_file(const std::string& path, system_calls* calls = nullptr);

struct directory_entry {
  std::string name;
  file_kind kind = file_kind::other;
};

/// Entries of a directory without "." and "..", sorted by byte order of their names.
std::vector<directory_entry> list_directory(const std::string& path);

/// Part of `path` before its last component, "." if there is none; no trailing slash but for "/".
std::string directory_of(const std::string& path);

}  // namespace lmzip::io
