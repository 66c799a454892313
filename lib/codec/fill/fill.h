#pragma once

#include <optional>

#include "codec/codec.h"

namespace lmzip::codec {

// Codec 1, version 0: one period of a block that repeats 1 … max_fill_period bytes over and over;
// the last repetition may be cut short. Parameters are 0.

inline constexpr std::size_t max_fill_period = 64;

extern const decoder fill_decoder_v0;

/// The smallest period of `plain` up to max_fill_period, or 0 if there is none. Blocks shorter
/// than two periods do not count as periodic unless all their bytes are equal. Costs one pass over
/// the block at the most, and next to nothing where the first bytes do not repeat.
std::size_t find_period(std::span<const std::byte> plain) noexcept;

/// The block as a fill, or nothing where it is not periodic.
std::optional<encoded> fill_block(std::span<const std::byte> plain);

}  // namespace lmzip::codec
