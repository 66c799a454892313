#include <algorithm>

#include "core/endian.h"
#include "entropy/lane_rans_kernels.h"

namespace lmzip::lane_rans::scalar {
namespace {

/// The state after taking a word if it is too low.
template <bool Checked>
std::uint32_t refill(std::uint32_t state, decode_position& at) noexcept {
  if constexpr (Checked) {
    if (state >= lowest_state) return state;
    std::uint32_t word = 0;
    if (at.end - at.next >= 2) {
      word = load_le<std::uint16_t>(at.next);
      at.next += 2;
    } else {
      ++at.missing;
    }
    return state << 16 | word;
  } else {
    const std::uint32_t word = load_le<std::uint16_t>(at.next);
    // In numbers, since a branch would be foretold wrongly half of the time.
    const std::uint32_t low = (state - lowest_state) >> 31;
    at.next += 2 * low;
    return state << (16 * low) | (word & (0 - low));
  }
}

template <bool Contexts, bool Raw, bool Checked>
void decode_unit(const lane_decode_table& table, std::uint32_t* states, decode_position& at,
                 const lane_elements& elements, std::size_t first, std::size_t count) noexcept {
  using part = decode_entry<Raw>;
  const std::uint32_t* const entries = table.entries.data();
  const std::uint32_t mask = (std::uint32_t{1} << table.precision) - 1;
  std::uint8_t raw_bits[lane_unit];
  decode_position here = at;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t state = states[i];
    std::uint32_t slot = state & mask;
    if constexpr (Contexts) slot |= std::uint32_t{elements.contexts[first + i]} << table.precision;
    const std::uint32_t entry = entries[slot];
    const std::uint32_t frequency =
        entry >> part::frequency_at & ((1U << part::frequency_bits) - 1);
    const std::uint32_t place = entry >> part::place_at & ((1U << part::place_bits) - 1);
    elements.symbols[first + i] = static_cast<std::uint8_t>(entry);
    if constexpr (Raw) raw_bits[i] = static_cast<std::uint8_t>(entry >> part::raw_at);
    // Below 2^31, since the place is below the frequency and the state below 2^31.
    states[i] = refill<Checked>(frequency * (state >> table.precision) + place, here);
  }
  if constexpr (Raw) {
    for (std::size_t i = 0; i < count; ++i) {
      elements.raw[first + i] = static_cast<std::uint16_t>(states[i] & ((1U << raw_bits[i]) - 1));
      states[i] = refill<Checked>(states[i] >> raw_bits[i], here);
    }
  }
  at = here;
}

template <bool Contexts, bool Raw>
std::size_t decode_elements(const lane_decode_table& table, lane_states& states,
                            decode_position& at, const lane_elements& elements, std::size_t first,
                            std::size_t count) noexcept {
  for (std::size_t i = first; i < count; i += lane_unit) {
    const std::size_t some = std::min<std::size_t>(count - i, lane_unit);
    std::uint32_t* const unit = &states.state[i % states.lanes];
    if (some == lane_unit && static_cast<std::size_t>(at.end - at.next) >= unit_words_bytes)
      decode_unit<Contexts, Raw, false>(table, unit, at, elements, i, lane_unit);
    else
      decode_unit<Contexts, Raw, true>(table, unit, at, elements, i, some);
  }
  return count;
}

void put_word(std::byte*& first, std::uint32_t& state, bool full) noexcept {
  store_le(first - 2, static_cast<std::uint16_t>(state));
  first -= 2 * std::size_t{full};
  state >>= 16 * std::uint32_t{full};
}

template <bool Contexts, bool Raw>
void encode_unit(const lane_encode_table& table, std::uint32_t* states, std::byte*& first,
                 const lane_elements& elements, std::size_t at, std::size_t count) noexcept {
  using part = encode_entry<Raw>;
  const std::uint32_t one = std::uint32_t{1} << table.precision;
  std::uint64_t entry_of[lane_unit];
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t context = Contexts ? elements.contexts[at + i] : 0;
    const std::uint64_t* const entries = &table.entries[context * lane_rans_model::max_symbols];
    entry_of[i] = entries[elements.symbols[at + i]];
    if (entry_of[i] == 0) {
      elements.symbols[at + i] = table.escape;
      entry_of[i] = entries[table.escape];
    }
  }
  std::byte* put = first;
  if constexpr (Raw) {
    for (std::size_t i = count; i-- > 0;) {
      const auto bits = static_cast<unsigned>(entry_of[i] >> (32 + part::raw_at));
      std::uint32_t state = states[i];
      put_word(put, state, state >> (31 - bits) != 0);
      states[i] = state << bits | (elements.raw[at + i] & ((1U << bits) - 1));
    }
  }
  for (std::size_t i = count; i-- > 0;) {
    const auto rest = static_cast<std::uint32_t>(entry_of[i] >> 32);
    const std::uint32_t frequency = rest & ((1U << part::frequency_bits) - 1);
    const std::uint32_t bias = rest >> part::bias_at & ((1U << part::bias_bits) - 1);
    const std::uint32_t shift = rest >> part::shift_at & 15;
    std::uint32_t state = states[i];
    put_word(put, state, state >= frequency << (31 - table.precision));
    const auto quotient = static_cast<std::uint32_t>(
        std::uint64_t{state} * static_cast<std::uint32_t>(entry_of[i]) >> 32 >> shift);
    states[i] = state + bias + quotient * (one - frequency);
  }
  first = put;
}

template <bool Contexts, bool Raw>
std::size_t encode_elements(const lane_encode_table& table, lane_states& states, std::byte*& first,
                            const lane_elements& elements, std::size_t count) noexcept {
  while (count > 0) {
    const std::size_t some = (count - 1) % lane_unit + 1;
    count -= some;
    encode_unit<Contexts, Raw>(table, &states.state[count % states.lanes], first, elements, count,
                               some);
  }
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

}  // namespace lmzip::lane_rans::scalar
