#pragma once

// The kernels as loops over arrays that do not overlap, which the compiler turns into vector code
// of the file that includes this.

#include "model/neural/attention_kernels_impl.h"
#include "model/neural/fixed_point.h"
#include "model/neural/function_tables.h"
#include "model/neural/kernel_arithmetic.h"
#include "model/neural/kernels.h"

namespace lmzip::model::neural {

/// `Product` has multiply(), and names the target: functions of files that are compiled for
/// different ones must not share a name.
template <class Product>
struct kernels_for : kernel_arithmetic<Product> {
  using i8 = std::int8_t;
  using i16 = std::int16_t;
  using i32 = std::int32_t;
  using u32 = std::uint32_t;
  using kernel_arithmetic<Product>::scaled;
  using kernel_arithmetic<Product>::within;

  // The root is 16 rms(reduced) rounded down, so that |reduced| <= (root + 1) sqrt(width) / 16:
  // times 2^28 / root it stays below 2^31 up to a width of 1024, times 2^27 / root up to 4096.
  static void normalise(const i32* __restrict x, int width, i8* __restrict activations) {
    alignas(64) i32 reduced[max_mlp_width];
    u32 used = 0;  // bits that some number has
    for (int i = 0; i < width; ++i) used |= static_cast<u32>(x[i] < 0 ? -x[i] : x[i]);
    // As many bits as squares leave room for: the result does not depend on the scale of x.
    const int shift = used < u32{1} << 15 ? 0 : 17 - __builtin_clz(used);
    const i32 round = (i32{1} << shift) >> 1;
    for (int i = 0; i < width; ++i) reduced[i] = (x[i] + round) >> shift;
    std::int64_t squares = 0;
    for (int i = 0; i < width; ++i) squares += std::int64_t{reduced[i]} * reduced[i];
    const u32 root =
        square_root(static_cast<std::uint64_t>(squares) * 256 / static_cast<std::uint32_t>(width));
    const int bits = width <= 1024 ? 28 : 27;
    const i32 inverse = (i32{1} << bits) / static_cast<i32>(root == 0 ? 1 : root);
    const i32 half = i32{1} << (bits - 9);
    for (int i = 0; i < width; ++i)
      activations[i] =
          static_cast<i8>(within((reduced[i] * inverse + half) >> (bits - 8), activation_bound));
  }

  static void embed(const i8* __restrict row, i32 factor, int shift, int width, i32* __restrict x) {
    const i32 half = i32{1} << (shift - 1);
    for (int i = 0; i < width; ++i) x[i] = (row[i] * factor + half) >> shift;
  }

  static void shift(const i16* __restrict a, const i16* __restrict b, const i8* __restrict now,
                    i8* __restrict before, int width, i8* __restrict mixed) {
    for (int i = 0; i < width; ++i) {
      mixed[i] = static_cast<i8>(
          within((a[i] * now[i] + b[i] * before[i] + 2048) >> 12, activation_bound));
      before[i] = now[i];
    }
  }

  static void recur(i32* __restrict sums, const scaled_matrix& in, const i32* __restrict bias,
                    int width, i32* __restrict state, i32* __restrict output) {
    const i32* const __restrict factors = in.factors.data();
    const scaling s = in.scale;
    for (int i = 0; i < 3 * width; ++i) sums[i] = scaled(sums[i], factors[i], s) + bias[i];
    const i32* const __restrict z = sums;
    const i32* const __restrict f = sums + width;
    const i32* const __restrict o = sums + 2 * width;
    constexpr i32 largest = 8182;  // of z: 7.99
    for (int i = 0; i < width; ++i) {
      const i32 forget = functions.forget[index_of(f[i])], silu = functions.silu[index_of(o[i])];
      const i32 away = within(z[i], largest) * 256 - state[i];
      const i32 next = state[i] + ((((away + 64) >> 7) * forget + 128) >> 8);
      state[i] = next;
      output[i] = (((next + 32) >> 6) * silu + 1024) >> 11;
    }
  }

  static std::size_t index_of(i32 gate) noexcept {
    constexpr i32 middle = function_tables::middle;
    return static_cast<std::size_t>(within((gate + 4) >> 3, middle - 1) + middle);
  }

  static void add(i32* __restrict x, const i32* __restrict sums, const scaled_matrix& matrix,
                  int width) {
    const i32* const __restrict factors = matrix.factors.data();
    const scaling s = matrix.scale;
    for (int i = 0; i < width; ++i) x[i] += scaled(sums[i], factors[i], s);
  }

  static void square(i32* __restrict sums, const scaled_matrix& matrix, int width) {
    const i32* const __restrict factors = matrix.factors.data();
    const scaling s = matrix.scale;
    constexpr i32 largest = 2895;  // Q8, such that the square leaves 12 bits before the point
    for (int i = 0; i < width; ++i) {
      i32 value = scaled(sums[i], factors[i], s);
      value = value < 0 ? 0 : value > largest ? largest : value;
      sums[i] = (value * value) >> 4;
    }
  }

  static void chances(const i32* __restrict sums, const i32* __restrict factors,
                      const i32* __restrict biases, scaling scale, int count,
                      i32* __restrict masses, u32* __restrict below) {
    for (int i = 0; i < count; ++i)
      masses[i] = scaled(sums[i], factors[i], scale) + (biases[i] >> (bias_bits - logit_bits));
    i32 most = masses[0];
    for (int i = 1; i < count; ++i) most = masses[i] > most ? masses[i] : most;
    for (int i = 0; i < count; ++i) {
      const i32 less = most - masses[i];
      const i32 octaves = less >> logit_bits;
      // No chance is 0.
      masses[i] =
          (functions.exp2[static_cast<std::size_t>(less & 1023)] >> (octaves > 30 ? 30 : octaves)) +
          4;
    }
    u32 sum = 0;
    for (int i = 0; i < count; ++i) {
      below[i] = sum;
      sum += static_cast<u32>(masses[i]);
    }
    below[count] = sum;
  }

  static void learn_biases(const i32* __restrict masses, u32 total, int count, int target, int rate,
                           i32* __restrict biases, i32* __restrict errors) {
    constexpr i32 bound = i32{1} << 25;
    const auto inverse = static_cast<u32>((std::uint64_t{1} << 44) / total);
    for (int i = 0; i < count; ++i)
      errors[i] = -static_cast<i32>(
          (static_cast<std::uint64_t>(static_cast<u32>(masses[i])) * inverse) >> 29);
    errors[target] += 32767;
    for (int i = 0; i < count; ++i)
      biases[i] = within(biases[i] + ((errors[i] * rate) >> 6), bound);
  }

  // In numbers of 16 bits throughout, with the multiplication that rounds: a row is within ±2^14,
  // what is added within ±2^12.
  static i32 learn_row(i16* __restrict row, const i16* __restrict inputs, int width, i16 step,
                       i8* __restrict rounded) {
    constexpr i16 bound = activation_bound << adapted_bits;
    i32 sum = 0;
    for (int i = 0; i < width; ++i) {
      const auto change = static_cast<i16>((((i32{inputs[i]} * i32{step}) >> 14) + 1) >> 1);
      auto value = static_cast<i16>(row[i] + change);
      value = value > bound ? bound : value;
      value = value < -bound ? static_cast<i16>(-bound) : value;
      row[i] = value;
      rounded[i] =
          static_cast<i8>(static_cast<i16>(value + (1 << (adapted_bits - 1))) >> adapted_bits);
      sum += rounded[i];
    }
    return sum;
  }

  using attention = attention_kernels_for<Product>;

  static constexpr kernel_table table{Product::multiply,
                                      embed,
                                      normalise,
                                      shift,
                                      recur,
                                      add,
                                      square,
                                      chances,
                                      learn_biases,
                                      learn_row,
                                      attention::narrow,
                                      attention::turn,
                                      attention::attend};
};

}  // namespace lmzip::model::neural
