// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include <array>
#include <bit>

#include "codec/lmc/plane_kernels.h"
#include "core/endian.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif

#include "codec/lmc/field_loops.h"

namespace lmzip::codec::lmc::avx2 {
namespace {

struct target;

__m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
__m128i load_half(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
void store(void* to, __m256i value) { _mm256_storeu_si256(static_cast<__m256i*>(to), value); }

__m256i turned(__m256i words) {
  return _mm256_or_si256(_mm256_srli_epi16(words, 1), _mm256_slli_epi16(words, 15));
}

// Writes 32 numbers of two bytes each, turned back.
void store_pairs(std::uint8_t* to, __m256i lower, __m256i upper) {
  lower = _mm256_permute4x64_epi64(lower, 0xd8);
  upper = _mm256_permute4x64_epi64(upper, 0xd8);
  store(to, turned(_mm256_unpacklo_epi8(lower, upper)));
  store(to + 32, turned(_mm256_unpackhi_epi8(lower, upper)));
}

void join_bf16(const plane& part, const std::uint8_t* symbols, const std::uint8_t* bytes,
               const std::uint8_t* bits, std::uint8_t* plain, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 32 <= count; i += 32) store_pairs(plain + 2 * i, load(bytes + i), load(symbols + i));
  field_loops<target, std::uint16_t, 1, 1, 0>::join(part, symbols + i, bytes + i, bits,
                                                    plain + 2 * i, count - i);
}

// The eight bytes at `from` as 32 numbers of two bits.
__m256i spread_pairs_of_bits(const std::uint8_t* from) {
  __m256i four = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  four = _mm256_or_si256(four, _mm256_slli_epi32(four, 12));
  four = _mm256_or_si256(four, _mm256_slli_epi32(four, 6));
  return _mm256_and_si256(four, _mm256_set1_epi8(3));
}

void join_f16(const plane& part, const std::uint8_t* symbols, const std::uint8_t* bytes,
              const std::uint8_t* bits, std::uint8_t* plain, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    const __m256i above = _mm256_and_si256(_mm256_slli_epi16(load(symbols + i), 2),
                                           _mm256_set1_epi8(static_cast<char>(0xfc)));
    store_pairs(plain + 2 * i, load(bytes + i),
                _mm256_or_si256(above, spread_pairs_of_bits(bits + i / 4)));
  }
  field_loops<target, std::uint16_t, 1, 1, 2>::join(part, symbols + i, bytes + i, bits + i / 4,
                                                    plain + 2 * i, count - i);
}

void join_f32(const plane& part, const std::uint8_t* symbols, const std::uint8_t* bytes,
              const std::uint8_t* bits, std::uint8_t* plain, std::size_t count) noexcept {
  // Three bytes each of numbers 0 … 3 from bytes 0 … 11, of 4 … 7 from bytes 4 … 15 of 8 … 23: no
  // more than the 24 bytes are read.
  const __m256i places = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1,  //
                                          4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1);
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    // The processor's own prefetching does not keep up with three streams.
    _mm_prefetch(reinterpret_cast<const char*>(bytes + 3 * i + 2048), _MM_HINT_T0);
    const __m256i lower = _mm256_shuffle_epi8(
        _mm256_set_m128i(load_half(bytes + 3 * i + 8), load_half(bytes + 3 * i)), places);
    const __m256i upper =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(symbols + i)));
    const __m256i number = _mm256_or_si256(lower, _mm256_slli_epi32(upper, 24));
    store(plain + 4 * i,
          _mm256_or_si256(_mm256_srli_epi32(number, 1), _mm256_slli_epi32(number, 31)));
  }
  f32_loops<target>::join(part, symbols + i, bytes + 3 * i, bits, plain + 4 * i, count - i);
}

}  // namespace

join_function find_join(field kind) noexcept {
  switch (kind) {
    case field::f16:
      return join_f16;
    case field::bf16:
      return join_bf16;
    case field::f32:
      return join_f32;
    case field::upper5:
      return field_loops<target, std::uint8_t, 0, 0, 3>::join;
    case field::e5m2:
    case field::e4m3:
      return field_loops<target, std::uint8_t, 1, 0, 3>::join;
    default:
      return nullptr;
  }
}

}  // namespace lmzip::codec::lmc::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
