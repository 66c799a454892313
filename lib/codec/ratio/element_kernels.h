#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lmzip::codec::ratio {

// Loops over the elements of a tensor, on the instruction sets: all give equal results. Counts are
// multiples of kernel_step unless said otherwise, and arrays have that many elements.

inline constexpr std::size_t kernel_step = 64;

/// A floating-point number whose upper 16 bits are a sign, an exponent and at least two bits of the
/// mantissa. The *level* is the exponent with the two upper bits of the mantissa, close to four
/// times the logarithm; the *rest* are the bits of the upper half below it, then the sign.
struct float_split {
  unsigned rest_bits;  ///< of the mantissa's upper half, without the sign
  constexpr std::uint16_t level_mask() const noexcept {
    return static_cast<std::uint16_t>((1U << (15 - rest_bits)) - 1);
  }
};

/// Symbols of levels: a level below least_level (of exponent 0: zeros and subnormal numbers) is its
/// own symbol; others are told by their distance from an offset, if that is among the symbols left.
inline constexpr unsigned least_level = 4;
inline constexpr unsigned greatest_symbol = 251;
inline constexpr unsigned escaped_level = 255;

/// A number below 2^18 by its magnitude: below 4 it is its own symbol; of others the two bits below
/// the highest one belong to the symbol, the lower ones are raw. Larger numbers are escapes.
inline constexpr unsigned magnitude_symbols = 69;
inline constexpr unsigned escaped_magnitude = 68;
inline constexpr std::uint32_t first_escaped_magnitude = std::uint32_t{1} << 18;

/// Raw bits of each symbol.
inline constexpr auto magnitude_raw_bits = [] {
  std::array<std::uint8_t, 256> bits{};
  for (unsigned symbol = 8; symbol < escaped_magnitude; ++symbol)
    bits[symbol] = static_cast<std::uint8_t>(symbol / 4 - 1);
  return bits;
}();

struct element_kernels {
  /// The upper halves of any number of elements of 2, 4 or 8 bytes, little-endian at `plain`; the
  /// bytes below them, to a plane of elements; and elements put together from both.
  void (*take_tops)(unsigned element_bytes, const std::byte* plain, std::size_t count,
                    std::uint16_t* tops);
  void (*take_lows)(unsigned element_bytes, const std::byte* plain, std::size_t count,
                    std::byte* lows);
  void (*put_elements)(unsigned element_bytes, const std::uint16_t* tops, const std::byte* lows,
                       std::size_t count, std::byte* plain);

  /// Any number of elements of 16 bits of which 5 are the exponent: the exponent and the three
  /// upper bits of the mantissa are the symbol; the rest of it and, lowest, the sign are the other
  /// byte.
  void (*split_halves)(const std::byte* plain, std::size_t count, std::uint8_t* symbols,
                       std::byte* lows);
  void (*join_halves)(const std::uint8_t* symbols, const std::byte* lows, std::size_t count,
                      std::byte* plain);

  /// Symbols and rests of upper halves. Level `level` gets the symbol level - (offsets[i] + base);
  /// `offsets` may be null.
  void (*split)(float_split how, const std::uint16_t* tops, const std::int16_t* offsets,
                std::int16_t base, std::size_t count, std::uint8_t* symbols, std::uint8_t* rests);

  /// The inverse; whatever stands for an escape is filled in later.
  void (*join)(float_split how, const std::uint8_t* symbols, const std::uint8_t* rests,
               const std::int16_t* offsets, std::int16_t base, std::size_t count,
               std::uint16_t* tops);

  /// Offsets and contexts (row_column.h) of `count` elements of a row, any number: those of
  /// predictions row + columns[i].
  void (*predict)(std::int16_t row, const std::int8_t* columns, std::size_t count,
                  std::int16_t* offsets, std::uint8_t* contexts);

  /// Symbols and raw bits of numbers, and back; escapes come back as anything.
  void (*tell_magnitudes)(const std::uint32_t* numbers, std::size_t count, std::uint8_t* symbols,
                          std::uint16_t* raw);
  void (*join_magnitudes)(const std::uint8_t* symbols, const std::uint16_t* raw, std::size_t count,
                          std::uint32_t* numbers);

  /// How many of `firsts`, `interval_count` keys in rising order, are not above each key.
  void (*find_intervals)(const std::uint8_t* firsts, std::size_t interval_count,
                         const std::uint8_t* keys, std::size_t count, std::uint8_t* intervals);

  /// Packs the lower `bits` (1 … 8) bits of numbers without others, 64 numbers in 8 * bits bytes:
  /// for each power of two that `bits` is made of, from the greatest down, the next bits of number
  /// i stand in byte i mod (8 * power), those of smaller i lower.
  void (*pack)(unsigned bits, const std::uint8_t* numbers, std::size_t count, std::byte* packed);
  void (*unpack)(unsigned bits, const std::byte* packed, std::size_t count, std::uint8_t* numbers);
};

/// The kernels on the active instruction set (core/cpu.h).
const element_kernels& active_element_kernels() noexcept;

namespace scalar {
extern const element_kernels kernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const element_kernels kernels;
}
#endif

}  // namespace lmzip::codec::ratio
