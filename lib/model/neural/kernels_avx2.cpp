// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include <cstring>

#include "model/neural/fixed_point.h"
#include "model/neural/function_tables.h"
#include "model/neural/kernels.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif

#include "model/neural/attention_x86_impl.h"
#include "model/neural/kernels_impl.h"

namespace lmzip::model::neural::avx2 {
namespace {

struct product : attention_sums<struct product> {
  // |w| and |a| are at most 127, so that a sum of two products fits in 16 bits.
  static __m256i products(__m256i w, __m256i a, __m256i size) {
    return _mm256_madd_epi16(_mm256_maddubs_epi16(size, _mm256_sign_epi8(w, a)),
                             _mm256_set1_epi16(1));
  }

  /// The rows of `Blocks` blocks from row `at` on.
  template <int Blocks, int Batch>
  static void multiply_blocks(packed_rows rows, const std::int8_t* const* activations,
                              std::int32_t* const* sums, int at) {
    const std::ptrdiff_t block_bytes = std::ptrdiff_t{packed_rows::block_rows} * rows.columns;
    const std::int8_t* weight = rows.weights + static_cast<std::ptrdiff_t>(at) * rows.columns;
    __m256i sum[Batch][2 * Blocks];
    for (auto& of_one : sum)
      for (__m256i& s : of_one) s = _mm256_setzero_si256();
    for (int k = 0; k < rows.columns; k += 4, weight += 64) {
      __m256i w[2 * Blocks];
      for (int i = 0; i < 2 * Blocks; ++i)
        w[i] = _mm256_loadu_si256(
            reinterpret_cast<const __m256i*>(weight + i / 2 * block_bytes + i % 2 * 32));
      for (int b = 0; b < Batch; ++b) {
        std::int32_t four;
        std::memcpy(&four, activations[b] + k, sizeof four);
        const __m256i a = _mm256_set1_epi32(four), size = _mm256_abs_epi8(a);
        for (int i = 0; i < 2 * Blocks; ++i)
          sum[b][i] = _mm256_add_epi32(sum[b][i], products(w[i], a, size));
      }
    }
    for (int b = 0; b < Batch; ++b)
      for (int i = 0; i < 2 * Blocks; ++i)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums[b] + at + 8 * i), sum[b][i]);
  }

  static void multiply(packed_rows rows, int blocks, const std::int8_t* const* activations,
                       int batch, std::int32_t* const* sums) {
    constexpr int height = packed_rows::block_rows;
    const int end = blocks * height;
    int b = 0;
    for (; b + 4 <= batch; b += 4)
      for (int at = 0; at < end; at += height)
        multiply_blocks<1, 4>(rows, activations + b, sums + b, at);
    for (; b < batch; ++b) {
      int at = 0;
      for (; at + 2 * height <= end; at += 2 * height)
        multiply_blocks<2, 1>(rows, activations + b, sums + b, at);
      if (at < end) multiply_blocks<1, 1>(rows, activations + b, sums + b, at);
    }
  }
};

}  // namespace

constinit const kernel_table kernels = kernels_for<product>::table;

}  // namespace lmzip::model::neural::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
