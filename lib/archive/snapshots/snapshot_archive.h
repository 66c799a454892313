#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "archive/snapshots/root_record.h"
#include "core/io/file.h"
#include "formats/container/members.h"
#include "lmzip/archive_reader.h"

namespace lmzip::archive {

/// A member that holds a tree.
struct snapshot {
  std::size_t member = 0;  ///< number in the archive, from 0
  hash256 id{};            ///< of the member: SHA-256 of its trailer
  std::uint64_t coded_bytes = 0;
  root_record root;
  /// Where the plain bytes of each source begin in the archive, and how many there are; the last
  /// one is the member itself.
  struct place {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
  };
  std::vector<place> sources;
};

/// An archive of snapshots, open for reading. What stands behind its last whole member does not
/// matter: an append that was cut short leaves everything before it as it was. Not thread-safe.
class snapshot_archive {
 public:
  /// Finds the members and reads the roots of those that hold trees; no other blocks. Throws error:
  /// io, not_lmzip, damaged (gaps between members, a root, or one that refers to what is not
  /// there), truncated, unsupported, memory_limit.
  explicit snapshot_archive(const std::string& path, const archive_reader_options& options = {});
  snapshot_archive(const snapshot_archive&) = delete;
  snapshot_archive& operator=(const snapshot_archive&) = delete;
  ~snapshot_archive();

  const std::vector<snapshot>& snapshots() const noexcept { return snapshots_; }

  /// Where the last whole member ends, and what is in the way of an append.
  std::uint64_t end_offset() const noexcept { return members_.end_offset; }
  bool is_torn() const noexcept { return members_.torn; }
  /// Whether what stands behind the end can be the beginning of a member.
  bool has_torn_member() const;

  /// Appends the bytes of an extent to `to`. Throws error(damaged) for one outside its source, and
  /// what archive_reader::read() throws.
  void write_content(const snapshot& of, const tree::content_extent& extent, sink& to);

  /// The data of a file of a snapshot: a content_writer of tree::restorer.
  void write_content(const snapshot& of, const tree::entry& file, sink& to);

  /// Fills `out` from an extent, from `skipped` bytes on. The range must lie in the extent.
  void read(const snapshot& of, const tree::content_extent& extent, std::uint64_t skipped,
            std::span<std::byte> out);

 private:
  class bounded_file;

  void read_snapshots();
  root_record read_root_of(const container::member_location& member) const;

  io::file file_;
  container::read_at_function read_at_;
  container::member_list members_;
  std::unique_ptr<bounded_file> source_;
  std::unique_ptr<archive_reader> reader_;
  std::vector<snapshot> snapshots_;
};

}  // namespace lmzip::archive
