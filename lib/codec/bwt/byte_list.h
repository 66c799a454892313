#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/endian.h"

namespace lmzip::codec::bwt {

/// The bytes that are still to come in a last column, ordered by where they come next. Mostly only
/// the first few move: those go through a register.
class byte_list {
 public:
  static constexpr std::size_t max_size = 256;

  std::size_t size() const noexcept { return size_; }
  std::uint8_t operator[](std::size_t i) const noexcept { return bytes_[i]; }

  /// Adds a byte at the end; there must be fewer than max_size.
  void push_back(std::uint8_t byte) noexcept { bytes_[size_++] = byte; }

  /// Adds a byte at the front, the same.
  void push_front(std::uint8_t byte) noexcept {
    std::memmove(bytes_.data() + 1, bytes_.data(), size_++);
    bytes_[0] = byte;
  }

  void pop_front() noexcept { std::memmove(bytes_.data(), bytes_.data() + 1, --size_); }

  /// Moves the first byte to place `rank` (below size()) and those between to the front.
  void move_back(std::size_t rank) noexcept {
    if (rank < word_bytes) {
      const std::uint64_t word = load_le<std::uint64_t>(bytes_.data());
      const std::uint64_t moved = low_bytes(rank);
      const std::uint64_t kept = ~(moved << 8 | 0xff);
      store_le(bytes_.data(), (word >> 8 & moved) | (word & 0xff) << (8 * rank) | (word & kept));
    } else {
      const std::uint8_t first = bytes_[0];
      std::memmove(bytes_.data(), bytes_.data() + 1, rank);
      bytes_[rank] = first;
    }
  }

  /// Moves a byte that is in the list to the front and returns the place where it was.
  std::size_t move_to_front(std::uint8_t byte) noexcept {
    const std::uint64_t word = load_le<std::uint64_t>(bytes_.data());
    const std::uint64_t differs = word ^ (byte * ones);
    // The lowest byte of 0 is found exactly; above it there may be false ones.
    const std::uint64_t zeros = (differs - ones) & ~differs & (ones << 7);
    const auto rank = static_cast<std::size_t>(std::countr_zero(zeros)) / 8;
    if (rank < std::min(size_, word_bytes)) {
      const std::uint64_t moved = low_bytes(rank);
      const std::uint64_t kept = ~(moved << 8 | 0xff);
      store_le(bytes_.data(), (word & moved) << 8 | byte | (word & kept));
      return rank;
    }
    const auto place = static_cast<std::size_t>(
        std::find(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size_), byte) -
        bytes_.begin());
    std::memmove(bytes_.data() + 1, bytes_.data(), place);
    bytes_[0] = byte;
    return place;
  }

 private:
  static constexpr std::size_t word_bytes = 8;
  static constexpr std::uint64_t ones = 0x0101010101010101;

  static std::uint64_t low_bytes(std::size_t count) noexcept {
    return (std::uint64_t{1} << (8 * count)) - 1;
  }

  std::array<std::uint8_t, max_size> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace lmzip::codec::bwt
