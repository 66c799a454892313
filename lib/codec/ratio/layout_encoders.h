#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/ratio/ratio_layout.h"

namespace lmzip::codec::ratio {

// What encode() of ratio_codec.h is made of. Each gives nothing where the payload would not be
// shorter than `plain`, which holds at least one element.

std::optional<std::vector<std::byte>> encode_levels(layout which, std::uint32_t columns,
                                                    std::span<const std::byte> plain);
std::optional<std::vector<std::byte>> encode_bytes(layout which, std::span<const std::byte> plain);
std::optional<std::vector<std::byte>> encode_integers(layout which, bool with_sign,
                                                      std::span<const std::byte> plain);

/// Bits (2^-16) of a sample of at least one element.
std::uint64_t estimate_levels(layout which, std::span<const std::byte> sample) noexcept;
std::uint64_t estimate_bytes(layout which, std::span<const std::byte> sample) noexcept;
std::uint64_t estimate_integers(layout which, bool with_sign, std::span<const std::byte> sample);

}  // namespace lmzip::codec::ratio
