#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "archive/snapshots/snapshot_archive.h"
#include "archive/tree/entry.h"

namespace lmzip::archive {

/// Reads the bytes of extents, one after the other.
class extent_bytes {
 public:
  extent_bytes(snapshot_archive& from, const snapshot& of,
               const std::vector<tree::content_extent>& extents)
      : from_(from), of_(of), extents_(extents) {}

  /// The next `count` bytes, fewer at the end. Valid until the next call.
  std::span<const std::byte> peek(std::size_t count);
  void skip(std::size_t count) { used_ += count; }

 private:
  snapshot_archive& from_;
  const snapshot& of_;
  const std::vector<tree::content_extent>& extents_;
  std::size_t extent_ = 0;
  std::uint64_t done_ = 0;  ///< bytes of the present extent
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;
};

/// The entries of a snapshot in their order, with their stamps, one at a time in memory.
class tree_reader {
 public:
  /// Both must outlive it.
  tree_reader(snapshot_archive& from, const snapshot& of);

  /// Nothing at the end. Throws error(damaged), error(truncated), and what reading blocks throws.
  std::optional<tree::entry> next();

 private:
  extent_bytes entries_;
  extent_bytes stamps_;
  bool is_first_ = true;
  std::string last_path_;
};

}  // namespace lmzip::archive
