#pragma once

#include <cstdint>

#include "model/neural/packed_matrix.h"

namespace lmzip::model::neural {

/// Sequences that are computed at once; their results do not depend on each other.
inline constexpr int max_batch = 16;

/// The network's arithmetic on vectors, for one instruction set; all sets give equal numbers.
/// Formats are those of fixed_point.h; arrays do not overlap and are as long as `width` or `count`.
struct kernel_table {
  /// Products of the rows of `blocks` blocks from `first` on with `batch` activations, unscaled:
  /// sums[b][16 * block + row].
  void (*multiply)(const packed_matrix& rows, int first, int blocks,
                   const std::int8_t* const* activations, int batch, std::int32_t* const* sums);

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

  /// The products of `count` rows of 256 times their weights, divided by 256.
  void (*adapted_sums)(const std::int16_t* rows, int count, const std::int16_t* activations,
                       int width, std::int32_t* sums);

  /// errors = (row == target) - chance, Q15; biases move with them.
  void (*learn_biases)(const std::int32_t* masses, std::uint32_t total, int count, int target,
                       int rate, std::int32_t* biases, std::int32_t* errors);

  /// row += activations * step / 2^12, saturating.
  void (*learn_row)(std::int16_t* row, const std::int16_t* activations, int width,
                    std::int32_t step);
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
