#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"

namespace lmzip::codec::brevis {

// Numbers of the real types (type_rules.h) as binary64 and back, equal on all processors. Arrays of
// bytes are little-endian.

/// Numbers that loops below work on at a time.
inline constexpr std::size_t number_block = 512;

/// `count` numbers as binary64: exact, but integers of 64 bits rounded (to even). Numbers that are
/// none become the quiet one without sign.
void load_reals(dtype type, const std::byte* from, std::size_t count, double* to) noexcept;

/// The nearest numbers of the type, of two the one whose last bit is 0. What is too large becomes
/// infinite, in types without infinity no number, in integers the largest or smallest; no number
/// becomes the quiet one without sign, in integers 0.
void store_reals(dtype type, const double* from, std::size_t count, std::byte* to) noexcept;

/// Integers as 64 bits, signed ones extended; back by their lower bits.
void load_integers(dtype type, const std::byte* from, std::size_t count,
                   std::uint64_t* to) noexcept;
void store_integers(dtype type, const std::uint64_t* from, std::size_t count,
                    std::byte* to) noexcept;

/// The nearest binary32, as binary64.
double rounded_to_single(double value) noexcept;

}  // namespace lmzip::codec::brevis
