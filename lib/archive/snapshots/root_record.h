#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "archive/chunks/chunk_table.h"
#include "archive/tree/entry.h"

/// The root of a snapshot: what its member's metadata blocks hold, one after the other. Numbers are
/// varints (core/varint.h), a text is its size and its bytes.
///
///   version          one byte, 0
///   start            seconds (zigzag), nanoseconds
///   tag, host        texts
///   earlier members  their number; the id of each, 32 bytes
///   counts           entries, files, bytes of files, new bytes, bytes saved by deduplication
///   tree, stamps     for each: number of extents; for each its source, offset, bytes
///   chunks           what chunk_table.h says, to the end
///
/// Source k of an extent is the k-th earlier member, from 0; the number of them is this member. A
/// snapshot names the members of the one before it first, in their order, and then that one, so
/// that the same extents are the same bytes in both trees.
namespace lmzip::archive {

struct snapshot_counts {
  std::uint64_t entries = 0;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;        ///< of data in files, holes left out
  std::uint64_t new_bytes = 0;    ///< plain bytes of the member
  std::uint64_t saved_bytes = 0;  ///< of data that was read and known already
  friend bool operator==(const snapshot_counts&, const snapshot_counts&) = default;
};

struct root_record {
  io::file_time start;  ///< io::file_clock() before anything was read
  std::string tag;
  std::string host;
  std::vector<hash256> members;  ///< earlier ones
  snapshot_counts counts;
  std::vector<tree::content_extent> entries;  ///< of the serialised tree
  std::vector<tree::content_extent> stamps;
  std::vector<chunk_entry> chunks;  ///< of the member's plain bytes, in order
  friend bool operator==(const root_record&, const root_record&) = default;
};

inline constexpr std::size_t max_tag_bytes = 4096;

/// Throws error(internal) for what read_root() would refuse.
std::vector<std::byte> write_root(const root_record& from);

/// Reads a root that makes up all of `bytes`, of a member of `plain_bytes`. Needs memory in
/// proportion to `bytes`. Throws error(damaged), error(truncated), or error(unsupported) for a later
/// version. Writing what it returns gives the same bytes again.
root_record read_root(std::span<const std::byte> bytes, std::uint64_t plain_bytes);

}  // namespace lmzip::archive
