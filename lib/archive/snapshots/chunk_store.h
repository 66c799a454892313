#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "archive/chunks/chunk_index.h"
#include "archive/chunks/chunk_table.h"
#include "archive/chunks/chunker.h"
#include "archive/chunks/kind.h"
#include "archive/tree/entry.h"
#include "core/io/file.h"

namespace lmzip::archive {

/// The new chunks of a snapshot while it is made. Their bytes wait in a file without a name, so
/// that each source is read once and memory does not grow with them.
///
/// Extents of new chunks name this member with the number of the chunk as offset, until place()
/// has given them an order.
class chunk_store {
 public:
  /// `index` knows the chunks of sources below `own_source`; it must outlive the store. The file
  /// is made beside `beside`. Throws file_error.
  chunk_store(chunk_index& index, std::uint32_t own_source, const std::string& beside);

  /// The next bytes of the present file.
  void append(std::span<const std::byte> bytes);

  /// Ends a file and returns where its bytes stand.
  std::vector<tree::content_extent> finish(const file_order& order);

  /// Drops the bytes since the last finish().
  void discard();

  /// Gives the files finished since the last call their order, behind those before.
  void place();

  /// Extents with the offsets that place() has given, joined where they touch.
  std::vector<tree::content_extent> resolve(const std::vector<tree::content_extent>& of) const;

  /// Placed chunks of one kind, which stand together.
  struct run {
    content_kind kind = content_kind::empty;
    std::size_t first = 0;  ///< of the placed chunks
    std::size_t count = 0;
  };
  const std::vector<run>& runs() const noexcept { return runs_; }

  /// Of the placed chunks, in order.
  std::uint32_t bytes_of(std::size_t number) const { return fresh_[order_[number]].bytes; }
  void read(std::size_t number, std::span<std::byte> out);
  std::vector<chunk_entry> table() const;

  std::uint64_t placed_bytes() const noexcept { return placed_bytes_; }
  std::uint64_t saved_bytes() const noexcept { return saved_bytes_; }

 private:
  struct fresh_chunk {
    hash256 hash;
    std::uint64_t spooled = 0;  ///< where the bytes wait
    std::uint64_t placed = 0;   ///< plain offset
    std::uint32_t bytes = 0;
  };
  struct group {
    file_order order;
    std::size_t first = 0;
    std::size_t count = 0;
  };

  void end_chunk();

  chunk_index& index_;
  std::uint32_t own_source_;
  chunker chunker_;
  io::file spool_out_;
  io::file spool_in_;
  std::uint64_t spooled_ = 0;
  std::vector<std::byte> present_;
  std::vector<tree::content_extent> extents_;
  std::size_t first_of_file_ = 0;
  std::vector<fresh_chunk> fresh_;
  std::vector<group> groups_;  ///< not placed yet
  std::vector<std::uint32_t> order_;
  std::vector<run> runs_;
  std::uint64_t placed_bytes_ = 0;
  std::uint64_t saved_bytes_ = 0;
};

}  // namespace lmzip::archive
