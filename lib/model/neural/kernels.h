#pragma once

#include <cstdint>

#include "model/neural/packed_matrix.h"

namespace lmzip::model::neural {

/// Sequences that are computed at once; their results do not depend on each other.
inline constexpr int max_batch = 16;

/// How a transformer attends.
struct attention_shape {
  int heads;
  int channels;         ///< of a head, a multiple of channel_step
  int context;          ///< rows of a ring
  std::int32_t factor;  ///< product of query and key * factor / 2^17 = logit
};

/// Cosines and sines, Q14, of the angles that pairs of channels are turned by: [channels / 2].
struct rotation {
  const std::int16_t* cosines;
  const std::int16_t* sines;
};

/// The network's arithmetic on vectors, for one instruction set; all sets give equal numbers.
/// Formats are those of fixed_point.h; arrays do not overlap and are as long as `width` or `count`.
struct kernel_table {
  /// Products of the rows of `blocks` blocks with `batch` activations, unscaled: sums[b][row].
  void (*multiply)(packed_rows rows, int blocks, const std::int8_t* const* activations, int batch,
                   std::int32_t* const* sums);

  /// x = row * factor / 2^shift, rounded.
  void (*embed)(const std::int8_t* row, std::int32_t factor, int shift, int width, std::int32_t* x);

  /// activations = x / rms(x), of Q12 or any other format.
  void (*normalise)(const std::int32_t* x, int width, std::int8_t* activations);

  /// mixed = now * a + before * b (Q12), and before = now.
  void (*shift)(const std::int16_t* a, const std::int16_t* b, const std::int8_t* now,
                std::int8_t* before, int width, std::int8_t* mixed);

  /// The recurrence on the sums of W_in for z, f and o: state moves to z by 1 - sigmoid(f), output
  /// = state * silu(o) (Q12).
  void (*recur)(std::int32_t* sums, const scaled_matrix& in, const std::int32_t* bias, int width,
                std::int32_t* state, std::int32_t* output);

  /// x += scaled sums.
  void (*add)(std::int32_t* x, const std::int32_t* sums, const scaled_matrix& matrix, int width);

  /// sums = relu(scaled sums)^2, Q12.
  void (*square)(std::int32_t* sums, const scaled_matrix& matrix, int width);

  /// Chances of `count` rows by their logits, the scaled sums plus biases: masses, their sums up to
  /// each row, [count + 1], the first 0.
  void (*chances)(const std::int32_t* sums, const std::int32_t* factors, const std::int32_t* biases,
                  scaling scale, int count, std::int32_t* masses, std::uint32_t* below);

  /// errors = (row == target) - chance, Q15; biases move with them.
  void (*learn_biases)(const std::int32_t* masses, std::uint32_t total, int count, int target,
                       int rate, std::int32_t* biases, std::int32_t* errors);

  /// row += inputs * step / 2^15, saturating, for inputs that are 32 times activations; rounded =
  /// the weights that it stands for, of which it returns the sum.
  std::int32_t (*learn_row)(std::int16_t* row, const std::int16_t* inputs, int width,
                            std::int16_t step, std::int8_t* rounded);

  /// row = scaled sums, within ±32767.
  void (*narrow)(const std::int32_t* sums, const std::int32_t* factors, scaling scale, int width,
                 std::int16_t* row);

  /// Turns the queries or keys of all heads in place: Q10 to Q6. Channels i and i + channels / 2 of
  /// a head are a pair.
  void (*turn)(std::int16_t* row, const attention_shape& shape, const rotation& angles);

  /// mixed = the values of `tokens` tokens, 1 … context, by the shares that their keys have for a
  /// query. Keys and values are rings of `context` rows of a head, one behind the other.
  void (*attend)(const attention_shape& shape, const std::int16_t* query, const std::int16_t* keys,
                 const std::int16_t* values, int tokens, std::int32_t* mixed);
};

/// The kernels on the active instruction set (core/cpu.h).
const kernel_table& active_kernels() noexcept;

namespace scalar {
extern const kernel_table kernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const kernel_table kernels;
}
namespace avx512 {
extern const kernel_table kernels;
}
#endif

}  // namespace lmzip::model::neural
