#include <algorithm>
#include <memory>
#include <optional>

#include "codec/ratio/element_kernels.h"
#include "codec/ratio/integer_source.h"
#include "codec/ratio/lane_stream.h"
#include "codec/ratio/magnitude_decoder.h"
#include "codec/ratio/ratio_codec.h"
#include "codec/ratio/ratio_memory.h"
#include "codec/ratio/row_column.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace ratio {
namespace {

constexpr unsigned setup_bits = 15;

[[noreturn]] void refuse_end() {
  throw error(errc::damaged, "a tensor's code does not end as it should");
}

[[noreturn]] void refuse_flags() {
  throw error(errc::damaged, "a tensor's code has unknown flags");
}

/// What follows the header and a model, up to the words.
struct level_parts {
  std::span<const std::byte> states, rests, lows, tail, escapes, words;
};

class level_decoder {
 public:
  level_decoder(layout which, std::span<std::byte> plain)
      : facts_(facts_of(which)),
        how_{facts_.rest_bits},
        elements_(plain.size() / facts_.element_bytes),
        plain_(plain) {}

  void decode(cursor& in);

 private:
  void restore(std::size_t first, std::size_t count, const level_parts& parts,
               escape_list<std::uint16_t>& escapes);

  layout_facts facts_;
  float_split how_;
  std::size_t elements_;
  std::span<std::byte> plain_;
  unsigned rest_bits_ = 0;
  std::int16_t base_ = 0;
  std::optional<row_column_model> predicted_;
  block_arrays arrays_;
  std::uint16_t tops_[block_elements];
  std::int16_t offsets_[block_elements];
  std::uint8_t rests_[block_elements];
};

void level_decoder::decode(cursor& in) {
  const unsigned flags = in.u8();
  if (flags >= 2 * flag_row_column) refuse_flags();
  const lane_setup setup = lane_setup::of_code(flags & setup_bits);
  rest_bits_ = facts_.rest_bits + ((flags & flag_no_sign) != 0 ? 0 : 1);
  const std::size_t escape_count = in.u32();
  if ((flags & flag_row_column) != 0)
    predicted_ = row_column_model::read(elements_, in);
  else
    base_ = static_cast<std::int16_t>(in.u16());
  lane_rans_model::shape alphabet;
  alphabet.precision = setup.precision;
  alphabet.contexts = predicted_ ? row_column_model::contexts : 1;
  const auto model = lane_rans_model::read(alphabet, in);
  if (escape_count > elements_) throw error(errc::damaged, "there are too many escapes");

  level_parts parts;
  parts.states = in.bytes(std::size_t{4} * setup.lanes);
  parts.rests = in.bytes((elements_ + kernel_step - 1) / kernel_step * 8 * rest_bits_);
  parts.lows = in.bytes(elements_ * facts_.low_bytes);
  parts.tail = in.bytes(plain_.size() - elements_ * facts_.element_bytes);
  parts.escapes = in.bytes(escape_count * sizeof(std::uint16_t));
  parts.words = in.bytes(in.remaining());
  const lane_decode_table table(model, {});
  lane_rans_decoder coder(table, setup.lanes, parts.states, parts.words);
  escape_list<std::uint16_t> escapes(parts.escapes);
  const lane_elements coded{predicted_ ? arrays_.contexts : nullptr, arrays_.symbols, nullptr};
  for (std::size_t first = 0; first < elements_; first += block_elements) {
    const std::size_t count = std::min(block_elements, elements_ - first);
    if (predicted_) predicted_->predict(first, count, offsets_, arrays_.contexts);
    coder.decode(coded, count);
    restore(first, count, parts, escapes);
  }
  if (!coder.finished() || !escapes.empty()) refuse_end();
  std::copy(parts.tail.begin(), parts.tail.end(), plain_.end() - std::ssize(parts.tail));
}

void level_decoder::restore(std::size_t first, std::size_t count, const level_parts& parts,
                            escape_list<std::uint16_t>& escapes) {
  const std::size_t padded = (count + kernel_step - 1) / kernel_step * kernel_step;
  const element_kernels& kernels = active_element_kernels();
  kernels.unpack(rest_bits_, &parts.rests[first / kernel_step * 8 * rest_bits_], padded, rests_);
  kernels.join(how_, arrays_.symbols, rests_, predicted_ ? offsets_ : nullptr, base_, padded,
               tops_);
  for_each_forwards(arrays_.symbols, count, escaped_level, [&](std::size_t i) {
    const std::uint16_t level = escapes.next();
    if (level > how_.level_mask()) throw error(errc::damaged, "an escaped level is out of range");
    const auto others = static_cast<std::uint16_t>(~(how_.level_mask() << how_.rest_bits));
    tops_[i] = static_cast<std::uint16_t>((tops_[i] & others) | level << how_.rest_bits);
  });
  kernels.put_elements(facts_.element_bytes, tops_, parts.lows.data() + first * facts_.low_bytes,
                       count, &plain_[first * facts_.element_bytes]);
}

void decode_bytes(layout which, cursor& in, std::span<std::byte> plain) {
  const layout_facts facts = facts_of(which);
  const std::size_t elements = plain.size() / facts.element_bytes;
  const unsigned flags = in.u8();
  if (flags > setup_bits) refuse_flags();
  const lane_setup setup = lane_setup::of_code(flags);
  const std::size_t escape_count = in.u32();
  lane_rans_model::shape alphabet;
  alphabet.precision = setup.precision;
  alphabet.escape = in.u8();
  const auto model = lane_rans_model::read(alphabet, in);
  if (escape_count > elements) throw error(errc::damaged, "there are too many escapes");
  const auto states = in.bytes(std::size_t{4} * setup.lanes);
  const std::byte* const lows = in.bytes(elements * facts.low_bytes).data();
  const auto tail = in.bytes(plain.size() - elements * facts.element_bytes);
  escape_list<std::uint8_t> escapes(in.bytes(escape_count));
  const lane_decode_table table(model, {});
  lane_rans_decoder coder(table, setup.lanes, states, in.bytes(in.remaining()));
  alignas(64) std::uint8_t symbols[block_elements];
  for (std::size_t first = 0; first < elements; first += block_elements) {
    const std::size_t count = std::min(block_elements, elements - first);
    coder.decode({nullptr, symbols, nullptr}, count);
    for_each_forwards(symbols, count, static_cast<std::uint8_t>(alphabet.escape),
                      [&](std::size_t i) { symbols[i] = escapes.next(); });
    if (which == layout::halves)
      active_element_kernels().join_halves(symbols, lows + first, count, &plain[2 * first]);
    else
      std::memcpy(&plain[first], symbols, count);
  }
  if (!coder.finished() || !escapes.empty()) refuse_end();
  std::copy(tail.begin(), tail.end(), plain.end() - std::ssize(tail));
}

template <class Word>
void decode_integers(cursor& in, std::span<std::byte> plain) {
  const std::size_t elements = plain.size() / sizeof(Word);
  const unsigned flags = in.u8();
  if ((flags & ~flag_signed) != 0) refuse_flags();
  const auto tail = in.bytes(plain.size() - elements * sizeof(Word));
  integer_sink<Word> sink(plain.data(), (flags & flag_signed) != 0);
  std::make_unique<magnitude_decoder<integer_sink<Word>>>(sink)->decode(elements, in);
  std::copy(tail.begin(), tail.end(), plain.end() - std::ssize(tail));
}

void decode_layout(layout which, cursor& in, std::span<std::byte> plain) {
  switch (which) {
    case layout::stored: {
      const auto bytes = in.bytes(in.remaining());
      if (bytes.size() != plain.size())
        throw error(errc::damaged, "a stored tensor has a wrong size");
      std::copy(bytes.begin(), bytes.end(), plain.begin());
      return;
    }
    case layout::bytes:
    case layout::halves:
      return decode_bytes(which, in, plain);
    case layout::bf16:
    case layout::f32:
    case layout::f64:
      return std::make_unique<level_decoder>(which, plain)->decode(in);
    case layout::integers16:
      return decode_integers<std::uint16_t>(in, plain);
    case layout::integers32:
      return decode_integers<std::uint32_t>(in, plain);
    case layout::integers64:
      return decode_integers<std::uint64_t>(in, plain);
  }
  throw error(errc::damaged, "a tensor has an unknown layout");
}

std::uint64_t memory(std::uint32_t parameters, std::uint64_t plain_bytes, const shared_model*) {
  if (parameters >= dtype_count || plain_bytes > max_ratio_block_bytes)
    throw error(errc::damaged, "a block that no encoder of this codec writes");
  return decoding_memory(plain_bytes);
}

void decode_block(std::uint32_t parameters, std::span<const std::byte> coded,
                  std::span<std::byte> plain, const decoding_context&) {
  memory(parameters, plain.size(), nullptr);
  decode(coded, plain);
}

std::string describe(std::uint32_t parameters) {
  if (parameters >= dtype_count) return {};
  return std::string(name_of(static_cast<dtype>(parameters)));
}

}  // namespace

void decode(std::span<const std::byte> coded, std::span<std::byte> plain) {
  try {
    cursor in(coded);
    decode_layout(static_cast<layout>(in.u8()), in, plain);
  } catch (const error& e) {
    if (e.code() != errc::truncated) throw;
    throw error(errc::damaged, "a tensor's code ends too early");
  }
}

std::uint64_t decoding_memory(std::uint64_t plain_bytes) noexcept {
  // Parts of rows and columns, of two bytes an element or more.
  return fixed_decoding_memory + plain_bytes;
}

}  // namespace ratio

const decoder ratio_decoder_v0 = {
    codec_id::ratio, 0, "ratio", ratio::memory, ratio::decode_block, ratio::describe,
    needs_no_model};

}  // namespace lmzip::codec
