#pragma once

#include <array>
#include <cstdint>

namespace lmzip::model {

/// The last successors of one context, 16 bytes: a check of the context's hash, then up to seven
/// candidates, the most recent first, each as code << 2 | level. A code is a leaf + 1 (0: none;
/// the last leaf of a full alphabet has no code and is never a candidate). The level counts
/// occurrences: 0 … 3 stand for about 1, 2, 3-4 and more.
struct candidate_line {
  static constexpr int size = 7;
  static constexpr std::uint16_t code_mask = (1U << 14) - 1;
  static constexpr std::uint16_t max_level = 3;

  std::uint16_t check;
  std::array<std::uint16_t, size> entry;
};
static_assert(sizeof(candidate_line) == 16);

constexpr std::uint16_t candidate_code(std::uint32_t leaf) noexcept {
  return static_cast<std::uint16_t>((leaf + 1) & candidate_line::code_mask);
}

/// The candidates of all contexts of one symbol, a lane each, that the decisions coded so far
/// leave possible. The last row exists for
/// alignment only and stays 0.
template <int Lanes>
struct alignas(64) candidate_set {
  static constexpr int rows = 8;
  std::uint16_t code[rows * Lanes];    ///< row by row
  std::uint16_t weight[rows * Lanes];  ///< 0 once ruled out
  std::uint16_t total[Lanes];          ///< sum of the weights of a lane
};

/// Weight of a candidate by its level; the most recent one weighs 1 more, so that the parity of a
/// sum tells on which side it is.
inline constexpr std::array<std::uint8_t, 4> level_weight{2, 4, 6, 10};

/// Sums of weights are quantised to 4 bits: exact up to 10, then even and odd apart.
inline constexpr std::array<std::uint8_t, 32> quantised_weight{
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 10, 11, 12, 11, 12,
    13, 14, 13, 14, 13, 14, 13, 14, 13, 14, 13, 14, 13, 14, 15, 15};

/// One context's map from (weight against, weight for), quantised, to a probability; three banks
/// of them: for the upper and lower nodes of the tree and for the guess flag. A cell holds the
/// probability in its upper half and its stretch in the lower one.
inline constexpr int cells_per_lane = 256;
inline constexpr int cell_rate = 7;

/// The cells that the last inputs came from, to be updated when the bit is known.
template <int Lanes>
struct alignas(64) active_cells {
  std::int32_t index[Lanes];
  std::uint32_t value[Lanes];
  std::uint32_t* bank;  ///< last, so that the arrays are aligned
};

}  // namespace lmzip::model
