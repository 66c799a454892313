#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hash.h"
#include "formats/container/format.h"
#include "lmzip/stream.h"

namespace lmzip::container {

/// A block whose payload is ready for the file.
struct sealed_block {
  block_header header;
  std::vector<std::byte> payload;
};

/// Chooses and applies the mask and fills in coded_bytes and coded_hash: all the work on a block
/// that needs not be done in order. Safe to call from several threads.
/// Throws error(internal) if the payload is empty or larger than header.plain_bytes.
sealed_block seal(const block_header& header, std::vector<std::byte> payload);

/// Size and contents of a finished member.
struct member_totals {
  std::uint64_t member_bytes = 0;  ///< header to trailer
  std::uint64_t plain_bytes = 0;
  std::uint64_t blocks = 0;
};

/// Writes one member, front to back. Needs 128 KiB besides the caller's blocks, whatever the size
/// of the member. Not thread-safe. After an exception the object must not be used any more.
class member_writer {
 public:
  /// Writes the header. Throws error(internal) if it is not one that the format allows.
  member_writer(sink& out, const member_header& header);

  /// Appends a block. The caller sets everything in `block.header` but plain_offset, before
  /// seal(). Throws error(internal) on a block that the format does not allow in this member.
  void append(const sealed_block& block);

  /// The same for a payload that is not sealed yet.
  void append(const block_header& header, std::span<const std::byte> payload);

  /// Appends the model's file, of as many bytes as the header says. Before all other blocks.
  void append_model(std::span<const std::byte> file);

  /// Writes index and trailer. Nothing can be appended after that.
  member_totals finish();

  std::uint64_t plain_bytes() const noexcept { return plain_bytes_; }
  std::uint64_t member_bytes() const noexcept { return position_; }  ///< written so far

 private:
  void write(std::span<const std::byte> bytes);
  void write_segment();

  sink& out_;
  bool strong_;
  std::uint32_t block_bytes_;
  std::uint64_t model_bytes_;
  std::uint64_t position_ = 0;
  std::uint64_t plain_bytes_ = 0;
  std::uint64_t blocks_ = 0;
  index_segment segment_;
  std::uint64_t segment_position_ = 0;  // of the last one written; 0: none yet
  std::uint32_t segment_bytes_ = 0;
  sha256 headers_hash_;
  bool finished_ = false;
};

}  // namespace lmzip::container
