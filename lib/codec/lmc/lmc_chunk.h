#pragma once

#include <cstddef>
#include <cstdint>

namespace lmzip::codec::lmc {

/// How a plane of a chunk is coded: the lower bits of its first byte.
enum class plane_mode : std::uint8_t {
  plain = 0,     ///< first plane only: the plain bytes of the chunk follow, and no other plane
  symbols = 1,   ///< symbols as they are, a byte each
  constant = 2,  ///< one symbol, that of all numbers
  few = 3,       ///< coded in few lanes
  many = 4,      ///< coded in many lanes
};
inline constexpr std::uint8_t plane_mode_mask = 7;

/// Set where codes have up to 8 bits; otherwise up to 7.
inline constexpr std::uint8_t long_codes = 8;

/// A lane as it starts: the bits that it holds and, above them, a 1.
inline constexpr std::size_t lane_state_bytes = 4;

}  // namespace lmzip::codec::lmc
