#pragma once

#include <cstdint>

namespace lmzip::codec::ratio {

/// Models, tables and the arrays of a block.
inline constexpr std::uint64_t fixed_decoding_memory = std::uint64_t{256} << 10;

/// The same, and statistics.
inline constexpr std::uint64_t fixed_encoding_memory = std::uint64_t{1} << 20;

}  // namespace lmzip::codec::ratio
