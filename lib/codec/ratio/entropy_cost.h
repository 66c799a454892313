#pragma once

#include <cstdint>
#include <span>

namespace lmzip::codec::ratio {

/// Bits of costs are in units of 2^-16.
inline constexpr std::uint64_t one_bit = std::uint64_t{1} << 16;

/// Bits that the counted symbols take in a code made for them, by integers only: their entropy,
/// and what it is too low by since `counts` are those of a sample (G. Miller, "Note on the bias of
/// information estimates", 1955).
std::uint64_t entropy_cost(std::span<const std::uint32_t> counts) noexcept;

}  // namespace lmzip::codec::ratio
