#pragma once

#include "codec/delta/delta_block.h"
#include "core/cursor.h"

namespace lmzip::codec::delta {

// How segments stand in a payload: their number (u16), then for each of them a byte, of which bits
// 0 to 4 are the type of the base and the others say what follows, and the plain bytes (u32).
inline constexpr unsigned type_bits = 0x1f;
inline constexpr unsigned whole_bit = 0x20;  ///< all of the tensor: without its size and offset
inline constexpr unsigned zeros_bit = 0x40;  ///< no base: nothing follows

/// The next segment of a block of `type` of which `left` bytes are not told of yet. Throws
/// error(damaged) for what no encoder writes, and error(truncated).
segment read_segment(cursor& in, dtype type, std::uint64_t left);

}  // namespace lmzip::codec::delta
