// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include <bit>
#include <cstring>

#include "codec/ratio/element_kernels.h"
#include "core/endian.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif

#include "codec/ratio/element_kernels_impl.h"

namespace lmzip::codec::ratio::avx2 {

namespace {

/// 16 numbers: a number below 2^24 as a float has its highest bit in the exponent and the next two
/// on top of the mantissa, so that those bits are the symbol but for a constant.
__m256i symbols_of(__m256i numbers) noexcept {
  const __m256i bits = _mm256_castps_si256(_mm256_cvtepi32_ps(numbers));
  const __m256i told = _mm256_sub_epi32(_mm256_srli_epi32(bits, 21), _mm256_set1_epi32(512));
  const __m256i small = _mm256_cmpgt_epi32(_mm256_set1_epi32(4), numbers);
  const __m256i symbols = _mm256_blendv_epi8(told, numbers, small);
  // As unsigned numbers: whatever has bits above the 18 lowest ones.
  const __m256i inside = _mm256_cmpeq_epi32(_mm256_srli_epi32(numbers, 18), _mm256_setzero_si256());
  return _mm256_blendv_epi8(_mm256_set1_epi32(escaped_magnitude), symbols, inside);
}

__m256i raw_of(__m256i numbers, __m256i symbols) noexcept {
  const __m256i shift =
      _mm256_max_epi32(_mm256_sub_epi32(_mm256_srli_epi32(symbols, 2), _mm256_set1_epi32(1)),
                       _mm256_setzero_si256());
  return _mm256_andnot_si256(_mm256_sllv_epi32(_mm256_set1_epi32(-1), shift), numbers);
}

/// Raw bits of escapes are anything.
void tell_magnitudes(const std::uint32_t* numbers, std::size_t count, std::uint8_t* symbols,
                     std::uint16_t* raw) {
  for (std::size_t i = 0; i < count; i += 16) {
    const auto* const from = reinterpret_cast<const __m256i*>(numbers + i);
    const __m256i low = _mm256_loadu_si256(from), high = _mm256_loadu_si256(from + 1);
    const __m256i low_symbols = symbols_of(low), high_symbols = symbols_of(high);
    const __m256i words = _mm256_permute4x64_epi64(
        _mm256_packus_epi32(raw_of(low, low_symbols), raw_of(high, high_symbols)), 0xd8);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(raw + i), words);
    const __m256i told =
        _mm256_permute4x64_epi64(_mm256_packus_epi32(low_symbols, high_symbols), 0xd8);
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(symbols + i),
        _mm_packus_epi16(_mm256_castsi256_si128(told), _mm256_extracti128_si256(told, 1)));
  }
}

constexpr element_kernels with_vector_code() noexcept {
  element_kernels table = element_loops<struct avx2_target>::table;
  table.tell_magnitudes = tell_magnitudes;
  return table;
}

}  // namespace

constinit const element_kernels kernels = with_vector_code();

}  // namespace lmzip::codec::ratio::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
