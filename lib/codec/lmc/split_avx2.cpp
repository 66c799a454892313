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

// Loops run backwards, as the batches of the encoder do: the processor then sees one stream and
// fetches ahead.

struct target;

__m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
void store(void* to, __m256i value) { _mm256_storeu_si256(static_cast<__m256i*>(to), value); }

__m256i turned(__m256i words) {
  return _mm256_or_si256(_mm256_slli_epi16(words, 1), _mm256_srli_epi16(words, 15));
}

// Reads 32 numbers of two bytes, turns them, and sets their lower and upper bytes.
void load_pairs(const std::uint8_t* from, __m256i& lower, __m256i& upper) {
  const __m256i a = turned(load(from));
  const __m256i b = turned(load(from + 32));
  const __m256i low_byte = _mm256_set1_epi16(0xff);
  lower = _mm256_packus_epi16(_mm256_and_si256(a, low_byte), _mm256_and_si256(b, low_byte));
  upper = _mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8));
  lower = _mm256_permute4x64_epi64(lower, 0xd8);
  upper = _mm256_permute4x64_epi64(upper, 0xd8);
}

void split_bf16(const plane& part, const std::uint8_t* plain, std::uint8_t* symbols,
                std::uint8_t* bytes, std::uint8_t* bits, std::size_t count) noexcept {
  std::size_t i = count / 32 * 32;
  field_loops<target, std::uint16_t, 1, 1, 0>::split(part, plain + 2 * i, symbols + i, bytes + i,
                                                     bits, count - i);
  while (i > 0) {
    i -= 32;
    __m256i lower;
    __m256i upper;
    load_pairs(plain + 2 * i, lower, upper);
    store(bytes + i, lower);
    store(symbols + i, upper);
  }
}

// The lower two bits of 32 bytes as eight bytes.
__m128i gather_pairs_of_bits(__m256i values) {
  const __m256i two = _mm256_and_si256(values, _mm256_set1_epi8(3));
  const __m256i four = _mm256_maddubs_epi16(two, _mm256_set1_epi16(0x0401));
  const __m256i eight = _mm256_madd_epi16(four, _mm256_set1_epi32(0x00100001));
  const __m128i words =
      _mm_packus_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
  return _mm_packus_epi16(words, words);
}

void split_f16(const plane& part, const std::uint8_t* plain, std::uint8_t* symbols,
               std::uint8_t* bytes, std::uint8_t* bits, std::size_t count) noexcept {
  std::size_t i = count / 32 * 32;
  field_loops<target, std::uint16_t, 1, 1, 2>::split(part, plain + 2 * i, symbols + i, bytes + i,
                                                     bits + i / 4, count - i);
  while (i > 0) {
    i -= 32;
    __m256i lower;
    __m256i upper;
    load_pairs(plain + 2 * i, lower, upper);
    store(bytes + i, lower);
    store(symbols + i, _mm256_and_si256(_mm256_srli_epi16(upper, 2), _mm256_set1_epi8(63)));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(bits + i / 4), gather_pairs_of_bits(upper));
  }
}

void split_f32(const plane& part, const std::uint8_t* plain, std::uint8_t* symbols,
               std::uint8_t* bytes, std::uint8_t* bits, std::size_t count) noexcept {
  // Of each half, the lower three bytes of four numbers and then the upper one of each.
  const __m256i places = _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15,  //
                                          0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15);
  std::size_t i = count / 8 * 8;
  f32_loops<target>::split(part, plain + 4 * i, symbols + i, bytes + 3 * i, bits, count - i);
  while (i > 0) {
    i -= 8;
    const __m256i number = load(plain + 4 * i);
    const __m256i turned =
        _mm256_or_si256(_mm256_slli_epi32(number, 1), _mm256_srli_epi32(number, 31));
    const __m256i cut = _mm256_shuffle_epi8(turned, places);
    const __m128i a = _mm256_castsi256_si128(cut);
    const __m128i b = _mm256_extracti128_si256(cut, 1);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(symbols + i),
                     _mm_unpackhi_epi32(_mm_srli_si128(a, 4), _mm_srli_si128(b, 4)));
    // 12 + 12 bytes as 16 + 8.
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes + 3 * i),
                     _mm_blend_epi16(a, _mm_slli_si128(b, 12), 0xc0));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(bytes + 3 * i + 16), _mm_srli_si128(b, 4));
  }
}

}  // namespace

split_function find_split(field kind) noexcept {
  switch (kind) {
    case field::f16:
      return split_f16;
    case field::bf16:
      return split_bf16;
    case field::f32:
      return split_f32;
    case field::upper5:
      return field_loops<target, std::uint8_t, 0, 0, 3>::split;
    case field::e5m2:
    case field::e4m3:
      return field_loops<target, std::uint8_t, 1, 0, 3>::split;
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
