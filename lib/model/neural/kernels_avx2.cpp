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

#include "model/neural/kernels_impl.h"

namespace lmzip::model::neural::avx2 {
namespace {

struct product {
  // |w| and |a| are at most 127, so that a sum of two products fits in 16 bits.
  template <int Batch>
  static void multiply_block(const std::int8_t* weight, int columns,
                             const std::int8_t* const* activations, std::int32_t* const* sums,
                             int at) {
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i low[Batch], high[Batch];
    for (int b = 0; b < Batch; ++b) low[b] = high[b] = _mm256_setzero_si256();
    for (int k = 0; k < columns; k += 4, weight += 64) {
      const __m256i w0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weight));
      const __m256i w1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weight + 32));
      for (int b = 0; b < Batch; ++b) {
        std::int32_t four;
        std::memcpy(&four, activations[b] + k, sizeof four);
        const __m256i a = _mm256_set1_epi32(four), size = _mm256_abs_epi8(a);
        const auto products = [&](__m256i w) {
          return _mm256_madd_epi16(_mm256_maddubs_epi16(size, _mm256_sign_epi8(w, a)), ones);
        };
        low[b] = _mm256_add_epi32(low[b], products(w0));
        high[b] = _mm256_add_epi32(high[b], products(w1));
      }
    }
    for (int b = 0; b < Batch; ++b) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums[b] + at), low[b]);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums[b] + at + 8), high[b]);
    }
  }

  static void multiply(const packed_matrix& rows, int first, int blocks,
                       const std::int8_t* const* activations, int batch,
                       std::int32_t* const* sums) {
    for (int block = 0; block < blocks; ++block) {
      const std::int8_t* const weight = rows.block(first + block);
      const int at = block * packed_matrix::block_rows;
      int b = 0;
      for (; b + 4 <= batch; b += 4)
        multiply_block<4>(weight, rows.columns(), activations + b, sums + b, at);
      for (; b < batch; ++b)
        multiply_block<1>(weight, rows.columns(), activations + b, sums + b, at);
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
