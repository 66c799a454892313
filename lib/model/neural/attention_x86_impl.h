#pragma once

// Sums of attention for files that switch AVX2 on, and include what this needs before they do.

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace lmzip::model::neural {

/// `Target` names the target, as `Product` of kernels_impl.h does.
template <class Target>
struct attention_sums {
  using i16 = std::int16_t;
  using i32 = std::int32_t;

  static __m256i load(const i16* from) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static __m128i load_half(const i16* from) noexcept {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }

  /// Four sums that make up the product of a key and the query.
  static __m128i product(const i16* query, const i16* key, int channels) noexcept {
    __m256i sum = _mm256_setzero_si256();
    int i = 0;
    for (; i + 16 <= channels; i += 16)
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(load(query + i), load(key + i)));
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    if (i < channels)
      four = _mm_add_epi32(four, _mm_madd_epi16(load_half(query + i), load_half(key + i)));
    return four;
  }

  static void score(const i16* query, const i16* keys, int channels, int tokens, i32* sums) {
    for (int t = 0; t < tokens; t += 4) {
      __m128i four[4];
      for (int k = 0; k < 4; ++k) {
        const std::ptrdiff_t at = t + k < tokens ? t + k : tokens - 1;
        four[k] = product(query, keys + at * channels, channels);
      }
      const __m128i all =
          _mm_hadd_epi32(_mm_hadd_epi32(four[0], four[1]), _mm_hadd_epi32(four[2], four[3]));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(sums + t), all);
    }
  }

  // Numbers of two tokens side by side are multiplied with both shares at once.
  template <int Parts>
  static void mix_parts(const i16* shares, const i16* values, int channels, int tokens,
                        i32* mixed) noexcept {
    __m256i low[Parts], high[Parts];
    for (int p = 0; p < Parts; ++p) low[p] = high[p] = _mm256_setzero_si256();
    for (int t = 0; t < tokens; t += 2) {
      i32 pair;
      std::memcpy(&pair, shares + t, sizeof pair);
      const __m256i both = _mm256_set1_epi32(pair);
      const i16* const one = values + std::ptrdiff_t{t} * channels;
      const i16* const other = t + 1 < tokens ? one + channels : one;
      for (int p = 0; p < Parts; ++p) {
        const __m256i a = load(one + 16 * p), b = load(other + 16 * p);
        low[p] = _mm256_add_epi32(low[p], _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), both));
        high[p] = _mm256_add_epi32(high[p], _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), both));
      }
    }
    for (int p = 0; p < Parts; ++p, mixed += 16) {
      const __m256i first = _mm256_permute2x128_si256(low[p], high[p], 0x20);
      const __m256i second = _mm256_permute2x128_si256(low[p], high[p], 0x31);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(mixed), first);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(mixed + 8), second);
    }
  }

  static void mix_half(const i16* shares, const i16* values, int channels, int tokens,
                       i32* mixed) noexcept {
    __m256i sum = _mm256_setzero_si256();
    for (int t = 0; t < tokens; ++t, values += channels)
      sum = _mm256_add_epi32(sum, _mm256_mullo_epi32(_mm256_cvtepi16_epi32(load_half(values)),
                                                     _mm256_set1_epi32(shares[t])));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(mixed), sum);
  }

  static void mix(const i16* shares, const i16* values, int channels, int tokens, i32* mixed) {
    int i = 0;
    for (; i + 64 <= channels; i += 64)
      mix_parts<4>(shares, values + i, channels, tokens, mixed + i);
    for (; i + 16 <= channels; i += 16)
      mix_parts<1>(shares, values + i, channels, tokens, mixed + i);
    if (i < channels) mix_half(shares, values + i, channels, tokens, mixed + i);
  }
};

}  // namespace lmzip::model::neural
