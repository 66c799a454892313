#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "codec/lmc/bit_list.h"
#include "codec/lmc/planes.h"
#include "core/endian.h"

namespace lmzip::codec::lmc {

// Splitting and joining without vector instructions of its own; `Target` keeps functions for
// different instruction sets apart, so that compilers may vectorise each for its set.

/// Room for the bits of a batch, and what pack_bits() and unpack_bits() touch behind them.
using bit_values = std::array<std::uint8_t, batch_numbers + 8>;

/// A number of type Unit of which, after turning Turn bits from the top to the bottom, the lower
/// RawBytes bytes and the RawBits bits above them are kept.
template <class Target, class Unit, unsigned Turn, unsigned RawBytes, unsigned RawBits>
struct field_loops {
  static_assert(RawBytes <= 1);
  static constexpr unsigned symbol_at = 8 * RawBytes + RawBits;

  static void split(const plane&, const std::uint8_t* __restrict plain,
                    std::uint8_t* __restrict symbols, std::uint8_t* __restrict bytes,
                    std::uint8_t* __restrict bits, std::size_t count) noexcept {
    bit_values values;
    for (std::size_t i = 0; i < count; ++i) {
      const Unit number = std::rotl(load_le<Unit>(plain + i * sizeof(Unit)), Turn);
      symbols[i] = static_cast<std::uint8_t>(number >> symbol_at);
      if constexpr (RawBytes != 0) bytes[i] = static_cast<std::uint8_t>(number);
      if constexpr (RawBits != 0)
        values[i] = static_cast<std::uint8_t>(number >> 8 * RawBytes & ((1u << RawBits) - 1));
    }
    if constexpr (RawBits != 0) pack_bits<Target, RawBits>(values.data(), bits, count);
  }

  static void join(const plane&, const std::uint8_t* __restrict symbols,
                   const std::uint8_t* __restrict bytes, const std::uint8_t* __restrict bits,
                   std::uint8_t* __restrict plain, std::size_t count) noexcept {
    bit_values values;
    if constexpr (RawBits != 0) unpack_bits<Target, RawBits>(bits, values.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      unsigned number = static_cast<unsigned>(symbols[i]) << symbol_at;
      if constexpr (RawBits != 0) number |= static_cast<unsigned>(values[i]) << 8 * RawBytes;
      if constexpr (RawBytes != 0) number |= bytes[i];
      store_le(plain + i * sizeof(Unit), std::rotr(static_cast<Unit>(number), Turn));
    }
  }
};

// The exponent of a number is coded; the three bytes of mantissa and sign are kept, those of four
// numbers as three words.
template <class Target>
struct f32_loops {
  static std::uint32_t load(const std::uint8_t* from) noexcept {
    return std::rotl(load_le<std::uint32_t>(from), 1);
  }

  static void split(const plane&, const std::uint8_t* __restrict plain,
                    std::uint8_t* __restrict symbols, std::uint8_t* __restrict bytes,
                    std::uint8_t* __restrict, std::size_t count) noexcept {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4, bytes += 12) {
      const std::uint32_t a = load(plain + 4 * i);
      const std::uint32_t b = load(plain + 4 * i + 4);
      const std::uint32_t c = load(plain + 4 * i + 8);
      const std::uint32_t d = load(plain + 4 * i + 12);
      store_le(symbols + i, a >> 24 | b >> 24 << 8 | c >> 24 << 16 | d >> 24 << 24);
      store_le(bytes, (a & 0xffffff) | b << 24);
      store_le(bytes + 4, (b >> 8 & 0xffff) | c << 16);
      store_le(bytes + 8, (c >> 16 & 0xff) | d << 8);
    }
    for (; i < count; ++i, bytes += 3) {
      const std::uint32_t number = load(plain + 4 * i);
      symbols[i] = static_cast<std::uint8_t>(number >> 24);
      for (unsigned byte = 0; byte < 3; ++byte)
        bytes[byte] = static_cast<std::uint8_t>(number >> 8 * byte);
    }
  }

  static void join(const plane&, const std::uint8_t* __restrict symbols,
                   const std::uint8_t* __restrict bytes, const std::uint8_t* __restrict,
                   std::uint8_t* __restrict plain, std::size_t count) noexcept {
    const auto put = [&](std::size_t at, std::uint32_t lower) {
      store_le(plain + 4 * at, std::rotr((lower & 0xffffff) | std::uint32_t{symbols[at]} << 24, 1));
    };
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4, bytes += 12) {
      put(i, load_le<std::uint32_t>(bytes));
      put(i + 1, load_le<std::uint32_t>(bytes + 3));
      put(i + 2, load_le<std::uint32_t>(bytes + 6));
      put(i + 3, load_le<std::uint32_t>(bytes + 8) >> 8);
    }
    for (; i < count; ++i, bytes += 3)
      put(i, bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16);
  }
};

/// Exponents of an f64 from which on the lower 8 bits tell those of an f32 apart.
inline constexpr std::uint64_t f64_exponent_shift = 896;

// A number is sign, 11 bits of exponent, mantissa. What is kept is the 52 bits of the mantissa and,
// above them, the sign.
template <class Target>
struct f64_loops {
  static std::uint64_t exponent(std::uint64_t number) noexcept {
    return ((number >> 52) - f64_exponent_shift) & 0x7ff;
  }

  static void split_range(const plane&, const std::uint8_t* plain, std::uint8_t* symbols,
                          std::uint8_t*, std::uint8_t*, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i)
      symbols[i] = static_cast<std::uint8_t>(exponent(load_le<std::uint64_t>(plain + 8 * i)) >> 8);
  }

  static void join_range(const plane&, const std::uint8_t* symbols, const std::uint8_t*,
                         const std::uint8_t*, std::uint8_t* plain, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) store_le<std::uint64_t>(plain + 8 * i, symbols[i] & 7u);
  }

  static void split(const plane&, const std::uint8_t* plain, std::uint8_t* symbols,
                    std::uint8_t* bytes, std::uint8_t* bits, std::size_t count) noexcept {
    bit_values values;
    for (std::size_t i = 0; i < count; ++i) {
      const auto number = load_le<std::uint64_t>(plain + 8 * i);
      symbols[i] = static_cast<std::uint8_t>(exponent(number));
      for (unsigned byte = 0; byte < 6; ++byte)
        bytes[6 * i + byte] = static_cast<std::uint8_t>(number >> 8 * byte);
      values[i] = static_cast<std::uint8_t>((number >> 48 & 15) | number >> 63 << 4);
    }
    pack_bits<Target, 5>(values.data(), bits, count);
  }

  static void join(const plane&, const std::uint8_t* symbols, const std::uint8_t* bytes,
                   const std::uint8_t* bits, std::uint8_t* plain, std::size_t count) noexcept {
    bit_values values;
    unpack_bits<Target, 5>(bits, values.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t range = load_le<std::uint64_t>(plain + 8 * i);
      const std::uint64_t turned = ((range << 8 | symbols[i]) + f64_exponent_shift) & 0x7ff;
      std::uint64_t number =
          turned << 52 | std::uint64_t{values[i] & 15u} << 48 | std::uint64_t{values[i]} >> 4 << 63;
      for (unsigned byte = 0; byte < 6; ++byte)
        number |= std::uint64_t{bytes[6 * i + byte]} << 8 * byte;
      store_le(plain + 8 * i, number);
    }
  }
};

// Numbers that share bytes.
template <class Target>
struct small_loops {
  static void split_sixbit(const plane&, const std::uint8_t* plain, std::uint8_t* symbols,
                           std::uint8_t*, std::uint8_t* bits, std::size_t count) noexcept {
    bit_values values;
    for (std::size_t i = 0; i < count; i += 4) {
      const std::uint8_t* const unit = plain + i / 4 * 3;
      const std::uint32_t four = unit[0] | unit[1] << 8 | unit[2] << 16;
      for (unsigned k = 0; k < 4; ++k) {
        symbols[i + k] = four >> 6 * k & 31;
        values[i + k] = four >> (6 * k + 5) & 1;
      }
    }
    pack_bits<Target, 1>(values.data(), bits, count);
  }

  static void join_sixbit(const plane&, const std::uint8_t* symbols, const std::uint8_t*,
                          const std::uint8_t* bits, std::uint8_t* plain,
                          std::size_t count) noexcept {
    bit_values values;
    unpack_bits<Target, 1>(bits, values.data(), count);
    for (std::size_t i = 0; i < count; i += 4) {
      std::uint32_t four = 0;
      for (unsigned k = 0; k < 4; ++k)
        four |= ((symbols[i + k] & 31u) | std::uint32_t{values[i + k]} << 5) << 6 * k;
      for (unsigned byte = 0; byte < 3; ++byte)
        plain[i / 4 * 3 + byte] = static_cast<std::uint8_t>(four >> 8 * byte);
    }
  }

  static void split_fourbit(const plane&, const std::uint8_t* plain, std::uint8_t* symbols,
                            std::uint8_t*, std::uint8_t*, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; i += 2) {
      symbols[i] = plain[i / 2] & 15;
      symbols[i + 1] = plain[i / 2] >> 4;
    }
  }

  static void join_fourbit(const plane&, const std::uint8_t* symbols, const std::uint8_t*,
                           const std::uint8_t*, std::uint8_t* plain, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; i += 2)
      plain[i / 2] = static_cast<std::uint8_t>((symbols[i] & 15) | symbols[i + 1] << 4);
  }
};

// The bytes of integers. Signed ones are folded, x to 2 x and -x to 2 x - 1, so that the upper
// bytes of small numbers are equal; the plane of the lowest byte, the last, unfolds them.
template <class Target>
struct integer_loops {
  static std::uint64_t load(const plane& part, const std::uint8_t* from) noexcept {
    if (part.width == 2) return load_le<std::uint16_t>(from);
    if (part.width == 4) return load_le<std::uint32_t>(from);
    return load_le<std::uint64_t>(from);
  }

  static void store(const plane& part, std::uint8_t* to, std::uint64_t number) noexcept {
    if (part.width == 2)
      store_le(to, static_cast<std::uint16_t>(number));
    else if (part.width == 4)
      store_le(to, static_cast<std::uint32_t>(number));
    else
      store_le(to, number);
  }

  static void split(const plane& part, const std::uint8_t* plain, std::uint8_t* symbols,
                    std::uint8_t*, std::uint8_t*, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t number = load(part, plain + i * part.width);
      const std::uint64_t negative = part.is_signed ? number >> (8 * part.width - 1) : 0;
      if (part.is_signed) number = number << 1 ^ (0 - negative);
      symbols[i] = static_cast<std::uint8_t>(number >> 8 * part.index);
    }
  }

  static void join(const plane& part, const std::uint8_t* symbols, const std::uint8_t*,
                   const std::uint8_t*, std::uint8_t* plain, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) plain[i * part.width + part.index] = symbols[i];
    if (!part.is_signed || part.index != 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t folded = load(part, plain + i * part.width);
      store(part, plain + i * part.width, folded >> 1 ^ (0 - (folded & 1)));
    }
  }
};

}  // namespace lmzip::codec::lmc
