#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lmzip::model {

// Levels of the n-gram file (vocab/SPEC.md): masses on a logarithmic scale.

/// 2^(-level / 4) in units of 2^-40.
constexpr std::uint64_t ngram_share(std::uint32_t level) noexcept {
  constexpr std::array<std::uint64_t, 4> quarter{65536, 55109, 46341, 38968};
  return quarter[level % 4] << 24 >> (level / 4);
}
inline constexpr std::uint32_t max_ngram_level = 159;  ///< the least share that is not 0

/// Levels of entries go in whole octaves from the row's heaviest.
inline constexpr std::uint32_t max_entry_octave = 15;

/// A row's level says which part of its mass its entries have; from small_part on it is the level
/// of that part, below that of the rest.
inline constexpr std::uint32_t small_part = 128;

}  // namespace lmzip::model
