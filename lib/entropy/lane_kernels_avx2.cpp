// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include <array>
#include <bit>
#include <cstring>

#include "entropy/lane_kernels.h"

namespace lmzip::lanes_avx2 {
namespace {

// Byte shuffles of 8 words by a mask of lanes: from the next words of a stream to the lanes that
// take one, zero for the others; and from lanes that give one to the end of a vector.
struct word_shuffles {
  alignas(64) std::array<std::array<std::uint8_t, 16>, 256> expand{};
  alignas(64) std::array<std::array<std::uint8_t, 16>, 256> compress{};
};

constexpr word_shuffles make_shuffles() {
  word_shuffles made;
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned from = 0;
    unsigned to = 8 - static_cast<unsigned>(std::popcount(mask));
    made.compress[mask].fill(0x80);
    for (unsigned lane = 0; lane < 8; ++lane) {
      const bool used = mask >> lane & 1;
      for (unsigned byte = 0; byte < 2; ++byte) {
        made.expand[mask][2 * lane + byte] =
            static_cast<std::uint8_t>(used ? 2 * from + byte : 0x80);
        if (used) made.compress[mask][2 * to + byte] = static_cast<std::uint8_t>(2 * lane + byte);
      }
      from += used;
      to += used;
    }
  }
  return made;
}

constexpr word_shuffles shuffles = make_shuffles();
constexpr unsigned vectors = many_lanes / 8;

}  // namespace
}  // namespace lmzip::lanes_avx2

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif

namespace lmzip::lanes_avx2 {
namespace {

__m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
void store(void* to, __m256i value) { _mm256_storeu_si256(static_cast<__m256i*>(to), value); }
__m128i load_half(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }

unsigned sign_mask(__m256i value) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(value)));
}

// Looks up what does not fit in the table of pairs.
[[gnu::noinline]] __m256i with_long_pairs(const lane_decoding_tables& tables, __m256i bits,
                                          __m256i pairs, unsigned mask) {
  alignas(32) std::uint32_t bit[8];
  alignas(32) std::uint32_t pair[8];
  store(bit, bits);
  store(pair, pairs);
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(mask));
    const std::uint32_t first = tables.singles[bit[lane] & 0xff];
    const std::uint32_t second = tables.singles[bit[lane] >> (first >> 8) & 0xff];
    pair[lane] = (first & 0xff) | (second & 0xff) << 8 | ((first >> 8) + (second >> 8)) << 16;
  }
  return load(pair);
}

std::size_t decode(const lane_decoding_tables& tables, lane_states& states,
                   const std::uint8_t*& word, const std::uint8_t* last, std::uint8_t* values,
                   std::size_t groups) noexcept {
  const __m256i pair_mask = _mm256_set1_epi32((1 << lane_decoding_tables::pair_bits) - 1);
  const __m256i low_bits = _mm256_set1_epi32(15);
  const int* const table = reinterpret_cast<const int*>(tables.pairs.data());
  const std::uint8_t* next = word;
  std::size_t done = 0;
  for (; done < groups && next <= last; ++done, values += group_values(many_lanes))
    for (unsigned round = 0; round < 2; ++round)
      for (unsigned v = 0; v < vectors; ++v) {
        const __m256i bits = load(&states.bits[8 * v]);
        __m256i pair = _mm256_i32gather_epi32(table, _mm256_and_si256(bits, pair_mask), 4);
        if (const unsigned mask = sign_mask(pair); mask != 0) [[unlikely]]
          pair = with_long_pairs(tables, bits, pair, mask);
        std::uint8_t* const to = values + 32 * v;
        if (round == 0)
          store(to, pair);
        else
          store(to, _mm256_blend_epi16(load(to), _mm256_slli_epi32(pair, 16), 0xaa));
        const __m256i length = _mm256_srli_epi32(pair, 16);
        const __m256i extra = _mm256_sub_epi32(load(&states.extra[8 * v]), length);
        const unsigned taking = sign_mask(extra);
        const __m256i fresh = _mm256_cvtepu16_epi32(
            _mm_shuffle_epi8(load_half(next), load_half(&shuffles.expand[taking])));
        next += 2 * std::popcount(taking);
        const __m256i left = _mm256_and_si256(extra, low_bits);
        store(&states.bits[8 * v],
              _mm256_or_si256(_mm256_srlv_epi32(bits, length), _mm256_sllv_epi32(fresh, left)));
        store(&states.extra[8 * v], left);
      }
  word = next;
  return done;
}

bool resolve(std::uint8_t escape_value, std::uint8_t* values, std::size_t count,
             const std::uint8_t*& escape, const std::uint8_t* escapes_end) noexcept {
  const __m256i pattern = _mm256_set1_epi8(static_cast<char>(escape_value));
  const std::uint8_t* next = escape;
  const auto mask_at = [&](std::size_t at) {
    return static_cast<std::uint32_t>(
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(load(values + at), pattern)));
  };
  for (std::size_t at = 0; at < count; at += 64) {
    std::uint64_t mask = mask_at(at) | std::uint64_t{mask_at(at + 32)} << 32;
    if (static_cast<std::size_t>(escapes_end - next) < 64 &&
        escapes_end - next < std::popcount(mask))
      return false;
    for (; mask != 0; mask &= mask - 1)
      values[at + static_cast<std::size_t>(std::countr_zero(mask))] = *next++;
  }
  escape = next;
  return true;
}

// Code and length of 32 values, found by the upper half byte of each in rows of 16.
class code_rows {
 public:
  explicit code_rows(const lane_encoding_tables& tables)
      : escape_bits_(_mm256_set1_epi8(static_cast<char>(tables.escape.bits))),
        escape_length_(_mm256_set1_epi8(static_cast<char>(tables.escape.length))) {
    for (; count_ < tables.row_count; ++count_) {
      const lane_encoding_tables::row& from = tables.rows[count_];
      rows_[count_] = {_mm256_set1_epi8(static_cast<char>(from.upper)),
                       _mm256_broadcastsi128_si256(load_half(from.bits.data())),
                       _mm256_broadcastsi128_si256(load_half(from.lengths.data()))};
    }
  }

  /// Sets codes and lengths; returns the mask of values that are escaped.
  std::uint32_t find(__m256i values, __m256i& bits, __m256i& lengths) const {
    const __m256i other_row = _mm256_set1_epi8(0x70);
    bits = lengths = _mm256_setzero_si256();
    for (unsigned i = 0; i < count_; ++i) {
      // In this row 0 … 15; elsewhere the top bit is set, for which a shuffle gives 0.
      const __m256i lower = _mm256_adds_epu8(_mm256_xor_si256(values, rows_[i].upper), other_row);
      bits = _mm256_or_si256(bits, _mm256_shuffle_epi8(rows_[i].bits, lower));
      lengths = _mm256_or_si256(lengths, _mm256_shuffle_epi8(rows_[i].lengths, lower));
    }
    const __m256i escaped = _mm256_cmpeq_epi8(lengths, _mm256_setzero_si256());
    bits = _mm256_blendv_epi8(bits, escape_bits_, escaped);
    lengths = _mm256_blendv_epi8(lengths, escape_length_, escaped);
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(escaped));
  }

 private:
  struct row {
    __m256i upper;
    __m256i bits;
    __m256i lengths;
  };
  std::array<row, 16> rows_;
  unsigned count_ = 0;
  __m256i escape_bits_;
  __m256i escape_length_;
};

void encode(const lane_encoding_tables& tables, lane_states& states, const std::uint8_t* values,
            std::size_t groups, std::uint8_t*& word, std::uint8_t*& escape) noexcept {
  const code_rows rows(tables);
  const __m256i low_byte = _mm256_set1_epi16(0xff);
  const __m256i low_word = _mm256_set1_epi32(0xffff);
  const __m256i low_bits = _mm256_set1_epi32(15);
  // Half of 2^length, to shift words by a multiplication.
  const __m256i half_powers =
      _mm256_setr_epi8(0, 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32,
                       64, -128, 0, 0, 0, 0, 0, 0, 0);
  std::uint8_t* next = word;
  std::uint8_t* literal = escape;
  while (groups-- > 0) {
    const std::uint8_t* const group = values + groups * group_values(many_lanes);
    alignas(32) std::array<std::uint16_t, group_values(many_lanes) / 2> codes;
    alignas(32) std::array<std::uint16_t, group_values(many_lanes) / 2> lengths;
    for (unsigned v = vectors; v-- > 0;) {
      __m256i bits;
      __m256i length;
      std::uint32_t escaped = rows.find(load(group + 32 * v), bits, length);
      for (; escaped != 0;) {
        const auto i = static_cast<unsigned>(std::bit_width(escaped)) - 1;
        *--literal = group[32 * v + i];
        escaped ^= std::uint32_t{1} << i;
      }
      const __m256i power = _mm256_slli_epi16(
          _mm256_and_si256(_mm256_shuffle_epi8(half_powers, length), low_byte), 1);
      const __m256i first = _mm256_and_si256(bits, low_byte);
      const __m256i second = _mm256_mullo_epi16(_mm256_srli_epi16(bits, 8), power);
      store(&codes[16 * v], _mm256_or_si256(first, second));
      store(&lengths[16 * v], _mm256_maddubs_epi16(length, _mm256_set1_epi8(1)));
    }
    for (unsigned round = 2; round-- > 0;)
      for (unsigned v = vectors; v-- > 0;) {
        const auto half = [&](const std::uint16_t* from) {
          const __m256i both = load(from);
          return round == 0 ? _mm256_and_si256(both, low_word) : _mm256_srli_epi32(both, 16);
        };
        const __m256i length = half(&lengths[16 * v]);
        const __m256i bits = load(&states.bits[8 * v]);
        const __m256i extra = load(&states.extra[8 * v]);
        const __m256i held = _mm256_add_epi32(extra, length);
        const unsigned giving = sign_mask(_mm256_slli_epi32(held, 27));
        const __m256i given = _mm256_and_si256(_mm256_srlv_epi32(bits, extra), low_word);
        const __m128i packed =
            _mm_packus_epi32(_mm256_castsi256_si128(given), _mm256_extracti128_si256(given, 1));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(next - 16),
                         _mm_shuffle_epi8(packed, load_half(&shuffles.compress[giving])));
        next -= 2 * std::popcount(giving);
        store(&states.bits[8 * v],
              _mm256_or_si256(_mm256_sllv_epi32(bits, length), half(&codes[16 * v])));
        store(&states.extra[8 * v], _mm256_and_si256(held, low_bits));
      }
  }
  word = next;
  escape = literal;
}

}  // namespace

const lane_kernels many = {decode, resolve, encode, true};

}  // namespace lmzip::lanes_avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
