#include <bit>

#include "core/endian.h"
#include "entropy/lane_kernels.h"

namespace lmzip::lanes_scalar {
namespace {

template <unsigned Lanes>
std::size_t decode(const lane_decoding_tables& tables, lane_states& states,
                   const std::uint8_t*& word, const std::uint8_t* last, std::uint8_t* values,
                   std::size_t groups) noexcept {
  constexpr std::uint32_t pair_mask = (1u << lane_decoding_tables::pair_bits) - 1;
  const std::uint8_t* next = word;
  std::size_t done = 0;
  for (; done < groups && next <= last; ++done, values += group_values(Lanes))
    for (unsigned round = 0; round < 2; ++round)
#pragma GCC unroll 4
      for (unsigned lane = 0; lane < Lanes; ++lane) {
        const std::uint32_t bits = states.bits[lane];
        std::uint32_t pair = tables.pairs[bits & pair_mask];
        if (pair & lane_decoding_tables::too_long) [[unlikely]]
          pair = tables.long_pair(bits);
        store_le(values + 4 * lane + 2 * round, static_cast<std::uint16_t>(pair));
        const std::uint32_t length = pair >> 16;
        const std::uint32_t extra = states.extra[lane] - length;  // below 0: a word is taken
        const std::size_t taken = extra >> 31;
        const auto fresh = static_cast<std::uint32_t>(load_le<std::uint16_t>(next) * taken);
        next += 2 * taken;
        states.bits[lane] = bits >> length | fresh << (extra & 15);
        states.extra[lane] = extra & 15;
      }
  word = next;
  return done;
}

bool resolve(std::uint8_t escape_value, std::uint8_t* values, std::size_t count,
             const std::uint8_t*& escape, const std::uint8_t* escapes_end) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t pattern = escape_value * ones;
  const std::uint8_t* next = escape;
  for (std::size_t at = 0; at < count; at += 8) {
    // The top bit of each byte that is the escape (and perhaps of some that are not).
    const std::uint64_t other = load_le<std::uint64_t>(values + at) ^ pattern;
    if (((other - ones) & ~other & ones << 7) == 0) [[likely]]
      continue;
    for (std::size_t i = at; i < at + 8; ++i) {
      if (values[i] != escape_value) continue;
      if (next == escapes_end) return false;
      values[i] = *next++;
    }
  }
  escape = next;
  return true;
}

template <unsigned Lanes>
void encode(const lane_encoding_tables& tables, lane_states& states, const std::uint8_t* values,
            std::size_t groups, std::uint8_t*& word, std::uint8_t*& escape) noexcept {
  std::uint8_t* next = word;
  std::uint8_t* literal = escape;
  while (groups-- > 0) {
    const std::uint8_t* const group = values + groups * group_values(Lanes);
    std::uint64_t escaping = 0;  // lanes
    for (unsigned round = 2; round-- > 0;)
#pragma GCC unroll 4
      for (unsigned i = 1; i <= Lanes; ++i) {
        const unsigned lane = Lanes - i;
        const std::uint32_t first = tables.codes[group[4 * lane + 2 * round]];
        const std::uint32_t second = tables.codes[group[4 * lane + 2 * round + 1]];
        if ((first | second) & lane_encoding_tables::escaped) [[unlikely]]
          escaping |= std::uint64_t{1} << lane;
        const std::uint32_t first_length = first >> 16 & 15;
        const std::uint32_t length = (first + second) >> 16 & 31;
        const std::uint32_t code = (first & 0xff) | (second & 0xff) << first_length;
        const std::uint32_t extra = states.extra[lane];
        const std::uint32_t held = extra + length;  // above 15: a word is given
        const std::uint32_t bits = states.bits[lane];
        store_le(next - 2, static_cast<std::uint16_t>(bits >> extra));
        next -= std::size_t{held >> 4} * 2;
        states.bits[lane] = bits << length | code;
        states.extra[lane] = held & 15;
      }
    for (; escaping != 0;) {
      const auto lane = static_cast<unsigned>(std::bit_width(escaping)) - 1;
      escaping ^= std::uint64_t{1} << lane;
      for (unsigned k = 4; k-- > 0;)
        if (tables.codes[group[4 * lane + k]] & lane_encoding_tables::escaped)
          *--literal = group[4 * lane + k];
    }
  }
  word = next;
  escape = literal;
}

}  // namespace

const lane_kernels many = {decode<many_lanes>, resolve, encode<many_lanes>, true};
const lane_kernels few = {decode<few_lanes>, resolve, encode<few_lanes>, true};

}  // namespace lmzip::lanes_scalar
