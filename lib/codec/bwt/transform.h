#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/io/zeroed_memory.h"

namespace lmzip::codec::bwt {

// The transform of M. Burrows and D. J. Wheeler ("A block-sorting lossless data compression
// algorithm", SRC Research Report 124, 1994), with the end of the block sorting before every byte.
// The suffixes of a block that are not empty have places 0, 1, … in sorted order. The last column
// holds the byte before each suffix: first that of the empty suffix, the block's last byte, then
// those by place, the whole block left out, which has none.
//
// Going back from a suffix to the one that starts a byte earlier is a load that depends on the one
// before it, from anywhere in memory. Hence large blocks are cut into segments that are followed at
// once, and the places where they end are stored.

inline constexpr std::size_t max_block_bytes = std::size_t{1} << 24;  ///< places have 24 bits
inline constexpr std::size_t max_segments = 8;

/// How a block is cut: every segment but the last has `bytes` bytes, the last at least as many.
struct segmentation {
  std::size_t count;
  std::size_t bytes;  ///< a multiple of unit, if there are several

  static constexpr std::size_t unit = 1024;
  static segmentation of(std::size_t block_bytes) noexcept;
};

/// What inverting needs besides the last column.
struct entry_places {
  std::uint32_t whole = 0;                              ///< place of the whole block
  std::array<std::uint32_t, max_segments - 1> after{};  ///< [s]: of what follows segment s
};

/// Writes the last column of `block` (1 … max_block_bytes bytes) to `last`, which is as long.
/// `work` has a number a byte. Throws error(internal) if the suffixes cannot be sorted.
entry_places forward_transform(std::span<const std::uint8_t> block, std::span<std::int32_t> work,
                               std::span<std::uint8_t> last);

/// The other way, in place: turns the last column (1 … max_block_bytes bytes) into the block. Any
/// input is safe if the places are below its size. `links` has a zero a byte.
void inverse_transform(const entry_places& places, std::span<std::uint32_t> links,
                       std::span<std::uint8_t> bytes) noexcept;

}  // namespace lmzip::codec::bwt
