#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "codec/ratio/element_kernels.h"
#include "codec/ratio/lane_stream.h"
#include "codec/ratio/magnitude_plan.h"
#include "core/cursor.h"
#include "lmzip/error.h"

namespace lmzip::codec::ratio {

/// Decodes a magnitude stream (magnitude_stream.h). `Sink` has
///   using number = std::uint32_t or std::uint64_t;
///   void keys(std::size_t first, std::size_t count, std::uint8_t* to);
///   void put(std::size_t first, std::size_t count, const number* from);
/// with arrays of block_elements; keys() may write to the next multiple of 64.
template <class Sink>
class magnitude_decoder {
  using number = typename Sink::number;

 public:
  explicit magnitude_decoder(Sink& sink) : sink_(sink) {}

  /// `in` ends with the stream. Throws error(damaged) or error(truncated).
  void decode(std::size_t elements, cursor& in);

 private:
  std::size_t left_out(std::size_t first, std::size_t count) noexcept;
  void keep_contexts(std::size_t count) noexcept;
  void spread_numbers(std::size_t count, std::size_t kept) noexcept;
  void join(std::size_t count, escape_list<number>& escapes, const std::byte* lows);

  Sink& sink_;
  magnitude_plan plan_;
  std::span<const std::byte> map_;
  bool zeros_[block_elements / zero_group];
  number numbers_[block_elements];
  std::uint32_t heads_[block_elements];
  std::uint8_t keys_[block_elements];
  block_arrays arrays_;
};

/// Notes which groups of a block are left out, and returns how many numbers are not.
template <class Sink>
std::size_t magnitude_decoder<Sink>::left_out(std::size_t first, std::size_t count) noexcept {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < count; at += zero_group) {
    const std::size_t group = (first + at) / zero_group;
    const bool zeros =
        !map_.empty() && (std::to_integer<unsigned>(map_[group / 8]) >> group % 8 & 1) != 0;
    zeros_[at / zero_group] = zeros;
    if (!zeros) kept += std::min(zero_group, count - at);
  }
  return kept;
}

template <class Sink>
void magnitude_decoder<Sink>::keep_contexts(std::size_t count) noexcept {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < count; at += zero_group) {
    if (zeros_[at / zero_group]) continue;
    const std::size_t some = std::min(zero_group, count - at);
    std::memmove(arrays_.contexts + kept, arrays_.contexts + at, some);
    kept += some;
  }
}

/// Moves the numbers to their groups, the last ones first, and puts zeros between.
template <class Sink>
void magnitude_decoder<Sink>::spread_numbers(std::size_t count, std::size_t kept) noexcept {
  for (std::size_t groups = (count + zero_group - 1) / zero_group; groups-- > 0;) {
    const std::size_t at = groups * zero_group;
    const std::size_t some = std::min(zero_group, count - at);
    if (zeros_[groups]) {
      std::fill_n(numbers_ + at, some, number{0});
    } else {
      kept -= some;
      std::memmove(numbers_ + at, numbers_ + kept, some * sizeof(number));
    }
  }
}

template <class Sink>
void magnitude_decoder<Sink>::join(std::size_t count, escape_list<number>& escapes,
                                   const std::byte* lows) {
  active_element_kernels().join_magnitudes(
      arrays_.symbols, arrays_.raw, (count + kernel_step - 1) / kernel_step * kernel_step, heads_);
  const unsigned bytes = plan_.low_bytes;
  if (bytes == 0) {
    std::copy_n(heads_, count, numbers_);
  } else if (bytes == 1) {
    for (std::size_t i = 0; i < count; ++i)
      numbers_[i] = static_cast<number>(number{heads_[i]} << 8 | std::to_integer<number>(lows[i]));
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      number value = heads_[i];
      for (unsigned b = bytes; b-- > 0;)
        value = static_cast<number>(value << 8 | std::to_integer<number>(lows[bytes * i + b]));
      numbers_[i] = value;
    }
  }
  for_each_forwards(arrays_.symbols, count, escaped_magnitude,
                    [&](std::size_t i) { numbers_[i] = escapes.next(); });
}

template <class Sink>
void magnitude_decoder<Sink>::decode(std::size_t elements, cursor& in) {
  plan_ = magnitude_plan::read(in);
  if (8 * plan_.low_bytes >= 8 * sizeof(number))
    throw error(errc::damaged, "numbers have fewer bytes than are kept");
  const std::size_t escape_count = in.u32();
  if (plan_.zero_groups) map_ = in.bytes(map_bytes(elements));
  std::size_t kept_elements = 0;
  for (std::size_t first = 0; first < elements; first += block_elements)
    kept_elements += left_out(first, std::min(block_elements, elements - first));
  const auto model = lane_rans_model::read(plan_.alphabet(), in);
  const auto states = in.bytes(std::size_t{4} * plan_.setup.lanes);
  const std::byte* lows = in.bytes(kept_elements * plan_.low_bytes).data();
  if (escape_count > kept_elements) throw error(errc::damaged, "there are too many escapes");
  escape_list<number> escapes(in.bytes(escape_count * sizeof(number)));
  const lane_decode_table table(model, magnitude_raw_bits);
  lane_rans_decoder coder(table, plan_.setup.lanes, states, in.bytes(in.remaining()));

  const bool contexts = plan_.contexts.count() > 1;
  const lane_elements coded{contexts ? arrays_.contexts : nullptr, arrays_.symbols, arrays_.raw};
  for (std::size_t first = 0; first < elements; first += block_elements) {
    const std::size_t count = std::min(block_elements, elements - first);
    const std::size_t kept = left_out(first, count);
    if (contexts) {
      sink_.keys(first, count, keys_);
      plan_.contexts.of(keys_, count, arrays_.contexts);
      if (kept != count) keep_contexts(count);
    }
    coder.decode(coded, kept);
    join(kept, escapes, lows);
    lows += kept * plan_.low_bytes;
    if (kept != count) spread_numbers(count, kept);
    sink_.put(first, count, numbers_);
  }
  if (!coder.finished() || !escapes.empty())
    throw error(errc::damaged, "a stream of magnitudes does not end as it should");
}

}  // namespace lmzip::codec::ratio
