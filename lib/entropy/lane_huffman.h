#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "entropy/lane_code.h"

namespace lmzip {

struct lane_kernels;

// Bytes in a lane_code, dealt out to 64 lanes (or 4, for few bytes) that share one stream of 16-bit
// words. A processor works on many lanes at once, and there are neither streams to align nor their
// lengths to write.
//
// Groups. Values are coded in groups of 4 a lane; lane i has the values 4i … 4i + 3 of a group. In
// the first round of a group every lane codes its first two values, in the second the others.
//
// Lanes. A lane holds 16 … 31 bits, the next one lowest. It takes two values, at most 16 bits, from
// them; then, in order of lanes, each lane with less than 16 bits left takes the next word of the
// stream and puts it above its bits. The bits that the lanes start with are not in the stream. At
// the end every lane holds 16 zero bits. The encoder works backwards, so it knows who takes which
// word.
//
// Escapes. A value without a code of its own is coded as the escape, and the value put in a list,
// in order of values.

inline constexpr unsigned many_lanes = 64;
inline constexpr unsigned few_lanes = 4;

/// Values of a group.
constexpr std::size_t group_values(unsigned lanes) noexcept { return 4 * std::size_t{lanes}; }

/// What the lanes hold. Lanes that are not in use are not looked at.
struct lane_states {
  alignas(64) std::array<std::uint32_t, many_lanes> bits{};   ///< zero above those that count
  alignas(64) std::array<std::uint32_t, many_lanes> extra{};  ///< how many count, minus 16
};

/// What decoding looks up. Two values at once as long as their codes have 12 bits together, which
/// nearly all have and which leaves half of a first-level cache of 32 KiB to the data.
struct lane_decoding_tables {
  static constexpr unsigned pair_bits = 12;
  static constexpr std::uint32_t too_long = std::uint32_t{1} << 31;

  /// For `lanes`, which is many_lanes or few_lanes, on the active instruction set (core/cpu.h).
  lane_decoding_tables(const lane_code& code, unsigned lanes);

  const lane_kernels& kernels;  ///< that decode by these tables
  unsigned lanes;

  /// By the next 12 bits: first value, second value << 8, length << 16; or too_long. Not filled in
  /// for kernels that do without.
  alignas(64) std::array<std::uint32_t, 1 << pair_bits> pairs;
  /// By the next 8 bits: value, length << 8.
  std::array<std::uint16_t, 1 << lane_code::max_limit> singles;
  /// The same apart.
  alignas(64) std::array<std::uint8_t, 1 << lane_code::max_limit> lengths;
  alignas(64) std::array<std::uint8_t, 1 << lane_code::max_limit> values;
  unsigned limit;  ///< of the code
  std::uint8_t escape_value;

  /// The entry of `pairs` as if that had 16 bits.
  std::uint32_t long_pair(std::uint32_t bits) const noexcept {
    const std::uint32_t first = singles[bits & 0xff];
    const std::uint32_t second = singles[bits >> (first >> 8) & 0xff];
    return (first & 0xff) | (second & 0xff) << 8 | ((first >> 8) + (second >> 8)) << 16;
  }
};

/// What encoding looks up.
struct lane_encoding_tables {
  static constexpr std::uint32_t escaped = std::uint32_t{1} << 31;

  explicit lane_encoding_tables(const lane_code& code);

  /// By value: its code, or the escape's | escaped; length << 16.
  std::array<std::uint32_t, 256> codes;
  lane_code::entry escape;

  /// Values with a code are numbered without gaps; the number after the last stands for all others.
  alignas(64) std::array<std::uint8_t, 256> numbers;
  alignas(64) std::array<std::uint8_t, 64> bits_of_numbers{};
  alignas(64) std::array<std::uint8_t, 64> lengths_of_numbers{};
  std::uint8_t escape_number = 0;

  /// The codes of 16 values that share their upper half byte; length 0 for those without one.
  struct row {
    std::uint8_t upper;  ///< the half byte, in its place
    std::array<std::uint8_t, 16> bits;
    std::array<std::uint8_t, 16> lengths;
  };
  /// Those in which a value has a code.
  std::array<row, 16> rows;
  unsigned row_count = 0;
};

/// Reads the values of a stream from front to back, in as many calls as the caller likes.
class lane_decoder {
 public:
  /// All that is given must outlive the decoder.
  lane_decoder(const lane_decoding_tables& tables, const lane_states& start,
               std::span<const std::byte> words, std::span<const std::byte> escapes) noexcept;

  /// Decodes the next values; `values` holds whole groups. False if the stream is damaged; it is
  /// safe then to go on, and what is decoded is of no meaning.
  bool decode(std::span<std::uint8_t> values) noexcept;

  /// Whether the stream ends here as streams do.
  bool exhausted() const noexcept;

 private:
  void enter_tail() noexcept;

  // A group takes up to 256 bytes of words, and a vector is read at the place of the next word.
  static constexpr std::size_t group_bytes = 256;
  static constexpr std::size_t vector_bytes = 64;

  const lane_decoding_tables& tables_;
  lane_states states_;
  const std::uint8_t* word_;
  const std::uint8_t* words_end_;
  const std::uint8_t* escape_;
  const std::uint8_t* escapes_end_;
  bool in_tail_ = false;
  // The last words, with zeros behind, so that no group reads past the end of the stream.
  std::array<std::uint8_t, 2 * (group_bytes + vector_bytes)> tail_;
};

/// Writes a stream from back to front.
class lane_encoder {
 public:
  /// Bytes in front of the words that are overwritten at the end of each call of encode().
  static constexpr std::size_t slack = 64;

  /// Words are written from the end of `words` down and need 1 byte a value at the most, and
  /// `slack`; escapes from the end of `escapes` down, at most 1 byte a value, and `slack`.
  lane_encoder(const lane_encoding_tables& tables, unsigned lanes, std::span<std::byte> words,
               std::span<std::byte> escapes) noexcept;

  /// Codes `values`, whole groups, which stand before those of the calls so far.
  void encode(std::span<const std::uint8_t> values) noexcept;

  std::span<const std::byte> words() const noexcept;
  std::span<const std::byte> escapes() const noexcept;
  const lane_states& states() noexcept;

 private:
  const lane_encoding_tables& tables_;
  unsigned lanes_;
  lane_states states_;
  std::uint8_t* word_;
  std::uint8_t* words_end_;
  std::uint8_t* escape_;
  std::uint8_t* escapes_end_;
};

}  // namespace lmzip
