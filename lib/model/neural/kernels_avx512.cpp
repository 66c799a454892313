// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include <cstring>

#include "model/neural/fixed_point.h"
#include "model/neural/function_tables.h"
#include "model/neural/kernels.h"

#if defined(__clang__)
#pragma clang attribute push(                                                               \
    __attribute__((target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")
#endif

#include "model/neural/attention_x86_impl.h"
#include "model/neural/kernels_impl.h"

namespace lmzip::model::neural::avx512 {
namespace {

struct product : attention_sums<struct product> {
  // The instruction multiplies bytes without a sign by such with one: 128 is added to the
  // activations, and what that makes too much was summed up beforehand.
  template <int Batch>
  static void multiply_block(packed_rows rows, const std::int8_t* const* activations,
                             std::int32_t* const* sums, int at) {
    const std::int8_t* weight = rows.weights + static_cast<std::ptrdiff_t>(at) * rows.columns;
    const __m512i start =
        _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_loadu_si512(rows.corrections + at));
    const __m512i sign = _mm512_set1_epi8(static_cast<char>(0x80));
    __m512i sum[Batch];
    for (int b = 0; b < Batch; ++b) sum[b] = start;
    for (int k = 0; k < rows.columns; k += 4, weight += 64) {
      const __m512i w = _mm512_loadu_si512(weight);
      for (int b = 0; b < Batch; ++b) {
        std::int32_t four;
        std::memcpy(&four, activations[b] + k, sizeof four);
        sum[b] = _mm512_dpbusd_epi32(sum[b], _mm512_xor_si512(_mm512_set1_epi32(four), sign), w);
      }
    }
    for (int b = 0; b < Batch; ++b) _mm512_storeu_si512(sums[b] + at, sum[b]);
  }

  static void multiply(packed_rows rows, int blocks, const std::int8_t* const* activations,
                       int batch, std::int32_t* const* sums) {
    for (int at = 0; at < blocks * packed_rows::block_rows; at += packed_rows::block_rows) {
      int b = 0;
      for (; b + 8 <= batch; b += 8) multiply_block<8>(rows, activations + b, sums + b, at);
      for (; b + 4 <= batch; b += 4) multiply_block<4>(rows, activations + b, sums + b, at);
      for (; b < batch; ++b) multiply_block<1>(rows, activations + b, sums + b, at);
    }
  }
};

}  // namespace

constinit const kernel_table kernels = kernels_for<product>::table;

}  // namespace lmzip::model::neural::avx512

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
