#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lmzip::archive {

/// Sizes of chunks in bytes. They are part of an archive's settings: chunks cut with other sizes
/// are not found again.
///
/// The default is measured (tests/bench/chunks.sh). Coded bytes and tables of chunks of three
/// snapshots of a tree, against 16 KiB: 4 KiB -2 %, 8 KiB -1.4 %, 64 KiB +4 %; where changed files
/// are told by copies (copies.h), all sizes are within 1 %, and what matters is that an index takes
/// 64 bytes of memory a chunk.
struct chunk_sizes {
  std::uint32_t min = 4096;
  std::uint32_t average = 16384;  ///< about the mean where content is random; a power of two
  std::uint32_t max = 131072;
};

/// The usual bounds around an average: a quarter of it and eight times it.
constexpr chunk_sizes sizes_around(std::uint32_t average) noexcept {
  return {average / 4, average, average * 8};
}

inline constexpr std::uint32_t min_average_chunk = 256;
inline constexpr std::uint32_t max_average_chunk = std::uint32_t{1} << 24;

/// Finds where chunks end by their content: FastCDC (Xia et al., USENIX ATC 2016, and IEEE TPDS
/// 2020). A chunk ends where the rolling hash of the last 64 bytes has zeros in certain places: in
/// more of them before the average size than after it (normalised chunking, level 2), so that sizes
/// stay close to the average. Nothing ends before the minimum. Equal bytes have equal borders,
/// whatever the pieces in which they come; after a change borders soon are the same again.
///
/// Needs no memory besides itself: bytes are looked at, not kept.
class chunker {
 public:
  /// Throws error(usage) unless 64 <= min <= average <= max <= 2^28 and `average` is a power of two
  /// between the bounds above.
  explicit chunker(const chunk_sizes& sizes = {});

  /// The next bytes of the stream, as far as they belong to the current chunk.
  struct piece {
    std::size_t bytes = 0;
    bool ends = false;  ///< the chunk ends after them
  };

  /// Looks for the end of the current chunk in `bytes`, which follow those of the calls before. At
  /// the end of `bytes` without an end of the chunk all of them belong to it.
  piece next(std::span<const std::byte> bytes) noexcept;

  /// Ends the current chunk where the stream is now: at the end of a file.
  void restart() noexcept;

  /// Bytes of the current chunk so far.
  std::uint32_t position() const noexcept { return position_; }

  const chunk_sizes& sizes() const noexcept { return sizes_; }

 private:
  std::size_t skip(std::span<const std::byte> bytes) noexcept;
  bool search(std::span<const std::byte> bytes, std::uint32_t until, std::uint64_t mask,
              std::size_t& used) noexcept;

  chunk_sizes sizes_;
  std::uint64_t strict_mask_;
  std::uint64_t loose_mask_;
  std::uint64_t hash_ = 0;
  std::uint32_t position_ = 0;
};

}  // namespace lmzip::archive
