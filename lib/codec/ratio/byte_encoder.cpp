#include <algorithm>
#include <array>

#include "codec/ratio/element_kernels.h"
#include "codec/ratio/entropy_cost.h"
#include "codec/ratio/lane_stream.h"
#include "codec/ratio/layout_encoders.h"

namespace lmzip::codec::ratio {
namespace {

constexpr unsigned escape_bits = 8;

using byte_counts = std::array<std::uint32_t, lane_rans_model::max_symbols>;

/// Symbols of elements [first, first + count); the lower bytes of halves to `lows`.
void split(layout which, std::span<const std::byte> plain, std::size_t first, std::size_t count,
           std::uint8_t* symbols, std::byte* lows) noexcept {
  if (which == layout::halves)
    active_element_kernels().split_halves(&plain[2 * first], count, symbols, lows);
  else
    std::memcpy(symbols, &plain[first], count);
}

/// Counts all symbols of a small tensor, a third of those of others.
byte_counts count_symbols(layout which, std::span<const std::byte> plain, std::size_t elements) {
  constexpr std::size_t run = 512;
  std::array<byte_counts, 4> counts{};
  std::uint8_t symbols[run];
  std::byte lows[run];
  for (std::size_t at = 0; at < elements; at += elements < 8 * run ? run : 3 * run) {
    const std::size_t some = std::min(run, elements - at);
    split(which, plain, at, some, symbols, lows);
    std::size_t i = 0;
    // By turns, so that equal neighbours do not wait for each other.
    for (; i + 4 <= some; i += 4)
      for (std::size_t k = 0; k < 4; ++k) ++counts[k][symbols[i + k]];
    for (; i < some; ++i) ++counts[0][symbols[i]];
  }
  for (std::size_t k = 1; k < 4; ++k)
    for (std::size_t s = 0; s < counts[0].size(); ++s) counts[0][s] += counts[k][s];
  return counts[0];
}

}  // namespace

std::optional<std::vector<std::byte>> encode_bytes(layout which, std::span<const std::byte> plain) {
  const layout_facts facts = facts_of(which);
  const std::size_t elements = plain.size() / facts.element_bytes;
  const auto tail = plain.subspan(elements * facts.element_bytes);
  const byte_counts counts = count_symbols(which, plain, elements);
  const lane_setup setup{lanes_for(elements), 12};
  lane_rans_model::shape alphabet;
  alphabet.precision = setup.precision;
  // The rarest symbol stands for the escape too.
  alphabet.escape =
      static_cast<unsigned>(std::min_element(counts.begin(), counts.end()) - counts.begin());
  const auto model = lane_rans_model::fit(alphabet, counts, escape_bits);

  std::vector<std::byte> head;
  head.push_back(static_cast<std::byte>(which));
  head.push_back(static_cast<std::byte>(setup.code()));
  lane_writer::append_le(head, std::uint32_t{0});
  head.push_back(static_cast<std::byte>(alphabet.escape));
  model.append_to(head);
  const std::size_t lows_at = head.size() + std::size_t{4} * setup.lanes;
  const std::size_t fixed = lows_at + elements * facts.low_bytes + tail.size();
  if (fixed >= plain.size()) return std::nullopt;

  std::vector<std::byte> payload(fixed - tail.size());
  lane_writer writer(model, {}, setup.lanes, plain.size() - fixed);
  std::vector<std::uint8_t> escapes;
  alignas(64) std::uint8_t symbols[block_elements];
  std::byte no_lows[1];
  for (std::size_t blocks = (elements + block_elements - 1) / block_elements; blocks-- > 0;) {
    const std::size_t first = blocks * block_elements;
    const std::size_t count = std::min(block_elements, elements - first);
    split(which, plain, first, count, symbols,
          facts.low_bytes != 0 ? &payload[lows_at + first] : no_lows);
    if (!writer.prepend({nullptr, symbols, nullptr}, count)) return std::nullopt;
    for_each_backwards(symbols, count, static_cast<std::uint8_t>(alphabet.escape),
                       [&](std::size_t i) {
                         const std::byte* const at = &plain[(first + i) * facts.element_bytes];
                         std::uint8_t symbol;
                         std::byte low;
                         split(which, {at, facts.element_bytes}, 0, 1, &symbol, &low);
                         escapes.push_back(symbol);
                       });
  }
  if (fixed + escapes.size() + writer.words_bytes() >= plain.size()) return std::nullopt;
  store_le(&head[2], static_cast<std::uint32_t>(escapes.size()));
  writer.append_states_to(head);
  std::copy(head.begin(), head.end(), payload.begin());
  payload.reserve(fixed + escapes.size() + writer.words_bytes());
  payload.insert(payload.end(), tail.begin(), tail.end());
  for (std::size_t i = escapes.size(); i-- > 0;)
    payload.push_back(static_cast<std::byte>(escapes[i]));
  writer.append_words_to(payload);
  return payload;
}

std::uint64_t estimate_bytes(layout which, std::span<const std::byte> sample) noexcept {
  const layout_facts facts = facts_of(which);
  const std::size_t elements = sample.size() / facts.element_bytes;
  byte_counts counts{};
  std::uint8_t symbols[block_elements];
  std::byte lows[block_elements];
  for (std::size_t at = 0; at < elements; at += block_elements) {
    const std::size_t some = std::min(block_elements, elements - at);
    split(which, sample, at, some, symbols, lows);
    for (std::size_t i = 0; i < some; ++i) ++counts[symbols[i]];
  }
  return entropy_cost(counts) + std::uint64_t{elements} * 8 * facts.low_bytes * one_bit;
}

}  // namespace lmzip::codec::ratio
