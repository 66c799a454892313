#pragma once

#include <immintrin.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "model/row_mixture.h"

namespace lmzip::model {

/// scalar_row_kernels in AVX2 instructions. Include only where the AVX2 target is switched on.
struct avx2_row_kernels {
  template <int Rows>
  class mixture {
   public:
    static_assert(Rows >= 1 && Rows <= mixture_weights::max_rows);
    using row_set = std::array<distribution_row*, Rows>;

    mixture(const row_set& rows, mixture_weights& weights) noexcept
        : rows_(rows), weights_(&weights) {
      mixed_ = _mm256_setzero_si256();
      for (std::size_t k = 0; k < Rows; ++k) {
        const auto weight = static_cast<short>(weights.weight[k] >> 16);
        mixed_ = _mm256_add_epi16(
            mixed_, _mm256_mulhrs_epi16(chances(*rows[k]), _mm256_set1_epi16(weight)));
      }
      starts_ = _mm256_add_epi16(_mm256_mulhrs_epi16(mixed_, _mm256_set1_epi16(mixture_scale)),
                                 _mm256_mullo_epi16(numbers(), _mm256_set1_epi16(least_chance)));
      _mm256_store_si256(reinterpret_cast<__m256i*>(start_), starts_);
      start_[16] = 32768;
    }

    std::uint32_t find(std::uint32_t place) const noexcept {
      const __m256i above =
          _mm256_cmpgt_epi16(starts_, _mm256_set1_epi16(static_cast<short>(place)));
      const auto mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(above));
      return static_cast<std::uint32_t>(std::countr_zero(mask)) / 2 - 1;  // of 0: 32
    }

    std::uint32_t start(std::uint32_t symbol) const noexcept { return start_[symbol]; }
    std::uint32_t frequency(std::uint32_t symbol) const noexcept {
      return std::uint32_t{start_[symbol + 1]} - start_[symbol];
    }

    void learn(std::uint32_t symbol) noexcept {
      std::array<int, mixture_weights::max_rows> chance{};
      for (std::size_t k = 0; k < Rows; ++k) chance[k] = rows_[k]->chance(symbol) + 1;
      const __m256i c = _mm256_setr_epi32(chance[0], chance[1], chance[2], chance[3], chance[4],
                                          chance[5], chance[6], chance[7]);
      auto* const place = reinterpret_cast<__m256i*>(weights_->weight.data());
      const __m256i weight = _mm256_load_si256(place);
      const __m256i evidence = _mm256_mullo_epi32(_mm256_srli_epi32(weight, 16), c);
      const std::uint32_t sum = total(evidence);
      const unsigned shift = evidence_shift(sum);
      const auto factor = static_cast<int>(share_factor<Rows>(sum >> shift));
      const __m256i share =
          _mm256_mullo_epi32(_mm256_srl_epi32(evidence, _mm_cvtsi32_si128(static_cast<int>(shift))),
                             _mm256_set1_epi32(factor));
      const __m256i target = _mm256_add_epi32(share, floors());
      const __m256i step =
          _mm256_srai_epi32(_mm256_sub_epi32(target, weight), mixture_weights::rate);
      _mm256_store_si256(place, _mm256_add_epi32(weight, step));
    }

    void update(distribution_row& row, std::uint32_t symbol, std::uint32_t rate, std::uint16_t tag,
                bool fresh = false) const noexcept {
      const __m256i old =
          _mm256_blendv_epi8(chances(row), mixed_, _mm256_set1_epi8(fresh ? -1 : 0));
      const __m256i target = _mm256_and_si256(
          _mm256_cmpgt_epi16(numbers(), _mm256_set1_epi16(static_cast<short>(symbol))),
          _mm256_set1_epi16(distribution_row::highest));
      const __m256i step = _mm256_mulhi_epi16(_mm256_sub_epi16(target, old),
                                              _mm256_set1_epi16(static_cast<short>(rate)));
      _mm256_store_si256(
          reinterpret_cast<__m256i*>(&row),
          _mm256_insert_epi16(_mm256_add_epi16(old, step), static_cast<short>(tag), 0));
    }

   private:
    /// The row with 0, the chance of a symbol below 0, in place of its tag.
    static __m256i chances(const distribution_row& row) noexcept {
      return _mm256_insert_epi16(_mm256_load_si256(reinterpret_cast<const __m256i*>(&row)), 0, 0);
    }

    static __m256i numbers() noexcept {
      return _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }

    /// The floor of the weights that there are, 0 for the others, which so stay 0.
    static __m256i floors() noexcept {
      const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
      return _mm256_and_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(Rows), number),
                              _mm256_set1_epi32(mixture_weights::floor));
    }

    static std::uint32_t total(__m256i values) noexcept {
      __m128i sum =
          _mm_add_epi32(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
      sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
      sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
      return static_cast<std::uint32_t>(_mm_cvtsi128_si32(sum));
    }

    row_set rows_;
    mixture_weights* weights_;
    __m256i mixed_;
    __m256i starts_;
    alignas(32) std::uint16_t start_[17];
  };
};

}  // namespace lmzip::model
