#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lmzip {

// Binary arithmetic coding with 32-bit integers and carry-less renormalisation: the interval
// [low, high] is cut in two, and its equal leading bytes leave (or enter) one by one. The scheme
// is that of M. Mahoney's PAQ series ("Adaptive Weighing of Context Models for Lossless Data
// Compression", Florida Tech. CS-2005-16, section 4).

/// Writes bits, each with the probability that it is 1 in units of 1/65536.
class arithmetic_encoder {
 public:
  /// Codes `bit`; `probability` of a 1 lies in 1 … 65535.
  void encode(bool bit, std::uint32_t probability) {
    const std::uint32_t middle =
        low_ + static_cast<std::uint32_t>((std::uint64_t{high_ - low_} * probability) >> 16);
    if (bit)
      high_ = middle;
    else
      low_ = middle + 1;
    while (((low_ ^ high_) >> 24) == 0) {
      bytes_.push_back(static_cast<std::byte>(high_ >> 24));
      low_ <<= 8;
      high_ = high_ << 8 | 255;
    }
  }

  /// Ends the code and returns its bytes. A decoder that reads zeros after the end decodes them.
  std::vector<std::byte> finish();

 private:
  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0xffffffff;
  std::vector<std::byte> bytes_;
};

/// Reads what arithmetic_encoder wrote. Any input is safe: past its end zeros are read.
class arithmetic_decoder {
 public:
  explicit arithmetic_decoder(std::span<const std::byte> coded)
      : next_(coded.data()), end_(coded.data() + coded.size()) {
    for (int i = 0; i < 4; ++i) code_ = code_ << 8 | next_byte();
  }

  /// Decodes one bit that was coded with the same `probability`.
  bool decode(std::uint32_t probability) {
    const std::uint32_t middle =
        low_ + static_cast<std::uint32_t>((std::uint64_t{high_ - low_} * probability) >> 16);
    const bool bit = code_ <= middle;
    if (bit)
      high_ = middle;
    else
      low_ = middle + 1;
    while (((low_ ^ high_) >> 24) == 0) {
      low_ <<= 8;
      high_ = high_ << 8 | 255;
      code_ = code_ << 8 | next_byte();
    }
    return bit;
  }

  /// Whether the coded bytes end where the code does: all of them were read, and no more than the
  /// four that the decoder is ahead of the encoder are missing.
  bool exhausted() const noexcept { return next_ == end_ && missing_ <= 4; }

 private:
  std::uint32_t next_byte() {
    if (next_ == end_) {
      ++missing_;
      return 0;
    }
    return std::to_integer<std::uint32_t>(*next_++);
  }

  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0xffffffff;
  std::uint32_t code_ = 0;
  const std::byte* next_;
  const std::byte* end_;
  std::uint64_t missing_ = 0;
};

}  // namespace lmzip
