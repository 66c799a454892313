#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dtype.h"

namespace lmzip::codec::lmc {

/// How a number is cut. The sign of a floating point number is first turned from the top to the
/// bottom; then the upper bits, mostly the exponent, are a symbol of at most 8 bits, which is
/// coded; the others, which nothing predicts, are kept as they are.
enum class field : std::uint8_t {
  byte,       ///< the symbol is the byte
  upper5,     ///< the upper five bits of a byte: integers, quantised weights
  e5m2,       ///< exponent
  e4m3,       ///< exponent and upper bit of the mantissa
  sixbit,     ///< exponent and mantissa; four numbers in three bytes, lowest bits first
  fourbit,    ///< all; two numbers in a byte, lower half first
  f16,        ///< exponent and upper bit of the mantissa
  bf16,       ///< exponent
  f32,        ///< exponent
  f64_range,  ///< bits 8 … 10 of exponent - 896, which are zero where an f32 has the exponent
  f64,        ///< bits 0 … 7 of exponent - 896
  integer,    ///< one byte of an integer of several; if signed, of 2 |x|, or 2 |x| - 1 below zero
};

/// One symbol of each number of a tensor, and the bits that are kept beside it.
struct plane {
  field kind;
  std::uint8_t symbol_bits;
  std::uint8_t raw_bytes;  ///< whole bytes kept for each number, in one list
  std::uint8_t raw_bits;   ///< further bits kept for each number, in another list
  std::uint8_t width = 1;  ///< integer: bytes of a number
  std::uint8_t index = 0;  ///< integer: which byte, 0 for the lowest
  bool is_signed = false;  ///< integer

  /// Bytes of the two lists for `count` numbers.
  constexpr std::size_t bytes_size(std::size_t count) const noexcept { return count * raw_bytes; }
  constexpr std::size_t bits_size(std::size_t count) const noexcept {
    return (count * raw_bits + 7) / 8;
  }
};

/// How the numbers of a type lie in memory and which planes they are cut into. Planes are coded,
/// and joined, in this order.
struct layout {
  std::uint8_t unit_bytes;    ///< bytes of the smallest whole number of numbers
  std::uint8_t unit_numbers;  ///< how many that are
  std::span<const plane> planes;
};

/// The parts of a complex number are numbers.
const layout& layout_of(dtype type) noexcept;

/// Numbers that are split or joined at a time.
inline constexpr std::size_t batch_numbers = 1024;

/// Puts numbers together from the symbols of a plane and what is kept beside them. `count` is at
/// most batch_numbers; bits start at a byte. Of numbers with several planes, each call adds to what
/// those of the planes before have written.
using join_function = void (*)(const plane& part, const std::uint8_t* symbols,
                               const std::uint8_t* bytes, const std::uint8_t* bits,
                               std::uint8_t* plain, std::size_t count) noexcept;
join_function find_join(field kind) noexcept;

/// The reverse. Writes nothing behind the `count` symbols and their bytes and bits.
using split_function = void (*)(const plane& part, const std::uint8_t* plain, std::uint8_t* symbols,
                                std::uint8_t* bytes, std::uint8_t* bits,
                                std::size_t count) noexcept;
split_function find_split(field kind) noexcept;

}  // namespace lmzip::codec::lmc
