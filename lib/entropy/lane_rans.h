#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/cursor.h"
#include "entropy/lane_rans_model.h"

namespace lmzip {

// Range asymmetric numeral systems (J. Duda, arXiv 1311.2540, 2013) with static frequencies and
// many interleaved states, so that vector instructions work on all of them at once (F. Giesen,
// "Interleaved entropy coders", arXiv 1402.3392, 2014). Element i belongs to lane i mod lanes. A
// state lies in [2^15, 2^31). After each step the lanes whose state is below take 16 bits, the next
// words of one shared stream in the order of the lanes: no lane has a pointer of its own.
//
// An element is a symbol coded in a context; then, where the stream has raw bits, the number of raw
// bits that its symbol has (0 … 15), taken from the state of the same lane. Lanes are worked on in
// units of 16: the words of a unit's symbols come first, then those of its raw bits, then those of
// the next unit. The last elements may be fewer than a unit; then the other lanes are left alone.
// The encoder works backwards, from all states at 2^15; what it ends with the decoder starts with.

inline constexpr unsigned lane_unit = 16;
inline constexpr unsigned max_lanes = 128;
inline constexpr unsigned max_raw_bits = 15;

/// With raw bits, frequencies are in units of 2^-10 at the finest.
inline constexpr unsigned max_raw_precision = 10;

/// Raw bits of each symbol, at most max_raw_bits; an empty span stands for none at all.
using raw_bits_of_symbols = std::span<const std::uint8_t>;

/// What the decoder looks up, 2^precision entries a context.
struct lane_decode_table {
  lane_decode_table(const lane_rans_model& model, raw_bits_of_symbols raw_bits);

  unsigned precision;
  unsigned contexts;
  bool has_raw_bits;
  /// By context << precision | (state mod 2^precision): with raw bits symbol (8 bits), frequency
  /// (10), place within it (10), raw bits (4); without them symbol (8), frequency (12), place (12).
  std::vector<std::uint32_t> entries;
};

/// What the encoder looks up, by context * 256 + symbol.
struct lane_encode_table {
  lane_encode_table(const lane_rans_model& model, raw_bits_of_symbols raw_bits);

  unsigned precision;
  unsigned contexts;
  bool has_raw_bits;
  std::uint8_t escape;
  /// Low half: reciprocal of the frequency. High half: frequency (12 bits), bias (13), shift (4);
  /// with raw bits frequency (12), bias (12), shift (4), raw bits (4). 0: cannot be coded.
  std::vector<std::uint64_t> entries;
};

/// States of the lanes and the place in the words. `lanes` is a multiple of lane_unit.
struct lane_states {
  alignas(64) std::array<std::uint32_t, max_lanes> state;
  unsigned lanes;
};

/// Elements to code or decoded; `contexts` is null where there is one, `raw` where none has bits.
struct lane_elements {
  const std::uint8_t* contexts;  ///< below the model's number of contexts
  std::uint8_t* symbols;
  std::uint16_t* raw;
};

/// Codes elements from the last ones to the first.
class lane_rans_encoder {
 public:
  /// `lanes` is 16, 32, 64 or 128. The words are written to the end of `room`. `table` is used
  /// until the encoder is gone.
  lane_rans_encoder(const lane_encode_table& table, unsigned lanes, std::span<std::byte> room);

  /// More room than `count` elements take.
  static constexpr std::size_t room_for(std::size_t count) noexcept { return 4 * count + 64; }

  /// Codes `count` elements that come before those coded so far: a multiple of `lanes`, but for the
  /// first call. room() must be room_for(count) at least. Symbols without a frequency become the
  /// escape in place. `raw` numbers must not have more bits than their symbols; those of symbols
  /// that become escapes do not matter, and the escape has no raw bits.
  void prepend(const lane_elements& elements, std::size_t count) noexcept;

  std::size_t room() const noexcept { return static_cast<std::size_t>(first_ - room_.data()); }

  /// The words so far, and the states that a decoder starts with.
  std::span<const std::byte> words() const noexcept { return room_.subspan(room()); }
  std::span<const std::uint32_t> states() const noexcept {
    return std::span(states_.state).first(states_.lanes);
  }

 private:
  const lane_encode_table& table_;
  lane_states states_;
  std::span<std::byte> room_;
  std::byte* first_;
};

/// Decodes what lane_rans_encoder coded. Any input is safe: past the end zeros are read.
class lane_rans_decoder {
 public:
  /// Reads the states of `lanes` (16, 32, 64 or 128) from `states`, 4 bytes each; throws
  /// error(damaged) for one out of range. `table` and `words` are used until the decoder is gone.
  lane_rans_decoder(const lane_decode_table& table, unsigned lanes,
                    std::span<const std::byte> states, std::span<const std::byte> words);

  /// Decodes the next `count` elements: a multiple of the lanes, but for the last call.
  void decode(const lane_elements& elements, std::size_t count) noexcept;

  /// Whether all words were read, none was missing, and the states are those an encoder begins
  /// with.
  bool finished() const noexcept;

 private:
  const lane_decode_table& table_;
  lane_states states_;
  const std::byte* next_;
  const std::byte* end_;
  std::size_t missing_ = 0;
};

}  // namespace lmzip
