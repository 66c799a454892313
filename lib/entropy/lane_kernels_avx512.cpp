// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include "entropy/lane_kernels.h"

#if defined(__clang__)
#pragma clang attribute push(                                                                      \
    __attribute__((target(                                                                         \
        "avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target( \
    "avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")
#endif

namespace lmzip::lanes_avx512 {
namespace {

// Sixteen lanes a vector.
constexpr unsigned vectors = many_lanes / 16;
constexpr unsigned vector_values = 64;

__m512i load(const void* from) { return _mm512_loadu_si512(from); }
void store(void* to, __m512i value) { _mm512_storeu_si512(to, value); }

// A table of 128 or 256 bytes by the lowest byte of each lane, the other bytes zero.
template <bool Long>
class byte_table {
 public:
  explicit byte_table(const std::uint8_t* from) {
    for (unsigned i = 0; i < parts; ++i) parts_[i] = load(from + 64 * i);
  }

  __m512i by_lowest_byte(__m512i lanes) const {
    constexpr __mmask64 lowest = 0x1111111111111111;
    const __m512i found = _mm512_maskz_permutex2var_epi8(lowest, parts_[0], lanes, parts_[1]);
    if constexpr (!Long) return found;
    const __m512i upper =
        _mm512_maskz_permutex2var_epi8(lowest, parts_[parts - 2], lanes, parts_[parts - 1]);
    const __mmask16 is_upper = _mm512_test_epi32_mask(lanes, _mm512_set1_epi32(128));
    return _mm512_mask_mov_epi32(found, is_upper, upper);
  }

  __m512i by_every_byte(__m512i bytes) const {
    const __m512i found = _mm512_permutex2var_epi8(parts_[0], bytes, parts_[1]);
    if constexpr (!Long) return found;
    const __m512i upper = _mm512_permutex2var_epi8(parts_[parts - 2], bytes, parts_[parts - 1]);
    return _mm512_mask_mov_epi8(found, _mm512_movepi8_mask(bytes), upper);
  }

 private:
  static constexpr unsigned parts = Long ? 4 : 2;
  __m512i parts_[parts];
};

// A lane's lowest byte is what is decoded next: it is kept as it is, and what all the bytes stand
// for is looked up at the end, 64 at once.
template <bool Long>
std::size_t decode_groups(const lane_decoding_tables& tables, lane_states& states,
                          const std::uint8_t*& word, const std::uint8_t* last, std::uint8_t* values,
                          std::size_t groups) noexcept {
  const byte_table<Long> lengths(tables.lengths.data());
  const byte_table<Long> found(tables.values.data());
  const __m512i low_bits = _mm512_set1_epi32(15);
  const __m512i to_all_bytes = _mm512_set4_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0);
  constexpr __mmask64 lowest = 0x1111111111111111;
  __m512i bits[vectors];
  __m512i extra[vectors];
  for (unsigned v = 0; v < vectors; ++v) {
    bits[v] = load(&states.bits[16 * v]);
    extra[v] = load(&states.extra[16 * v]);
  }
  const std::uint8_t* next = word;
  std::size_t done = 0;
  for (; done < groups && next <= last; ++done, values += group_values(many_lanes)) {
    __m512i codes[vectors];
#pragma GCC unroll 2
    for (unsigned round = 0; round < 2; ++round)
#pragma GCC unroll 4
      for (unsigned v = 0; v < vectors; ++v) {
        codes[v] = round == 0
                       ? bits[v]
                       : _mm512_mask_shuffle_epi8(codes[v], lowest << 2, bits[v], to_all_bytes);
        const __m512i first = lengths.by_lowest_byte(bits[v]);
        const __m512i left = _mm512_srlv_epi32(bits[v], first);
        codes[v] =
            _mm512_mask_shuffle_epi8(codes[v], lowest << (2 * round + 1), left, to_all_bytes);
        const __m512i second = lengths.by_lowest_byte(left);
        const __m512i rest = _mm512_sub_epi32(extra[v], _mm512_add_epi32(first, second));
        const __mmask16 taking = _mm512_movepi32_mask(rest);
        const __m512i words =
            _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(next)));
        const __m512i fresh = _mm512_maskz_expand_epi32(taking, words);
        next += 2 * static_cast<unsigned>(_mm_popcnt_u32(taking));
        extra[v] = _mm512_and_si512(rest, low_bits);
        bits[v] =
            _mm512_or_si512(_mm512_srlv_epi32(left, second), _mm512_sllv_epi32(fresh, extra[v]));
      }
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v)
      store(values + vector_values * v, found.by_every_byte(codes[v]));
  }
  for (unsigned v = 0; v < vectors; ++v) {
    store(&states.bits[16 * v], bits[v]);
    store(&states.extra[16 * v], extra[v]);
  }
  word = next;
  return done;
}

std::size_t decode(const lane_decoding_tables& tables, lane_states& states,
                   const std::uint8_t*& word, const std::uint8_t* last, std::uint8_t* values,
                   std::size_t groups) noexcept {
  return tables.limit > 7 ? decode_groups<true>(tables, states, word, last, values, groups)
                          : decode_groups<false>(tables, states, word, last, values, groups);
}

bool resolve(std::uint8_t escape_value, std::uint8_t* values, std::size_t count,
             const std::uint8_t*& escape, const std::uint8_t* escapes_end) noexcept {
  const __m512i pattern = _mm512_set1_epi8(static_cast<char>(escape_value));
  const std::uint8_t* next = escape;
  for (std::size_t at = 0; at < count; at += vector_values) {
    const __m512i found = load(values + at);
    const __mmask64 mask = _mm512_cmpeq_epi8_mask(found, pattern);
    const auto wanted = static_cast<std::ptrdiff_t>(_mm_popcnt_u64(mask));
    const std::ptrdiff_t left = escapes_end - next;
    __m512i literals;
    if (left >= static_cast<std::ptrdiff_t>(vector_values)) [[likely]] {
      literals = load(next);
    } else {
      if (left < wanted) return false;
      literals = _mm512_maskz_loadu_epi8((std::uint64_t{1} << left) - 1, next);
    }
    store(values + at, _mm512_mask_expand_epi8(found, mask, literals));
    next += wanted;
  }
  escape = next;
  return true;
}

// Lanes are kept in reverse order in their vectors: compressed and then reversed, the words that
// they give end where the store ends, and what that writes below is written over later.
void encode(const lane_encoding_tables& tables, lane_states& states, const std::uint8_t* values,
            std::size_t groups, std::uint8_t*& word, std::uint8_t*& escape) noexcept {
  const __m512i reversed = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i reversed_words = _mm512_castsi256_si512(
      _mm256_setr_epi16(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0));
  const byte_table<true> numbers(tables.numbers.data());
  const __m512i bits_of = load(tables.bits_of_numbers.data());
  const __m512i lengths_of = load(tables.lengths_of_numbers.data());
  const __m512i escaped = _mm512_set1_epi8(static_cast<char>(tables.escape_number));
  const __m512i low_byte = _mm512_set1_epi16(0xff);
  const __m512i low_word = _mm512_set1_epi32(0xffff);
  const __m512i low_bits = _mm512_set1_epi32(15);
  const __m512i one_word = _mm512_set1_epi32(16);
  __m512i bits[vectors];
  __m512i extra[vectors];
  for (unsigned v = 0; v < vectors; ++v) {
    bits[v] = _mm512_permutexvar_epi32(reversed, load(&states.bits[16 * v]));
    extra[v] = _mm512_permutexvar_epi32(reversed, load(&states.extra[16 * v]));
  }
  std::uint8_t* next = word;
  std::uint8_t* literal = escape;
  while (groups-- > 0) {
    const std::uint8_t* const group = values + groups * group_values(many_lanes);
    __m512i codes[vectors];
    __m512i lengths[vectors];
#pragma GCC unroll 4
    for (unsigned v = vectors; v-- > 0;) {
      const __m512i plain = load(group + vector_values * v);
      const __m512i number = numbers.by_every_byte(plain);
      const __mmask64 rare = _mm512_cmpeq_epi8_mask(number, escaped);
      const auto rare_count = static_cast<unsigned>(_mm_popcnt_u64(rare));
      literal -= rare_count;
      _mm512_mask_storeu_epi8(literal, _bzhi_u64(~std::uint64_t{0}, rare_count),
                              _mm512_maskz_compress_epi8(rare, plain));
      const __m512i in_order = _mm512_permutexvar_epi32(reversed, number);
      const __m512i code = _mm512_permutexvar_epi8(in_order, bits_of);
      const __m512i length = _mm512_permutexvar_epi8(in_order, lengths_of);
      codes[v] = _mm512_or_si512(
          _mm512_and_si512(code, low_byte),
          _mm512_sllv_epi16(_mm512_srli_epi16(code, 8), _mm512_and_si512(length, low_byte)));
      lengths[v] = _mm512_maddubs_epi16(length, _mm512_set1_epi8(1));
    }
#pragma GCC unroll 2
    for (unsigned round = 2; round-- > 0;)
#pragma GCC unroll 4
      for (unsigned v = vectors; v-- > 0;) {
        const auto half = [&](__m512i both) {
          return round == 0 ? _mm512_and_si512(both, low_word) : _mm512_srli_epi32(both, 16);
        };
        const __m512i length = half(lengths[v]);
        const __m512i held = _mm512_add_epi32(extra[v], length);
        const __mmask16 giving = _mm512_test_epi32_mask(held, one_word);
        const __m512i given =
            _mm512_maskz_compress_epi32(giving, _mm512_srlv_epi32(bits[v], extra[v]));
        _mm256_storeu_si256(
            reinterpret_cast<__m256i*>(next - 32),
            _mm512_castsi512_si256(_mm512_permutexvar_epi16(reversed_words, given)));
        next -= 2 * static_cast<unsigned>(_mm_popcnt_u32(giving));
        bits[v] = _mm512_or_si512(_mm512_sllv_epi32(bits[v], length), half(codes[v]));
        extra[v] = _mm512_and_si512(held, low_bits);
      }
  }
  for (unsigned v = 0; v < vectors; ++v) {
    store(&states.bits[16 * v], _mm512_permutexvar_epi32(reversed, bits[v]));
    store(&states.extra[16 * v], _mm512_permutexvar_epi32(reversed, extra[v]));
  }
  word = next;
  escape = literal;
}

}  // namespace

const lane_kernels many = {decode, resolve, encode, false};

}  // namespace lmzip::lanes_avx512

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
