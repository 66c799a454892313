#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/cursor.h"

namespace lmzip {

/// Counts of the 256 values of a byte.
using byte_counts = std::array<std::uint32_t, 256>;

/// A prefix code for bytes whose codes have at most 7 or 8 bits, so that a table of all bit strings
/// of that length fits in two or four vector registers. At most 63 values have a code of their own.
/// The others are announced by one more code, the escape, and listed elsewhere: this is what makes
/// short codes work, since a value rarer than 2^-9 costs less that way than a code of 7 bits.
///
/// Lengths are optimal under the limit (L. Larmore, D. Hirschberg, "A fast algorithm for optimal
/// length-limited Huffman codes", JACM 37, 1990). Codes are canonical: dealt out by length, then by
/// value, the escape last; the first bit of a code is its lowest one.
class lane_code {
 public:
  static constexpr unsigned max_values = 63;
  static constexpr unsigned max_limit = 8;

  struct entry {
    std::uint8_t length = 0;  ///< 0: no code
    std::uint8_t bits = 0;
  };

  /// The code for values that occur `counts` times, of which at least one occurs. `limit` is 7 or
  /// 8. If `complete`, the counts are those of everything that is to be coded, and the code has no
  /// escape where it needs none.
  lane_code(const byte_counts& counts, unsigned limit, bool complete);

  /// Reads what write() wrote. Throws error(damaged) or error(truncated) for anything else.
  lane_code(cursor& in, unsigned limit);

  /// Appends the code: a byte with the number of runs of values that follow one another; first
  /// value and length - 1 of each run; then a half byte for the length of each code in order of
  /// values and of the escape's (0: it has none), low half first.
  void write(std::vector<std::byte>& out) const;

  unsigned limit() const noexcept { return limit_; }

  /// The code of a value; length 0 if it must be escaped.
  entry operator[](std::uint8_t value) const noexcept { return entries_[value]; }
  entry escape() const noexcept { return escape_; }

  /// A value without a code, which stands for an escape until that is resolved.
  std::uint8_t escape_value() const noexcept { return escape_value_; }

  /// The value with the shortest code.
  std::uint8_t cheapest() const noexcept;

  /// Bits that values of these counts take, literals of escapes included. Needs an escape if a
  /// value without a code occurs.
  std::uint64_t cost(const byte_counts& counts) const noexcept;

 private:
  bool assign_codes() noexcept;

  unsigned limit_;
  std::array<entry, 256> entries_{};
  entry escape_;
  std::uint8_t escape_value_ = 0;
};

}  // namespace lmzip
