#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace lmzip::model::neural {

// The network computes in integers of these formats; Qn has n fractional bits. Every sum and
// product below stays within its type for any input, by the bounds that language_model checks.
//
//   activations   int8   Q4    inputs of matrices; within ±127
//   weights       int8         of a row that has a factor
//                 int16  Q7    of a row that adapts
//   residual      int32  Q12
//   gates         int32  Q10
//   state         int32  Q18   within ±8
//   queries, keys int16  Q10   before they are turned to their position
//                 int16  Q6    turned; within ±2047
//   values        int16  Q10   of attention
//   shares        int16  Q15   of a token in what attention mixes
//   logits        int32  Q10   base 2
//   masses        int32  Q20   chances before division by their sum

inline constexpr std::int32_t activation_bound = 127;
inline constexpr int activation_bits = 4;
inline constexpr int adapted_bits = 7;
inline constexpr int residual_bits = 12;
inline constexpr int gate_bits = 10;
inline constexpr int shift_bits = 12;  ///< of the weights of the token shift
inline constexpr int mlp_bits = 8;     ///< of the inner row of an MLP, before it is squared
inline constexpr int state_bits = 18;
inline constexpr int logit_bits = 10;
inline constexpr int bias_bits = 16;  ///< of the logits
inline constexpr int mass_bits = 20;

inline constexpr int attention_bits = 10;  ///< of queries, keys and values
inline constexpr int turned_bits = 6;      ///< of queries and keys once they are turned
inline constexpr std::int32_t turned_bound = 2047;
inline constexpr int sine_bits = 14;

/// Of the tokens that attention reaches, and what the channels of a head are a multiple of.
inline constexpr int max_context = 1024;
inline constexpr int channel_step = 8;

/// Of layer widths: so that sums of squares and products of 16-bit rows fit.
inline constexpr int max_width = 512;
inline constexpr int max_mlp_width = 2048;

/// Values that the sums of a residual stay within.
inline constexpr std::int32_t residual_bound = std::int32_t{1} << 29;

/// What turns the sum of a matrix row into the format wanted: sum * factor / 2^(low_bits + shift),
/// in products of 32 bits: |sum| < 2^(15 + low_bits), 0 <= factor < 2^15, 1 <= shift <= 24.
struct scaling {
  int low_bits = 0;
  int shift = 1;
};

/// Such that any sum of `columns` products of activations and weights is below 2^(15 + low_bits).
constexpr int low_bits_for(int columns) noexcept {
  const auto largest = static_cast<std::uint64_t>(columns) * activation_bound * activation_bound;
  return std::max(0, static_cast<int>(std::bit_width(largest)) - 15);
}

constexpr std::int32_t scale(std::int32_t sum, std::int32_t factor, scaling s) noexcept {
  const std::int32_t high = sum >> s.low_bits;
  const std::int32_t low = sum & ((std::int32_t{1} << s.low_bits) - 1);
  const std::int32_t product = high * factor + ((low * factor) >> s.low_bits);
  return (product + (std::int32_t{1} << (s.shift - 1))) >> s.shift;
}

/// The largest integer whose square is at most `value`.
constexpr std::uint32_t square_root(std::uint64_t value) noexcept {
  std::uint64_t root = 0, bit = std::uint64_t{1} << 62;
  while (bit > value) bit >>= 2;
  for (; bit != 0; bit >>= 2) {
    const bool fits = value >= root + bit;
    value -= fits ? root + bit : 0;
    root = (root >> 1) + (fits ? bit : 0);
  }
  return static_cast<std::uint32_t>(root);
}

}  // namespace lmzip::model::neural
