#pragma once

#include <immintrin.h>

#include <cstdint>

#include "model/candidate_set.h"
#include "model/kernels_scalar.h"
#include "model/logistic.h"

namespace lmzip::model {

/// scalar_kernels in AVX2 instructions. Include only where the AVX2 target is switched on. `Target`
/// names the target: functions of files that are compiled for different ones must not share a name,
/// or the linker would keep only one of them for both.
template <class Target>
struct avx2_kernels_for {
  template <int Lanes>
  static void load(const candidate_line* const* lines, const std::uint16_t* checks, int count,
                   candidate_set<Lanes>& set) noexcept {
    for (int group = 0; group < Lanes; group += 8) transpose(lines, checks, count, group, set);
    const __m256i weight_of_level =
        broadcast(_mm_setr_epi8(2, 4, 6, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i zero = _mm256_setzero_si256();
    __m256i total = zero;
    for (int v = 0; v < vectors<Lanes>; ++v) {
      const __m256i entry = load_vector(set.code + v * 16);
      const __m256i code = _mm256_srli_epi16(entry, 2);
      // The upper byte of each word selects nothing (bit 7 set), so the weight fills the word.
      const __m256i level = _mm256_or_si256(_mm256_and_si256(entry, _mm256_set1_epi16(3)),
                                            _mm256_set1_epi16(static_cast<short>(0x8000)));
      __m256i weight = _mm256_shuffle_epi8(weight_of_level, level);
      if (v == 0) weight = _mm256_add_epi16(weight, first_row<Lanes>());
      weight = _mm256_andnot_si256(_mm256_cmpeq_epi16(code, zero), weight);
      store_vector(set.code + v * 16, code);
      store_vector(set.weight + v * 16, weight);
      total = _mm256_add_epi16(total, weight);
    }
    store_total(set, total);
  }

  template <int Lanes>
  static void split(const candidate_set<Lanes>& set, std::uint16_t middle, std::uint32_t* bank,
                    active_cells<Lanes>& cells, std::int32_t* inputs) noexcept {
    look_up(set, bank, cells, inputs, code_above{words(middle)});
  }

  template <int Lanes>
  static void match(const candidate_set<Lanes>& set, std::uint16_t guess, std::uint32_t* bank,
                    active_cells<Lanes>& cells, std::int32_t* inputs) noexcept {
    look_up(set, bank, cells, inputs, code_is{words(guess)});
  }

  template <int Lanes>
  static std::uint32_t best_front(const candidate_set<Lanes>& set,
                                  const std::uint32_t* bank) noexcept {
    std::uint32_t best = 0;
    const __m256i front = load_lanes<Lanes>(set.weight);
    const __m256i rest = _mm256_sub_epi16(load_lanes<Lanes>(set.total), front);
    const __m256i cell = _mm256_or_si256(_mm256_slli_epi16(quantise(rest), 4), quantise(front));
    for (int group = 0; group < Lanes; group += 8) {
      const __m256i index = lane_index(cell, group);
      const __m256i value = _mm256_i32gather_epi32(reinterpret_cast<const int*>(bank), index, 4);
      const __m256i lane =
          _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(group));
      const __m256i key = _mm256_or_si256(_mm256_slli_epi32(_mm256_srli_epi32(value, 16), 8), lane);
      __m128i m = _mm_max_epu32(_mm256_castsi256_si128(key), _mm256_extracti128_si256(key, 1));
      m = _mm_max_epu32(m, _mm_shuffle_epi32(m, 0x4e));
      m = _mm_max_epu32(m, _mm_shuffle_epi32(m, 0xb1));
      best = std::max(best, static_cast<std::uint32_t>(_mm_cvtsi128_si32(m)));
    }
    return best;
  }

  template <int Lanes>
  static void keep(candidate_set<Lanes>& set, std::uint16_t middle, bool above) noexcept {
    restrict_to(set, code_above{words(middle)}, _mm256_set1_epi32(above ? 0 : -1));
  }

  template <int Lanes>
  static void drop(candidate_set<Lanes>& set, std::uint16_t guess) noexcept {
    restrict_to(set, code_is{words(guess)}, _mm256_set1_epi32(-1));
  }

  template <int Lanes>
  static void update_cells(const active_cells<Lanes>& cells, bool bit) noexcept {
    const __m256i target =
        _mm256_set1_epi32(bit ? 65535 + (1 << (cell_rate - 1)) - 1 : 1 << (cell_rate - 1));
    for (int group = 0; group < Lanes; group += 8) {
      const __m256i value = load_vector(cells.value + group);
      const __m256i index = load_vector(cells.index + group);
      __m256i p = _mm256_srli_epi32(value, 16);
      p = _mm256_add_epi32(p, _mm256_srai_epi32(_mm256_sub_epi32(target, p), cell_rate));
      const __m256i stretched = _mm256_i32gather_epi32(detail::logistic.stretch_low_half.data(),
                                                       _mm256_srli_epi32(p, 4), 4);
      const __m256i updated = _mm256_or_si256(_mm256_slli_epi32(p, 16), stretched);
      const __m256i unknown = _mm256_cmpeq_epi32(
          _mm256_and_si256(index, _mm256_set1_epi32(cells_per_lane - 1)), _mm256_setzero_si256());
      alignas(32) std::uint32_t result[8];
      store_vector(result, _mm256_blendv_epi8(updated, value, unknown));
      for (int i = 0; i < 8; ++i) cells.bank[cells.index[group + i]] = result[i];
    }
  }

  /// Whole vectors from registers: numbers stored one by one could not be forwarded to the loads
  /// of dot().
  template <std::size_t Count>
  static void store_inputs(const std::array<std::int32_t, Count>& v,
                           std::int32_t* inputs) noexcept {
    static_assert(Count % 8 == 0);
    for (std::size_t i = 0; i < Count; i += 8)
      store_vector(inputs + i, _mm256_setr_epi32(v[i], v[i + 1], v[i + 2], v[i + 3], v[i + 4],
                                                 v[i + 5], v[i + 6], v[i + 7]));
  }

  template <int Inputs, int Sets>
  static std::int32_t dot(const std::int32_t* inputs, std::int32_t* const* weights) noexcept {
    const __m256i limit = _mm256_set1_epi32(scalar_kernels::mixer_weight_limit);
    const __m256i lower = _mm256_set1_epi32(-scalar_kernels::mixer_weight_limit);
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < Inputs; i += 8) {
      __m256i weight = load_vector(weights[0] + i);
      for (int s = 1; s < Sets; ++s) weight = _mm256_add_epi32(weight, load_vector(weights[s] + i));
      weight = _mm256_max_epi32(_mm256_min_epi32(weight, limit), lower);
      sum = _mm256_add_epi32(
          sum, _mm256_srai_epi32(_mm256_mullo_epi32(load_vector(inputs + i), weight), 8));
    }
    __m128i r = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    r = _mm_add_epi32(r, _mm_shuffle_epi32(r, 0x4e));
    r = _mm_add_epi32(r, _mm_shuffle_epi32(r, 0xb1));
    return (_mm_cvtsi128_si32(r) + 128) >> 8;
  }

  template <int Inputs, int Sets>
  static void train(const std::int32_t* inputs, std::int32_t* const* weights,
                    std::int32_t step) noexcept {
    const __m256i factor = _mm256_set1_epi32(step);
    const __m256i half = _mm256_set1_epi32(1 << 13);
    for (int i = 0; i < Inputs; i += 8) {
      const __m256i change = _mm256_srai_epi32(
          _mm256_add_epi32(_mm256_mullo_epi32(load_vector(inputs + i), factor), half), 14);
      for (int s = 0; s < Sets; ++s)
        store_vector(weights[s] + i, _mm256_add_epi32(load_vector(weights[s] + i), change));
    }
  }

 private:
  // Predicates are types, not lambdas: a lambda in a template does not get the pragma's target.
  struct code_above {
    __m256i limit;
    __m256i operator()(__m256i code) const noexcept { return _mm256_cmpgt_epi16(code, limit); }
  };
  struct code_is {
    __m256i wanted;
    __m256i operator()(__m256i code) const noexcept { return _mm256_cmpeq_epi16(code, wanted); }
  };
  static __m256i words(std::uint16_t value) noexcept {
    return _mm256_set1_epi16(static_cast<short>(value));
  }

  /// 16 words each: two rows of 8 lanes or one of 16.
  template <int Lanes>
  static constexpr int vectors = 8 * Lanes / 16;

  static __m256i load_vector(const void* at) noexcept {
    return _mm256_load_si256(static_cast<const __m256i*>(at));
  }
  static void store_vector(void* at, __m256i value) noexcept {
    _mm256_store_si256(static_cast<__m256i*>(at), value);
  }
  static __m256i broadcast(__m128i half) noexcept { return _mm256_broadcastsi128_si256(half); }

  template <int Lanes>
  static __m256i first_row() noexcept {
    const __m256i one = _mm256_set1_epi16(1);
    return Lanes == 16 ? one : _mm256_zextsi128_si256(_mm256_castsi256_si128(one));
  }

  /// One word a lane; of 8 lanes the upper half is 0.
  template <int Lanes>
  static __m256i load_lanes(const std::uint16_t* row) noexcept {
    if constexpr (Lanes == 16) return load_vector(row);
    return _mm256_zextsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(row)));
  }

  /// Sums the two rows of a vector where a vector holds two.
  template <int Lanes>
  static __m256i fold(__m256i sum) noexcept {
    if constexpr (Lanes == 16) return sum;
    return _mm256_zextsi128_si256(
        _mm_add_epi16(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1)));
  }

  template <int Lanes>
  static void store_total(candidate_set<Lanes>& set, __m256i sum) noexcept {
    const __m256i total = fold<Lanes>(sum);
    if constexpr (Lanes == 16)
      store_vector(set.total, total);
    else
      _mm_store_si128(reinterpret_cast<__m128i*>(set.total), _mm256_castsi256_si128(total));
  }

  static __m256i quantise(__m256i weight) noexcept {
    const __m256i low =
        broadcast(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 11, 12));
    const __m256i high =
        broadcast(_mm_setr_epi8(13, 14, 13, 14, 13, 14, 13, 14, 13, 14, 13, 14, 13, 14, 15, 15));
    const __m256i held = _mm256_min_epi16(weight, _mm256_set1_epi16(31));
    const __m256i select = _mm256_or_si256(_mm256_and_si256(held, _mm256_set1_epi16(15)),
                                           _mm256_set1_epi16(static_cast<short>(0x8000)));
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(low, select), _mm256_shuffle_epi8(high, select),
                              _mm256_cmpgt_epi16(held, _mm256_set1_epi16(15)));
  }

  static __m256i lane_index(__m256i cell, int group) noexcept {
    const __m128i words =
        group == 0 ? _mm256_castsi256_si128(cell) : _mm256_extracti128_si256(cell, 1);
    const __m256i first = _mm256_setr_epi32(0, 256, 512, 768, 1024, 1280, 1536, 1792);
    return _mm256_add_epi32(_mm256_add_epi32(_mm256_cvtepu16_epi32(words), first),
                            _mm256_set1_epi32(group * cells_per_lane));
  }

  template <int Lanes, class Predicate>
  static void look_up(const candidate_set<Lanes>& set, std::uint32_t* bank,
                      active_cells<Lanes>& cells, std::int32_t* inputs,
                      Predicate in_favour) noexcept {
    __m256i sum = _mm256_setzero_si256();
    for (int v = 0; v < vectors<Lanes>; ++v)
      sum = _mm256_add_epi16(sum, _mm256_and_si256(in_favour(load_vector(set.code + v * 16)),
                                                   load_vector(set.weight + v * 16)));
    const __m256i favour = fold<Lanes>(sum);
    const __m256i against = _mm256_sub_epi16(load_lanes<Lanes>(set.total), favour);
    const __m256i cell = _mm256_or_si256(_mm256_slli_epi16(quantise(against), 4), quantise(favour));
    cells.bank = bank;
    for (int group = 0; group < Lanes; group += 8) {
      const __m256i index = lane_index(cell, group);
      const __m256i value = _mm256_i32gather_epi32(reinterpret_cast<const int*>(bank), index, 4);
      store_vector(cells.index + group, index);
      store_vector(cells.value + group, value);
      store_vector(inputs + group, _mm256_srai_epi32(_mm256_slli_epi32(value, 16), 16));
    }
  }

  template <int Lanes, class Predicate>
  static void restrict_to(candidate_set<Lanes>& set, Predicate holds, __m256i invert) noexcept {
    __m256i sum = _mm256_setzero_si256();
    for (int v = 0; v < vectors<Lanes>; ++v) {
      const __m256i weight =
          _mm256_and_si256(_mm256_xor_si256(holds(load_vector(set.code + v * 16)), invert),
                           load_vector(set.weight + v * 16));
      store_vector(set.weight + v * 16, weight);
      sum = _mm256_add_epi16(sum, weight);
    }
    store_total(set, sum);
  }

  /// Turns eight lines of a check and seven entries into seven rows of eight lanes.
  template <int Lanes>
  static void transpose(const candidate_line* const* lines, const std::uint16_t* checks, int count,
                        int group, candidate_set<Lanes>& set) noexcept {
    __m128i r[8];
    for (int i = 0; i < 8; ++i) {
      const int lane = group + i;
      const bool known = lane < count && lines[lane]->check == checks[lane];
      r[i] = known ? _mm_load_si128(reinterpret_cast<const __m128i*>(lines[lane]))
                   : _mm_setzero_si128();
    }
    __m128i a[8];
    for (int i = 0; i < 4; ++i) {
      a[2 * i] = _mm_unpacklo_epi16(r[2 * i], r[2 * i + 1]);
      a[2 * i + 1] = _mm_unpackhi_epi16(r[2 * i], r[2 * i + 1]);
    }
    const __m128i b[8] = {_mm_unpacklo_epi32(a[0], a[2]), _mm_unpackhi_epi32(a[0], a[2]),
                          _mm_unpacklo_epi32(a[1], a[3]), _mm_unpackhi_epi32(a[1], a[3]),
                          _mm_unpacklo_epi32(a[4], a[6]), _mm_unpackhi_epi32(a[4], a[6]),
                          _mm_unpacklo_epi32(a[5], a[7]), _mm_unpackhi_epi32(a[5], a[7])};
    for (int entry = 1; entry <= candidate_line::size; ++entry) {
      const int t = entry / 2;
      const __m128i row =
          entry % 2 != 0 ? _mm_unpackhi_epi64(b[t], b[t + 4]) : _mm_unpacklo_epi64(b[t], b[t + 4]);
      _mm_store_si128(reinterpret_cast<__m128i*>(set.code + (entry - 1) * Lanes + group), row);
    }
    _mm_store_si128(reinterpret_cast<__m128i*>(set.code + candidate_line::size * Lanes + group),
                    _mm_setzero_si128());
  }
};

using avx2_kernels = avx2_kernels_for<struct avx2_target>;

}  // namespace lmzip::model
