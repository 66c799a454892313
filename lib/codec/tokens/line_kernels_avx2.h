#pragma once

#include <immintrin.h>

#include <array>
#include <bit>
#include <cstdint>

#include "codec/tokens/line_kernels_scalar.h"

namespace lmzip::codec::tokens {

/// scalar_line_kernels in AVX2 instructions. Include only where the AVX2 target is switched on.
struct avx2_line_kernels {
  class candidates {
   public:
    void load(int lane, const model::candidate_line& line, bool known) noexcept {
      const __m128i zero = _mm_setzero_si128();
      __m128i entries = read(line);
      if (!known) entries = zero;
      const __m128i code = _mm_srli_epi16(_mm_insert_epi16(entries, 0, 0), 2);
      // The upper byte of each word selects nothing (bit 7 set), so the weight fills the word.
      const __m128i level = _mm_or_si128(_mm_and_si128(entries, _mm_set1_epi16(3)),
                                         _mm_set1_epi16(static_cast<short>(0x8000)));
      const __m128i weights = _mm_setr_epi8(line_weight[0], line_weight[1], line_weight[2],
                                            line_weight[3], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
      code_[lane] = code;
      weight_[lane] =
          _mm_andnot_si128(_mm_cmpeq_epi16(code, zero), _mm_shuffle_epi8(weights, level));
      total_[lane] = sum(weight_[lane]);
      left_[lane] = mask(weight_[lane]);
    }

    front_candidate front(int lane, const model::candidate_line& line) const noexcept {
      // Words of the line: the check, then the entries; without any left the check counts, whose
      // cell is not looked at.
      const std::uint32_t left = left_[lane];
      const std::uint32_t word = static_cast<std::uint32_t>(std::countr_zero(left | 0x10000)) / 2;
      const std::uint32_t entry = line.entry[word == 8 ? 0 : word - 1];
      const int weight = line_weight[entry & 3];
      const int against = total_[lane] - weight;
      const std::uint32_t cell = line_cell(against < 0 ? 0 : against, weight + 1);
      return {left != 0 ? cell : 0, entry >> 2};
    }

    std::uint32_t take(int lane, std::uint32_t code) noexcept {
      const __m128i same = _mm_cmpeq_epi16(code_[lane], _mm_set1_epi16(static_cast<short>(code)));
      const int in_favour = sum(_mm_and_si128(weight_[lane], same));
      weight_[lane] = _mm_andnot_si128(same, weight_[lane]);
      total_[lane] -= in_favour;
      const std::uint32_t left = left_[lane];
      const std::uint32_t first = left & (0U - left);
      left_[lane] = mask(weight_[lane]);
      const int is_front = (first & ~left_[lane]) != 0 ? 1 : 0;
      return line_cell(total_[lane], in_favour + is_front);
    }

   private:
    static int sum(__m128i weights) noexcept {
      const __m128i s = _mm_sad_epu8(weights, _mm_setzero_si128());
      return _mm_extract_epi16(s, 0) + _mm_extract_epi16(s, 4);
    }
    /// Two bits a word that is not 0.
    static std::uint32_t mask(__m128i weights) noexcept {
      return static_cast<std::uint32_t>(
          _mm_movemask_epi8(_mm_cmpgt_epi16(weights, _mm_setzero_si128())));
    }

    __m128i code_[lines];
    __m128i weight_[lines];
    int total_[lines];
    std::uint32_t left_[lines];
  };

  static void promote(model::candidate_line& line, std::uint16_t check, std::uint32_t code,
                      std::uint32_t chance) noexcept {
    const auto fresh = static_cast<short>(code << 2);
    if (line.check != check) {
      const __m128i first = _mm_cvtsi32_si128(static_cast<int>(code << 18 | check));
      write(line, first);
      return;
    }
    __m128i entries = read(line);
    const __m128i same = _mm_cmpeq_epi16(_mm_srli_epi16(_mm_insert_epi16(entries, 0, 0), 2),
                                         _mm_set1_epi16(static_cast<short>(code)));
    const auto found = static_cast<std::uint32_t>(_mm_movemask_epi8(same)) & 0xfffc;
    const std::uint32_t word = static_cast<std::uint32_t>(std::countr_zero(found | 0x4000)) / 2;
    const std::uint32_t level = line.entry[word - 1] & 3U;
    const std::uint32_t risen =
        level + (chance < scalar_line_kernels::rise_chance[level] ? 1U : 0U);
    const std::uint32_t front = line.entry[0];
    const std::uint32_t lowered = word > 1 && (front & 3) > 1 ? front - 1 : front;
    entries = _mm_insert_epi16(entries, static_cast<short>(lowered), 1);
    entries = _mm_shuffle_epi8(
        entries, _mm_load_si128(reinterpret_cast<const __m128i*>(to_front[word].data())));
    entries = _mm_insert_epi16(
        entries, static_cast<short>(fresh | (found != 0 ? static_cast<short>(risen) : 0)), 1);
    write(line, entries);
  }

 private:
  static __m128i read(const model::candidate_line& line) noexcept {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(&line));
  }
  static void write(model::candidate_line& line, __m128i value) noexcept {
    _mm_store_si128(reinterpret_cast<__m128i*>(&line), value);
  }

  /// Shuffles that move word w of a line to place 1 and those between up by one.
  struct alignas(16) shuffle : std::array<std::uint8_t, 16> {};
  static constexpr std::array<shuffle, 8> to_front = [] {
    std::array<shuffle, 8> all{};
    for (std::size_t word = 0; word < 8; ++word)
      for (std::size_t i = 0; i < 8; ++i) {
        const std::size_t from = i == 0 || i > word ? i : i == 1 ? word : i - 1;
        all[word][2 * i] = static_cast<std::uint8_t>(2 * from);
        all[word][2 * i + 1] = static_cast<std::uint8_t>(2 * from + 1);
      }
    return all;
  }();
};

}  // namespace lmzip::codec::tokens
