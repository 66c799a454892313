#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/endian.h"

namespace lmzip {

// Range asymmetric numeral systems (J. Duda, "Asymmetric numeral systems: entropy coding combining
// speed of Huffman coding with compression rate of arithmetic coding", arXiv 1311.2540, 2013), with
// frequencies in units of 2^-15 and two 64-bit states used in turn, so that the processor works on
// two symbols at once. A state lies in [2^31, 2^63) and takes or gives 32-bit words.
//
// A stream is cut into chunks, since the encoder codes the symbols of a chunk from the last to the
// first and has to keep them until then. A chunk is the two states (64 bits each, little-endian) as
// the decoder starts with them, then words (32 bits, little-endian) in the order that the decoder
// takes them. The symbols of a chunk leave both states at 2^31.

inline constexpr unsigned rans_precision = 15;
inline constexpr std::uint32_t rans_one = std::uint32_t{1} << rans_precision;

/// Collects the symbols of a chunk and writes them. A symbol is an interval of [0, 2^15).
class rans_encoder {
 public:
  /// `capacity` is the most symbols that are put between two flushes; the caller keeps to it.
  explicit rans_encoder(std::size_t capacity)
      : symbols_(std::make_unique_for_overwrite<std::uint32_t[]>(capacity)) {}

  /// Bytes of memory that an encoder of this capacity needs besides its output.
  static constexpr std::uint64_t memory(std::uint64_t capacity) noexcept { return 4 * capacity; }

  /// Codes the symbol [start, start + frequency) of [0, 2^15), 1 <= frequency <= 2^15.
  void put(std::uint32_t start, std::uint32_t frequency) noexcept {
    symbols_[count_++] = start << 16 | frequency;
  }

  /// Codes a bit; `probability` of a 1 in units of 2^-16 lies in 2 … 65535.
  bool code(bool bit, std::uint32_t probability) noexcept {
    const std::uint32_t one = probability >> 1;
    put(bit ? 0 : one, bit ? one : rans_one - one);
    return bit;
  }

  /// Codes the lower `bits` (0 … 15) bits of `value` as they are; the others must be 0.
  void put_raw(std::uint32_t value, unsigned bits) noexcept {
    put(value << (rans_precision - bits), rans_one >> bits);
  }

  /// Ends the chunk. Throws std::bad_alloc.
  void flush();

  /// Bytes of the chunks so far.
  std::size_t size() const noexcept { return bytes_.size(); }

  /// The chunks, after a flush. Leaves the encoder empty.
  std::vector<std::byte> take() noexcept { return std::move(bytes_); }

 private:
  std::unique_ptr<std::uint32_t[]> symbols_;
  std::size_t count_ = 0;
  std::vector<std::byte> bytes_;
};

/// Reads what rans_encoder wrote. Any input is safe: past the end zeros are read.
class rans_decoder {
 public:
  explicit rans_decoder(std::span<const std::byte> coded) noexcept
      : next_(coded.data()), end_(coded.data() + coded.size()) {
    start_chunk();
  }

  /// The place of the next symbol in [0, 2^15): the symbol is the one whose interval holds it.
  std::uint32_t place() const noexcept {
    return static_cast<std::uint32_t>(state_) & (rans_one - 1);
  }

  /// Goes past the symbol [start, start + frequency), which must hold place().
  void advance(std::uint32_t start, std::uint32_t frequency) noexcept {
    std::uint64_t state = frequency * (state_ >> rans_precision) + place() - start;
    if (state < lower_bound) state = state << 32 | next_word();
    state_ = other_state_;
    other_state_ = state;
  }

  /// Decodes a bit that was coded with the same probability.
  bool code(std::uint32_t probability) noexcept {
    const std::uint32_t one = probability >> 1;
    const bool bit = place() < one;
    advance(bit ? 0 : one, bit ? one : rans_one - one);
    return bit;
  }

  /// Decodes 0 … 15 bits that were coded as they are.
  std::uint32_t get_raw(unsigned bits) noexcept {
    const std::uint32_t value = place() >> (rans_precision - bits);
    advance(value << (rans_precision - bits), rans_one >> bits);
    return value;
  }

  /// Begins the next chunk; call where the encoder flushed, but not after the last flush.
  void next_chunk() noexcept {
    sound_ = sound_ && at_chunk_end();
    start_chunk();
  }

  /// Whether the coded bytes end here, nothing was missing, and every chunk ended as chunks do.
  bool exhausted() const noexcept {
    return sound_ && at_chunk_end() && next_ == end_ && missing_ == 0;
  }

 private:
  friend class rans_encoder;
  static constexpr std::uint64_t lower_bound = std::uint64_t{1} << 31;

  void start_chunk() noexcept;
  bool at_chunk_end() const noexcept {
    return state_ == lower_bound && other_state_ == lower_bound;
  }

  std::uint32_t next_word() noexcept {
    if (static_cast<std::size_t>(end_ - next_) < 4) {
      ++missing_;
      return 0;
    }
    const auto word = load_le<std::uint32_t>(next_);
    next_ += 4;
    return word;
  }

  std::uint64_t state_ = 0;
  std::uint64_t other_state_ = 0;
  const std::byte* next_;
  const std::byte* end_;
  std::uint64_t missing_ = 0;
  bool sound_ = true;
};

}  // namespace lmzip
