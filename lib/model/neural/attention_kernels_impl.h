#pragma once

// The kernels of attention, as those of kernels_impl.h. `Product` has
//   score(): products of a query with the keys of `tokens` tokens, written up to the next whole
//   four of them;
//   mix(): sums of values times shares, where a share of 0 follows the last;
// for rows of `channels` numbers one behind the other.

#include <cstddef>

#include "model/neural/fixed_point.h"
#include "model/neural/function_tables.h"
#include "model/neural/kernel_arithmetic.h"
#include "model/neural/kernels.h"

namespace lmzip::model::neural {

template <class Product>
struct attention_kernels_for : kernel_arithmetic<Product> {
  using i16 = std::int16_t;
  using i32 = std::int32_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  using kernel_arithmetic<Product>::scaled;
  using kernel_arithmetic<Product>::within;

  static void narrow(const i32* __restrict sums, const i32* __restrict factors, scaling scale,
                     int width, i16* __restrict values) {
    for (int i = 0; i < width; ++i)
      values[i] = static_cast<i16>(within(scaled(sums[i], factors[i], scale), INT16_MAX));
  }

  // Two products below 2^15 * 2^14 each.
  static void turn(i16* __restrict row, const attention_shape& shape, const rotation& angles) {
    constexpr int bits = attention_bits + sine_bits - turned_bits;
    constexpr i32 round = i32{1} << (bits - 1);
    const i16* const __restrict cosines = angles.cosines;
    const i16* const __restrict sines = angles.sines;
    const int half = shape.channels / 2;
    for (int h = 0; h < shape.heads; ++h, row += shape.channels) {
      i16* const __restrict other = row + half;
      for (int i = 0; i < half; ++i) {
        const i32 a = row[i], b = other[i];
        row[i] = turned((a * cosines[i] - b * sines[i] + round) >> bits);
        other[i] = turned((b * cosines[i] + a * sines[i] + round) >> bits);
      }
    }
  }

  static i16 turned(i32 value) noexcept { return static_cast<i16>(within(value, turned_bound)); }

  // 512 channels * 2047^2 < 2^31.
  static_assert(std::int64_t{max_width} * turned_bound * turned_bound < std::int64_t{1} << 31);

  static void attend(const attention_shape& shape, const i16* query, const i16* keys,
                     const i16* values, int tokens, i32* mixed) {
    alignas(64) i32 logits[max_context];
    alignas(64) i16 shares[max_context + 2];
    const int channels = shape.channels;
    const std::ptrdiff_t ring = std::ptrdiff_t{shape.context} * channels;
    for (int h = 0; h < shape.heads; ++h) {
      Product::score(query, keys, channels, tokens, logits);
      constexpr scaling to_logits{16, 1};
      for (int t = 0; t < tokens; ++t) logits[t] = scaled(logits[t], shape.factor, to_logits);
      share(logits, tokens, shares);
      shares[tokens] = 0;
      Product::mix(shares, values, channels, tokens, mixed);
      query += channels;
      keys += ring;
      values += ring;
      mixed += channels;
    }
  }

  // The largest mass is 2^20, so that their sum is at least that and at most 2^30. Shares are
  // rounded, so that their sum is at most 2^15 + 512, and what they mix below 2^30 + 2^24.
  static void share(i32* __restrict logits, int tokens, i16* __restrict shares) {
    i32 most = logits[0];
    for (int t = 1; t < tokens; ++t) most = logits[t] > most ? logits[t] : most;
    u32 sum = 0;
    for (int t = 0; t < tokens; ++t) {
      const i32 less = most - logits[t], octaves = less >> logit_bits;
      logits[t] =
          functions.exp2[static_cast<std::size_t>(less & 1023)] >> (octaves > 30 ? 30 : octaves);
      sum += static_cast<u32>(logits[t]);
    }
    const auto inverse = static_cast<u32>((u64{1} << 45) / sum);
    for (int t = 0; t < tokens; ++t) {
      const auto part =
          static_cast<i32>((u64{static_cast<u32>(logits[t])} * inverse + (1 << 29)) >> 30);
      shares[t] = static_cast<i16>(part > INT16_MAX ? INT16_MAX : part);
    }
  }
};

}  // namespace lmzip::model::neural
