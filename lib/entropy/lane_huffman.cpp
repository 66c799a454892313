#include "entropy/lane_huffman.h"

#include <algorithm>
#include <cstring>

#include "core/cpu.h"
#include "entropy/lane_kernels.h"

namespace lmzip {
namespace {

const lane_kernels& active_kernels(unsigned lanes) noexcept {
  if (lanes == few_lanes) return lanes_scalar::few;
#if defined(__x86_64__)
  if (active_has_byte_permutes()) return lanes_avx512::many;
  if (active_isa() >= isa::avx2) return lanes_avx2::many;
#endif
  return lanes_scalar::many;
}

}  // namespace

lane_decoding_tables::lane_decoding_tables(const lane_code& code, unsigned lane_count)
    : kernels(active_kernels(lane_count)),
      lanes(lane_count),
      limit(code.limit()),
      escape_value(code.escape_value()) {
  const auto put = [&](lane_code::entry entry, unsigned value) {
    for (unsigned bits = entry.bits; bits < singles.size(); bits += 1u << entry.length)
      singles[bits] = static_cast<std::uint16_t>(value | entry.length << 8);
  };
  for (unsigned value = 0; value < 256; ++value)
    if (const auto entry = code[static_cast<std::uint8_t>(value)]; entry.length != 0)
      put(entry, value);
  if (code.escape().length != 0) put(code.escape(), escape_value);
  for (std::size_t bits = 0; bits < singles.size(); ++bits) {
    values[bits] = static_cast<std::uint8_t>(singles[bits]);
    lengths[bits] = static_cast<std::uint8_t>(singles[bits] >> 8);
  }
  if (!kernels.needs_pairs) return;
  for (std::uint32_t bits = 0; bits < pairs.size(); ++bits) {
    const std::uint32_t pair = long_pair(bits);
    pairs[bits] = pair >> 16 <= pair_bits ? pair : too_long;
  }
}

lane_encoding_tables::lane_encoding_tables(const lane_code& code) : escape(code.escape()) {
  for (unsigned value = 0; value < 256; ++value) {
    const auto own = code[static_cast<std::uint8_t>(value)];
    const auto used = own.length != 0 ? own : escape;
    codes[value] = used.bits | std::uint32_t{used.length} << 16 | (own.length != 0 ? 0 : escaped);
    numbers[value] = lane_code::max_values;
    if (own.length == 0) continue;
    numbers[value] = escape_number;
    bits_of_numbers[escape_number] = own.bits;
    lengths_of_numbers[escape_number++] = own.length;
  }
  std::replace(numbers.begin(), numbers.end(), std::uint8_t{lane_code::max_values}, escape_number);
  bits_of_numbers[escape_number] = escape.bits;
  lengths_of_numbers[escape_number] = escape.length;
  for (unsigned upper = 0; upper < 256; upper += 16) {
    row& next = rows[row_count];
    next.upper = static_cast<std::uint8_t>(upper);
    bool used = false;
    for (unsigned lower = 0; lower < 16; ++lower) {
      const auto own = code[static_cast<std::uint8_t>(upper + lower)];
      next.bits[lower] = own.bits;
      next.lengths[lower] = own.length;
      used = used || own.length != 0;
    }
    row_count += used;
  }
}

lane_decoder::lane_decoder(const lane_decoding_tables& tables, const lane_states& start,
                           std::span<const std::byte> words,
                           std::span<const std::byte> escapes) noexcept
    : tables_(tables),
      states_(start),
      word_(reinterpret_cast<const std::uint8_t*>(words.data())),
      words_end_(word_ + words.size()),
      escape_(reinterpret_cast<const std::uint8_t*>(escapes.data())),
      escapes_end_(escape_ + escapes.size()) {}

bool lane_decoder::decode(std::span<std::uint8_t> values) noexcept {
  const lane_kernels& kernels = tables_.kernels;
  const std::size_t group = group_values(tables_.lanes);
  const std::size_t groups = values.size() / group;
  for (std::size_t done = 0; done < groups;) {
    if (!in_tail_ && words_end_ - word_ < static_cast<std::ptrdiff_t>(tail_.size() / 2))
      enter_tail();
    if (word_ > words_end_) return false;
    const std::uint8_t* const last =
        in_tail_ ? words_end_ : words_end_ - static_cast<std::ptrdiff_t>(tail_.size() / 2);
    done +=
        kernels.decode(tables_, states_, word_, last, values.data() + done * group, groups - done);
  }
  return kernels.resolve(tables_.escape_value, values.data(), groups * group, escape_,
                         escapes_end_);
}

void lane_decoder::enter_tail() noexcept {
  const auto left = static_cast<std::size_t>(words_end_ - word_);
  tail_ = {};
  std::copy(word_, words_end_, tail_.begin());
  word_ = tail_.data();
  words_end_ = word_ + left;
  in_tail_ = true;
}

bool lane_decoder::exhausted() const noexcept {
  const auto is_zero = [](std::uint32_t value) { return value == 0; };
  return word_ == words_end_ && escape_ == escapes_end_ &&
         std::all_of(states_.bits.begin(), states_.bits.begin() + tables_.lanes, is_zero) &&
         std::all_of(states_.extra.begin(), states_.extra.begin() + tables_.lanes, is_zero);
}

lane_encoder::lane_encoder(const lane_encoding_tables& tables, unsigned lanes,
                           std::span<std::byte> words, std::span<std::byte> escapes) noexcept
    : tables_(tables),
      lanes_(lanes),
      word_(reinterpret_cast<std::uint8_t*>(words.data()) + words.size()),
      words_end_(word_),
      escape_(reinterpret_cast<std::uint8_t*>(escapes.data()) + escapes.size()),
      escapes_end_(escape_) {}

void lane_encoder::encode(std::span<const std::uint8_t> values) noexcept {
  active_kernels(lanes_).encode(tables_, states_, values.data(),
                                values.size() / group_values(lanes_), word_, escape_);
}

std::span<const std::byte> lane_encoder::words() const noexcept {
  return std::as_bytes(std::span<const std::uint8_t>(word_, words_end_));
}

std::span<const std::byte> lane_encoder::escapes() const noexcept {
  return std::as_bytes(std::span<const std::uint8_t>(escape_, escapes_end_));
}

// What has been shifted out above the bits that count is still there until now.
const lane_states& lane_encoder::states() noexcept {
  for (unsigned lane = 0; lane < lanes_; ++lane)
    states_.bits[lane] &= (1u << (16 + states_.extra[lane])) - 1;
  return states_;
}

}  // namespace lmzip
