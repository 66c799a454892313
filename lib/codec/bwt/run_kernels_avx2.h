#pragma once

#include <immintrin.h>

#include "codec/bwt/run_kernels_scalar.h"
#include "model/kernels_avx2.h"

namespace lmzip::codec::bwt {

/// scalar_run_kernels in AVX2 instructions. Include only where the AVX2 target is switched on.
struct avx2_run_kernels : model::avx2_kernels {
  /// In one store, so that the mixer's load can be forwarded from it.
  template <std::size_t Count>
  static void store_stretches(const std::array<std::uint16_t, Count>& chances,
                              std::int32_t* inputs) noexcept {
    const auto stretch = [&chances](std::size_t i) {
      return model::detail::logistic.stretch[chances[i] >> 4];
    };
    __m128i words = _mm_cvtsi32_si128(static_cast<std::uint16_t>(stretch(0)));
    words = _mm_insert_epi16(words, stretch(1), 1);
    words = _mm_insert_epi16(words, stretch(2), 2);
    words = _mm_insert_epi16(words, stretch(3), 3);
    if constexpr (Count == contexts) {
      words = _mm_insert_epi16(words, stretch(4), 4);
      words = _mm_insert_epi16(words, stretch(5), 5);
    } else {
      static_assert(Count == later_contexts);
    }
    words = _mm_insert_epi16(words, bias_input, mixer_inputs - 1);
    _mm256_store_si256(reinterpret_cast<__m256i*>(inputs), _mm256_cvtepi16_epi32(words));
  }
};

}  // namespace lmzip::codec::bwt
