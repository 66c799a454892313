// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include "entropy/lane_rans_kernels.h"

#if defined(__clang__)
#pragma clang attribute push(                                                           \
    __attribute__((target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")
#endif

namespace lmzip::lane_rans::avx512 {
namespace {

// A unit is a vector.

__m256i load_words(const void* from) noexcept {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

__m512i load_bytes(const std::uint8_t* from) noexcept {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

__m512i low_bits(__m512i values, __m512i counts) noexcept {
  return _mm512_andnot_si512(_mm512_sllv_epi32(_mm512_set1_epi32(-1), counts), values);
}

__m128i look_up_four(const std::uint32_t* entries, __m128i slots) noexcept {
  const auto a = static_cast<std::uint64_t>(_mm_cvtsi128_si64(slots));
  const auto b = static_cast<std::uint64_t>(_mm_extract_epi64(slots, 1));
  const auto entry = [&](std::uint64_t at) { return static_cast<int>(entries[at]); };
  __m128i found = _mm_cvtsi32_si128(entry(a & 0xffffffff));
  found = _mm_insert_epi32(found, entry(a >> 32), 1);
  found = _mm_insert_epi32(found, entry(b & 0xffffffff), 2);
  return _mm_insert_epi32(found, entry(b >> 32), 3);
}

/// Loads entries one by one, which is faster than a gather instruction on Zen 4.
__m512i look_up_sixteen(const std::uint32_t* entries, __m512i slots) noexcept {
  __m512i found = _mm512_castsi128_si512(look_up_four(entries, _mm512_castsi512_si128(slots)));
  found = _mm512_inserti32x4(found, look_up_four(entries, _mm512_extracti32x4_epi32(slots, 1)), 1);
  found = _mm512_inserti32x4(found, look_up_four(entries, _mm512_extracti32x4_epi32(slots, 2)), 2);
  return _mm512_inserti32x4(found, look_up_four(entries, _mm512_extracti32x4_epi32(slots, 3)), 3);
}

template <bool Contexts, bool Raw>
class unit_decoder {
  using part = decode_entry<Raw>;

 public:
  explicit unit_decoder(const lane_decode_table& table) noexcept
      : entries_(table.entries.data()),
        slots_(_mm512_set1_epi32((1 << table.precision) - 1)),
        precision_(_mm_cvtsi32_si128(static_cast<int>(table.precision))) {}

  void decode(std::uint32_t* states, const std::byte*& next, const lane_elements& elements,
              std::size_t at) const noexcept {
    __m512i state = _mm512_load_si512(states);
    const __m512i entries = look_up(state, elements, at);
    state = refill(advance(state, entries), next);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(elements.symbols + at),
                     _mm512_cvtepi32_epi8(entries));
    if constexpr (Raw) {
      const __m512i bits = _mm512_srli_epi32(entries, part::raw_at);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(elements.raw + at),
                          _mm512_cvtepi32_epi16(low_bits(state, bits)));
      state = refill(_mm512_srlv_epi32(state, bits), next);
    }
    _mm512_store_si512(states, state);
  }

 private:
  __m512i look_up(__m512i states, const lane_elements& elements, std::size_t at) const noexcept {
    __m512i slot = _mm512_and_si512(states, slots_);
    if constexpr (Contexts)
      slot =
          _mm512_or_si512(slot, _mm512_sll_epi32(load_bytes(elements.contexts + at), precision_));
    return look_up_sixteen(entries_, slot);
  }

  __m512i advance(__m512i states, __m512i entries) const noexcept {
    constexpr int frequency_mask = (1 << part::frequency_bits) - 1;
    const __m512i frequency = _mm512_and_si512(_mm512_srli_epi32(entries, part::frequency_at),
                                               _mm512_set1_epi32(frequency_mask));
    __m512i place = _mm512_srli_epi32(entries, part::place_at);
    if constexpr (Raw)
      place = _mm512_and_si512(place, _mm512_set1_epi32((1 << part::place_bits) - 1));
    return _mm512_add_epi32(_mm512_mullo_epi32(frequency, _mm512_srl_epi32(states, precision_)),
                            place);
  }

  static __m512i refill(__m512i states, const std::byte*& next) noexcept {
    const __mmask16 low = _mm512_cmplt_epu32_mask(states, _mm512_set1_epi32(lowest_state));
    const __m512i words = _mm512_maskz_expand_epi32(low, _mm512_cvtepu16_epi32(load_words(next)));
    next += 2 * static_cast<unsigned>(_mm_popcnt_u32(low));
    return _mm512_mask_or_epi32(states, low, _mm512_slli_epi32(states, 16), words);
  }

  const std::uint32_t* entries_;
  __m512i slots_;
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
        one_(_mm512_set1_epi32(1 << table.precision)),
        full_(_mm_cvtsi32_si128(static_cast<int>(31 - table.precision))) {}

  void encode(std::uint32_t* states, std::byte*& first, const lane_elements& elements,
              std::size_t at) const noexcept {
    const entries found = look_up(elements, at);
    __m512i state = _mm512_load_si512(states);
    if constexpr (Raw) state = put_raw(state, found, elements.raw + at, first);
    _mm512_store_si512(states, put_symbols(state, found, first));
  }

 private:
  /// The halves of 16 entries of lane_encode_table.
  struct entries {
    __m512i reciprocal, rest;
  };

  entries look_up(const lane_elements& elements, std::size_t at) const noexcept {
    entries found = look_up_all(elements, at);
    unsigned absent = _mm512_testn_epi32_mask(found.rest, found.rest);
    if (__builtin_expect(absent != 0, 0)) {
      for (; absent != 0; absent &= absent - 1) elements.symbols[at + _tzcnt_u32(absent)] = escape_;
      found = look_up_all(elements, at);
    }
    return found;
  }

  entries look_up_all(const lane_elements& elements, std::size_t at) const noexcept {
    const __m512i a = look_up_eight(elements, at);
    const __m512i b = look_up_eight(elements, at + 8);
    const __m512i evens =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odds =
        _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return {_mm512_permutex2var_epi32(a, evens, b), _mm512_permutex2var_epi32(a, odds, b)};
  }

  __m512i look_up_eight(const lane_elements& elements, std::size_t at) const noexcept {
    return _mm512_castpd_si512(_mm512_insertf64x4(
        _mm512_castpd256_pd512(look_up_four(elements, at)), look_up_four(elements, at + 4), 1));
  }

  __m256d look_up_four(const lane_elements& elements, std::size_t at) const noexcept {
    const __m128d low = _mm_loadh_pd(_mm_load_sd(entry(elements, at)), entry(elements, at + 1));
    const __m128d high =
        _mm_loadh_pd(_mm_load_sd(entry(elements, at + 2)), entry(elements, at + 3));
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
  }

  const double* entry(const lane_elements& elements, std::size_t at) const noexcept {
    std::size_t index = elements.symbols[at];
    if constexpr (Contexts) index |= std::size_t{elements.contexts[at]} << 8;
    return entries_ + index;
  }

  /// Writes the lower halves of the states of `full` lanes, and takes them away.
  static __m512i put_words(__m512i states, __mmask16 full, std::byte*& first) noexcept {
    const auto count = static_cast<unsigned>(_mm_popcnt_u32(full));
    first -= 2 * count;
    _mm256_mask_storeu_epi16(first, static_cast<__mmask16>(_bzhi_u32(0xffff, count)),
                             _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(full, states)));
    return _mm512_mask_srli_epi32(states, full, states, 16);
  }

  static __m512i put_raw(__m512i states, const entries& of, const std::uint16_t* raw,
                         std::byte*& first) noexcept {
    const __m512i bits = _mm512_srli_epi32(of.rest, part::raw_at);
    const __m512i above = _mm512_srlv_epi32(states, _mm512_sub_epi32(_mm512_set1_epi32(31), bits));
    const __m512i left =
        _mm512_sllv_epi32(put_words(states, _mm512_test_epi32_mask(above, above), first), bits);
    return _mm512_or_si512(left, low_bits(_mm512_cvtepu16_epi32(load_words(raw)), bits));
  }

  __m512i put_symbols(__m512i states, const entries& of, std::byte*& first) const noexcept {
    const __m512i frequency =
        _mm512_and_si512(of.rest, _mm512_set1_epi32((1 << part::frequency_bits) - 1));
    const __m512i bias = _mm512_and_si512(_mm512_srli_epi32(of.rest, part::bias_at),
                                          _mm512_set1_epi32((1 << part::bias_bits) - 1));
    __m512i shift = _mm512_srli_epi32(of.rest, part::shift_at);
    if constexpr (Raw) shift = _mm512_and_si512(shift, _mm512_set1_epi32(15));
    const __m512i limit = _mm512_sll_epi32(frequency, full_);
    const __m512i state = put_words(states, _mm512_cmpge_epu32_mask(states, limit), first);
    const __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(state, of.reciprocal), 32);
    const __m512i odd =
        _mm512_mul_epu32(_mm512_srli_epi64(state, 32), _mm512_srli_epi64(of.reciprocal, 32));
    const __m512i quotient = _mm512_srlv_epi32(_mm512_mask_blend_epi32(0xaaaa, even, odd), shift);
    return _mm512_add_epi32(_mm512_add_epi32(state, bias),
                            _mm512_mullo_epi32(quotient, _mm512_sub_epi32(one_, frequency)));
  }

  const double* entries_;  ///< entries as what the instructions load
  std::uint8_t escape_;
  __m512i one_;
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

}  // namespace lmzip::lane_rans::avx512

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
