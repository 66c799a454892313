// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include <array>

#include "entropy/lane_rans_kernels.h"

namespace lmzip::lane_rans::avx2 {
namespace {

using byte_shuffles = std::array<std::array<std::uint8_t, 16>, 256>;

/// By the mask of the lanes that take a word: spreads the first words over those lanes, the others
/// become 0.
alignas(64) constexpr byte_shuffles spread = [] {
  byte_shuffles all{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned word = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      const bool takes = (mask >> lane & 1) != 0;
      all[mask][2 * lane] = static_cast<std::uint8_t>(takes ? 2 * word : 0x80);
      all[mask][2 * lane + 1] = static_cast<std::uint8_t>(takes ? 2 * word + 1 : 0x80);
      word += takes;
    }
  }
  return all;
}();

/// By the mask of the lanes that give a word: moves their words to the end, in order.
alignas(64) constexpr byte_shuffles gather_words = [] {
  byte_shuffles all{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned word = 8;
    for (unsigned lane = 8; lane-- > 0;) {
      if ((mask >> lane & 1) == 0) continue;
      --word;
      all[mask][2 * word] = static_cast<std::uint8_t>(2 * lane);
      all[mask][2 * word + 1] = static_cast<std::uint8_t>(2 * lane + 1);
    }
  }
  return all;
}();

}  // namespace
}  // namespace lmzip::lane_rans::avx2

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif

namespace lmzip::lane_rans::avx2 {
namespace {

template <class T>
__m128i load_half(const T* from) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

__m256i load_states(const std::uint32_t* from) noexcept {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
}

void store_states(std::uint32_t* to, __m256i states) noexcept {
  _mm256_store_si256(reinterpret_cast<__m256i*>(to), states);
}

unsigned mask_of(__m256i lanes) noexcept {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes)));
}

__m256i low_bits(__m256i values, __m256i counts) noexcept {
  return _mm256_andnot_si256(_mm256_sllv_epi32(_mm256_set1_epi32(-1), counts), values);
}

__m128i look_up_four(const int* entries, __m128i slots) noexcept {
  const auto a = static_cast<std::uint64_t>(_mm_cvtsi128_si64(slots));
  const auto b = static_cast<std::uint64_t>(_mm_extract_epi64(slots, 1));
  __m128i found = _mm_cvtsi32_si128(entries[static_cast<std::uint32_t>(a)]);
  found = _mm_insert_epi32(found, entries[a >> 32], 1);
  found = _mm_insert_epi32(found, entries[static_cast<std::uint32_t>(b)], 2);
  return _mm_insert_epi32(found, entries[b >> 32], 3);
}

/// Loads entries one by one, which is faster than a gather instruction on Zen 3 (by a fifth) and on
/// processors whose microcode mends gathers.
__m256i look_up_eight(const int* entries, __m256i slots) noexcept {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(look_up_four(entries, _mm256_castsi256_si128(slots))),
      look_up_four(entries, _mm256_extracti128_si256(slots, 1)), 1);
}

template <bool Contexts, bool Raw>
class unit_decoder {
  using part = decode_entry<Raw>;

 public:
  explicit unit_decoder(const lane_decode_table& table) noexcept
      : entries_(reinterpret_cast<const int*>(table.entries.data())),
        slots_(_mm256_set1_epi32((1 << table.precision) - 1)),
        precision_(_mm_cvtsi32_si128(static_cast<int>(table.precision))) {}

  void decode(std::uint32_t* states, const std::byte*& next, const lane_elements& elements,
              std::size_t at) const noexcept {
    __m256i low = load_states(states), high = load_states(states + 8);
    const __m256i low_entries = look_up(low, elements, at);
    const __m256i high_entries = look_up(high, elements, at + 8);
    low = refill(advance(low, low_entries), next);
    high = refill(advance(high, high_entries), next);
    store_symbols(elements.symbols + at, low_entries, high_entries);
    if constexpr (Raw) {
      const __m256i low_bits_count = _mm256_srli_epi32(low_entries, part::raw_at);
      const __m256i high_bits_count = _mm256_srli_epi32(high_entries, part::raw_at);
      const __m256i raw =
          _mm256_packus_epi32(low_bits(low, low_bits_count), low_bits(high, high_bits_count));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(elements.raw + at),
                          _mm256_permute4x64_epi64(raw, 0xd8));
      low = refill(_mm256_srlv_epi32(low, low_bits_count), next);
      high = refill(_mm256_srlv_epi32(high, high_bits_count), next);
    }
    store_states(states, low);
    store_states(states + 8, high);
  }

 private:
  __m256i look_up(__m256i states, const lane_elements& elements, std::size_t at) const noexcept {
    __m256i slot = _mm256_and_si256(states, slots_);
    if constexpr (Contexts) {
      const __m128i contexts =
          _mm_loadl_epi64(reinterpret_cast<const __m128i*>(elements.contexts + at));
      slot = _mm256_or_si256(slot, _mm256_sll_epi32(_mm256_cvtepu8_epi32(contexts), precision_));
    }
    return look_up_eight(entries_, slot);
  }

  __m256i advance(__m256i states, __m256i entries) const noexcept {
    constexpr int frequency_mask = (1 << part::frequency_bits) - 1;
    const __m256i frequency = _mm256_and_si256(_mm256_srli_epi32(entries, part::frequency_at),
                                               _mm256_set1_epi32(frequency_mask));
    __m256i place = _mm256_srli_epi32(entries, part::place_at);
    if constexpr (Raw)
      place = _mm256_and_si256(place, _mm256_set1_epi32((1 << part::place_bits) - 1));
    return _mm256_add_epi32(_mm256_mullo_epi32(frequency, _mm256_srl_epi32(states, precision_)),
                            place);
  }

  /// States are below 2^31, so that signed comparisons do.
  static __m256i refill(__m256i states, const std::byte*& next) noexcept {
    const __m256i low = _mm256_cmpgt_epi32(_mm256_set1_epi32(lowest_state), states);
    const unsigned mask = mask_of(low);
    const __m128i words = _mm_shuffle_epi8(load_half(next), load_half(&spread[mask]));
    next += 2 * _mm_popcnt_u32(mask);
    const __m256i shift = _mm256_and_si256(low, _mm256_set1_epi32(16));
    return _mm256_or_si256(_mm256_sllv_epi32(states, shift), _mm256_cvtepu16_epi32(words));
  }

  static void store_symbols(std::uint8_t* to, __m256i low, __m256i high) noexcept {
    const __m256i byte = _mm256_set1_epi32(255);
    const __m256i words =
        _mm256_packus_epi32(_mm256_and_si256(low, byte), _mm256_and_si256(high, byte));
    // Halves of 4 low and 4 high symbols; each 64-bit pack repeats its half.
    const __m256i bytes = _mm256_packus_epi16(words, words);
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(to),
        _mm_unpacklo_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1)));
  }

  const int* entries_;
  __m256i slots_;
  __m128i precision_;
};

template <bool Contexts, bool Raw>
std::size_t decode_elements(const lane_decode_table& table, lane_states& states,
                            decode_position& at, const lane_elements& elements, std::size_t first,
                            std::size_t count) noexcept {
  const unit_decoder<Contexts, Raw> unit(table);
  const std::byte* next = at.next;
  std::size_t lane = first % states.lanes;
  for (; count - first >= lane_unit; first += lane_unit) {
    if (static_cast<std::size_t>(at.end - next) < unit_words_bytes) break;
    unit.decode(&states.state[lane], next, elements, first);
    lane += lane_unit;
    if (lane == states.lanes) lane = 0;
  }
  at.next = next;
  return first;
}

template <bool Contexts, bool Raw>
class unit_encoder {
  using part = encode_entry<Raw>;

 public:
  explicit unit_encoder(const lane_encode_table& table) noexcept
      : entries_(reinterpret_cast<const double*>(table.entries.data())),
        escape_(table.escape),
        one_(_mm256_set1_epi32(1 << table.precision)),
        full_(_mm_cvtsi32_si128(static_cast<int>(31 - table.precision))) {}

  void encode(std::uint32_t* states, std::byte*& first, const lane_elements& elements,
              std::size_t at) const noexcept {
    const entries low_entries = look_up(elements, at);
    const entries high_entries = look_up(elements, at + 8);
    __m256i low = load_states(states), high = load_states(states + 8);
    if constexpr (Raw) {
      high = put_raw(high, high_entries, elements.raw + at + 8, first);
      low = put_raw(low, low_entries, elements.raw + at, first);
    }
    high = put_symbols(high, high_entries, first);
    low = put_symbols(low, low_entries, first);
    store_states(states, low);
    store_states(states + 8, high);
  }

 private:
  /// The halves of 8 entries of lane_encode_table.
  struct entries {
    __m256i reciprocal, rest;
  };

  entries look_up(const lane_elements& elements, std::size_t at) const noexcept {
    entries found = look_up_all(elements, at);
    const unsigned absent = mask_of(_mm256_cmpeq_epi32(found.rest, _mm256_setzero_si256()));
    if (__builtin_expect(absent != 0, 0)) {
      for (unsigned lane = 0; lane < 8; ++lane)
        if ((absent >> lane & 1) != 0) elements.symbols[at + lane] = escape_;
      found = look_up_all(elements, at);
    }
    return found;
  }

  entries look_up_all(const lane_elements& elements, std::size_t at) const noexcept {
    // In the order in which a shuffle of each half brings the entries' halves back together.
    const __m256 a = look_up_four(elements, at, at + 1, at + 4, at + 5);
    const __m256 b = look_up_four(elements, at + 2, at + 3, at + 6, at + 7);
    return {_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)),
            _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd))};
  }

  __m256 look_up_four(const lane_elements& elements, std::size_t i, std::size_t j, std::size_t k,
                      std::size_t l) const noexcept {
    const __m128d low = _mm_loadh_pd(_mm_load_sd(entry(elements, i)), entry(elements, j));
    const __m128d high = _mm_loadh_pd(_mm_load_sd(entry(elements, k)), entry(elements, l));
    return _mm256_castpd_ps(_mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1));
  }

  const double* entry(const lane_elements& elements, std::size_t at) const noexcept {
    std::size_t index = elements.symbols[at];
    if constexpr (Contexts) index |= std::size_t{elements.contexts[at]} << 8;
    return entries_ + index;
  }

  /// Writes the lower halves of the states of `full` lanes, and takes them away.
  static __m256i put_words(__m256i states, __m256i full, std::byte*& first) noexcept {
    const unsigned mask = mask_of(full);
    const __m256i halves = _mm256_shuffle_epi8(
        states, _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 4,
                                 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1));
    const __m128i words =
        _mm_unpacklo_epi64(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(first - 16),
                     _mm_shuffle_epi8(words, load_half(&gather_words[mask])));
    first -= 2 * _mm_popcnt_u32(mask);
    return _mm256_srlv_epi32(states, _mm256_and_si256(full, _mm256_set1_epi32(16)));
  }

  static __m256i put_raw(__m256i states, const entries& of, const std::uint16_t* raw,
                         std::byte*& first) noexcept {
    const __m256i bits = _mm256_srli_epi32(of.rest, part::raw_at);
    const __m256i above = _mm256_srlv_epi32(states, _mm256_sub_epi32(_mm256_set1_epi32(31), bits));
    const __m256i full = _mm256_cmpgt_epi32(above, _mm256_setzero_si256());
    const __m256i left = _mm256_sllv_epi32(put_words(states, full, first), bits);
    const __m256i values = _mm256_cvtepu16_epi32(load_half(raw));
    return _mm256_or_si256(left, low_bits(values, bits));
  }

  __m256i put_symbols(__m256i states, const entries& of, std::byte*& first) const noexcept {
    const __m256i frequency =
        _mm256_and_si256(of.rest, _mm256_set1_epi32((1 << part::frequency_bits) - 1));
    const __m256i bias = _mm256_and_si256(_mm256_srli_epi32(of.rest, part::bias_at),
                                          _mm256_set1_epi32((1 << part::bias_bits) - 1));
    __m256i shift = _mm256_srli_epi32(of.rest, part::shift_at);
    if constexpr (Raw) shift = _mm256_and_si256(shift, _mm256_set1_epi32(15));
    // No frequency is all of 2^precision, so the limit is below 2^31.
    const __m256i limit = _mm256_sll_epi32(frequency, full_);
    const __m256i full = _mm256_xor_si256(_mm256_cmpgt_epi32(limit, states), _mm256_set1_epi32(-1));
    const __m256i state = put_words(states, full, first);
    const __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(state, of.reciprocal), 32);
    const __m256i odd =
        _mm256_mul_epu32(_mm256_srli_epi64(state, 32), _mm256_srli_epi64(of.reciprocal, 32));
    const __m256i quotient = _mm256_srlv_epi32(_mm256_blend_epi32(even, odd, 0xaa), shift);
    return _mm256_add_epi32(_mm256_add_epi32(state, bias),
                            _mm256_mullo_epi32(quotient, _mm256_sub_epi32(one_, frequency)));
  }

  const double* entries_;  ///< entries as what the instructions load
  std::uint8_t escape_;
  __m256i one_;
  __m128i full_;
};

template <bool Contexts, bool Raw>
std::size_t encode_elements(const lane_encode_table& table, lane_states& states, std::byte*& first,
                            const lane_elements& elements, std::size_t count) noexcept {
  const unit_encoder<Contexts, Raw> unit(table);
  std::byte* put = first;
  std::size_t lane = count % states.lanes;
  for (std::size_t at = count; at > 0;) {
    at -= lane_unit;
    lane = (lane == 0 ? states.lanes : lane) - lane_unit;
    unit.encode(&states.state[lane], put, elements, at);
  }
  first = put;
  return 0;
}

std::size_t decode(const lane_decode_table& table, lane_states& states, decode_position& at,
                   const lane_elements& elements, std::size_t first, std::size_t count) {
  if (table.has_raw_bits)
    return elements.contexts
               ? decode_elements<true, true>(table, states, at, elements, first, count)
               : decode_elements<false, true>(table, states, at, elements, first, count);
  return elements.contexts
             ? decode_elements<true, false>(table, states, at, elements, first, count)
             : decode_elements<false, false>(table, states, at, elements, first, count);
}

std::size_t encode(const lane_encode_table& table, lane_states& states, std::byte*& first,
                   const lane_elements& elements, std::size_t count) {
  if (table.has_raw_bits)
    return elements.contexts ? encode_elements<true, true>(table, states, first, elements, count)
                             : encode_elements<false, true>(table, states, first, elements, count);
  return elements.contexts ? encode_elements<true, false>(table, states, first, elements, count)
                           : encode_elements<false, false>(table, states, first, elements, count);
}

}  // namespace

const kernels table = {decode, encode};

}  // namespace lmzip::lane_rans::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
