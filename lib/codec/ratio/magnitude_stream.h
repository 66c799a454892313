#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codec/ratio/element_kernels.h"
#include "codec/ratio/entropy_cost.h"
#include "codec/ratio/lane_stream.h"
#include "codec/ratio/magnitude_plan.h"

namespace lmzip::codec::ratio {

// Numbers that are mostly small, coded by their magnitudes (element_kernels.h) in the context of a
// key of each that both sides know. Lower bytes may be kept as they are, groups of zeros left out.

/// What the encoder makes its numbers from: `Source` has
///   using number = std::uint32_t or std::uint64_t;
///   void numbers(std::size_t first, std::size_t count, number* to);
///   void keys(std::size_t first, std::size_t count, std::uint8_t* to);
/// with arrays of block_elements, of which those up to the next multiple of 64 are written to.
template <class Source>
class magnitude_encoder {
  using number = typename Source::number;

 public:
  magnitude_encoder(Source& source, std::size_t elements)
      : source_(source), elements_(elements), plan_(make_plan()) {}

  const magnitude_plan& plan() const noexcept { return plan_; }

  /// Appends the stream to `payload`. False if it takes about `limit` bytes or more.
  bool append_to(std::vector<std::byte>& payload, std::size_t limit);

 private:
  magnitude_plan make_plan();
  void load(std::size_t first, std::size_t count);
  std::size_t leave_out_zeros(std::size_t first, std::size_t count, std::byte* map) noexcept;
  void keep_lows(std::size_t count, std::byte* to) const noexcept;

  Source& source_;
  std::size_t elements_;
  number numbers_[block_elements];
  std::uint32_t heads_[block_elements];
  std::uint8_t keys_[block_elements];
  block_arrays arrays_;
  magnitude_plan plan_;
};

/// What is coded of a number whose `low_bytes` lower bytes are kept as they are.
template <class Number>
std::uint32_t head_of(Number value, unsigned low_bytes) noexcept {
  const Number head = low_bytes == 0 ? value : static_cast<Number>(value >> (8 * low_bytes));
  if constexpr (sizeof(Number) > 4) {
    if (head > 0xffffffff) return 0xffffffff;
  }
  return static_cast<std::uint32_t>(head);
}

template <class Number>
bool all_zero(const Number* numbers, std::size_t count) noexcept {
  Number any = 0;
  for (std::size_t i = 0; i < count; ++i) any |= numbers[i];
  return any == 0;
}

/// Bits (2^-16) that a stream of the source's numbers takes, as a part of a much larger one.
template <class Source>
std::uint64_t estimate_magnitudes(Source& source, std::size_t elements) {
  magnitude_statistics statistics;
  typename Source::number numbers[block_elements];
  std::uint32_t heads[block_elements];
  std::uint16_t raw[block_elements];
  std::uint8_t symbols[block_elements], keys[block_elements];
  const std::size_t measured = std::min(elements, block_elements);
  source.numbers(0, measured, numbers);
  for (std::size_t i = 0; i < measured; ++i)
    statistics.add_width(static_cast<unsigned>(std::bit_width(numbers[i])));
  const unsigned low_bytes = statistics.best_low_bytes(8 * sizeof(numbers[0]));
  for (std::size_t first = 0; first < elements; first += block_elements) {
    const std::size_t count = std::min(block_elements, elements - first);
    source.numbers(first, count, numbers);
    source.keys(first, count, keys);
    const std::size_t padded = (count + kernel_step - 1) / kernel_step * kernel_step;
    for (std::size_t i = 0; i < count; ++i) heads[i] = head_of(numbers[i], low_bytes);
    std::fill(heads + count, heads + padded, 0U);
    active_element_kernels().tell_magnitudes(heads, padded, symbols, raw);
    for (std::size_t at = 0; at < count; at += zero_group) {
      const std::size_t some = std::min(zero_group, count - at);
      statistics.add_group(symbols + at, keys + at, some, all_zero(numbers + at, some));
    }
  }
  return statistics.cost(low_bytes);
}

template <class Source>
magnitude_plan magnitude_encoder<Source>::make_plan() {
  magnitude_statistics statistics;
  // Some groups tell how large numbers are, a third of all groups what comes how often.
  const std::size_t groups = (elements_ + zero_group - 1) / zero_group;
  const auto each_group = [&](std::size_t stride, auto visit) {
    for (std::size_t group = 0; group < groups; group += stride) {
      const std::size_t first = group * zero_group;
      const std::size_t count = std::min(zero_group, elements_ - first);
      source_.numbers(first, count, numbers_);
      visit(first, count);
    }
  };
  each_group(std::max<std::size_t>(groups / 16, 1), [&](std::size_t, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      statistics.add_width(static_cast<unsigned>(std::bit_width(numbers_[i])));
  });
  const unsigned low_bytes = statistics.best_low_bytes(8 * sizeof(number));
  each_group(groups < 64 ? 1 : 3, [&](std::size_t first, std::size_t count) {
    const bool zeros = all_zero(numbers_, count);
    source_.keys(first, count, keys_);
    for (std::size_t i = 0; i < count; ++i) heads_[i] = head_of(numbers_[i], low_bytes);
    const std::size_t padded = (count + kernel_step - 1) / kernel_step * kernel_step;
    std::fill(heads_ + count, heads_ + padded, 0U);
    active_element_kernels().tell_magnitudes(heads_, padded, arrays_.symbols, arrays_.raw);
    statistics.add_group(arrays_.symbols, keys_, count, zeros);
  });
  return statistics.plan(elements_, low_bytes, 8 * sizeof(number));
}

/// Numbers and contexts of a block.
template <class Source>
void magnitude_encoder<Source>::load(std::size_t first, std::size_t count) {
  source_.numbers(first, count, numbers_);
  if (plan_.contexts.count() > 1) {
    source_.keys(first, count, keys_);
    plan_.contexts.of(keys_, count, arrays_.contexts);
  }
}

/// Notes groups of zeros in the map, closes the gaps, and returns how many numbers are left.
template <class Source>
std::size_t magnitude_encoder<Source>::leave_out_zeros(std::size_t first, std::size_t count,
                                                       std::byte* map) noexcept {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < count; at += zero_group) {
    const std::size_t some = std::min(zero_group, count - at);
    const std::size_t group = (first + at) / zero_group;
    if (all_zero(numbers_ + at, some)) {
      map[group / 8] |= static_cast<std::byte>(1 << group % 8);
      continue;
    }
    std::copy_n(numbers_ + at, some, numbers_ + kept);
    std::copy_n(arrays_.contexts + at, some, arrays_.contexts + kept);
    kept += some;
  }
  return kept;
}

template <class Source>
void magnitude_encoder<Source>::keep_lows(std::size_t count, std::byte* to) const noexcept {
  const unsigned bytes = plan_.low_bytes;
  if (bytes == 1) {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::byte>(numbers_[i] & 255);
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    for (unsigned b = 0; b < bytes; ++b)
      to[bytes * i + b] = static_cast<std::byte>(numbers_[i] >> (8 * b) & 255);
}

template <class Source>
bool magnitude_encoder<Source>::append_to(std::vector<std::byte>& payload, std::size_t limit) {
  const auto model = plan_.fit_model();
  lane_writer writer(model, magnitude_raw_bits, plan_.setup.lanes, limit);
  plan_.append_to(payload);
  const std::size_t escapes_at = payload.size();
  lane_writer::append_le(payload, std::uint32_t{0});
  const std::size_t map_at = payload.size();
  payload.resize(map_at + (plan_.zero_groups ? map_bytes(elements_) : 0));
  model.append_to(payload);

  const unsigned low_bytes = plan_.low_bytes;
  const std::size_t lows_size = elements_ * low_bytes;
  const auto lows = std::make_unique_for_overwrite<std::byte[]>(lows_size);
  std::byte* first_low = lows.get() + lows_size;
  std::vector<number> escapes;
  const lane_elements coded{plan_.contexts.count() > 1 ? arrays_.contexts : nullptr,
                            arrays_.symbols, arrays_.raw};
  for (std::size_t blocks = (elements_ + block_elements - 1) / block_elements; blocks-- > 0;) {
    const std::size_t first = blocks * block_elements;
    std::size_t count = std::min(block_elements, elements_ - first);
    load(first, count);
    if (plan_.zero_groups) count = leave_out_zeros(first, count, &payload[map_at]);
    for (std::size_t i = 0; i < count; ++i) heads_[i] = head_of(numbers_[i], low_bytes);
    const std::size_t padded = (count + kernel_step - 1) / kernel_step * kernel_step;
    std::fill(heads_ + count, heads_ + padded, 0U);
    active_element_kernels().tell_magnitudes(heads_, padded, arrays_.symbols, arrays_.raw);
    first_low -= count * low_bytes;
    keep_lows(count, first_low);
    if (!writer.prepend(coded, count)) return false;
    for_each_backwards(arrays_.symbols, count, escaped_magnitude,
                       [&](std::size_t i) { escapes.push_back(numbers_[i]); });
    if (escapes.size() * sizeof(number) > limit) return false;
  }
  const auto low_count = static_cast<std::size_t>(lows.get() + lows_size - first_low);
  if (low_count + writer.words_bytes() + escapes.size() * sizeof(number) > limit) return false;
  store_le(&payload[escapes_at], static_cast<std::uint32_t>(escapes.size()));
  payload.reserve(payload.size() + std::size_t{4} * plan_.setup.lanes + low_count +
                  writer.words_bytes() + escapes.size() * sizeof(number));
  writer.append_states_to(payload);
  payload.insert(payload.end(), first_low, first_low + low_count);
  for (std::size_t i = escapes.size(); i-- > 0;) lane_writer::append_le(payload, escapes[i]);
  writer.append_words_to(payload);
  return true;
}

}  // namespace lmzip::codec::ratio
