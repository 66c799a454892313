#include "codec/delta/cast.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/endian.h"

namespace lmzip::codec::delta {
namespace {

bool is_float(dtype type) noexcept {
  return type == dtype::f16 || type == dtype::bf16 || type == dtype::f32 || type == dtype::f64;
}

/// value / 2^shift to the nearest integer, of two to the even one; shift 1 … 63.
std::uint64_t rounded_shift(std::uint64_t value, unsigned shift) noexcept {
  const std::uint64_t half = (std::uint64_t{1} << (shift - 1)) - 1;
  return (value + half + (value >> shift & 1)) >> shift;
}

/// A floating-point format of `Exponent` and `Mantissa` bits.
template <unsigned Exponent, unsigned Mantissa>
struct format {
  static constexpr unsigned exponent_bits = Exponent;
  static constexpr unsigned mantissa_bits = Mantissa;
  static constexpr std::int64_t bias = (1 << (Exponent - 1)) - 1;
  static constexpr std::uint64_t infinite = std::uint64_t{(1U << Exponent) - 1} << Mantissa;
  static constexpr std::uint64_t quiet = std::uint64_t{1} << (Mantissa - 1);
};

using f16_format = format<5, 10>;
using bf16_format = format<8, 7>;
using f32_format = format<8, 23>;
using f64_format = format<11, 52>;

/// The magnitude (bits without the sign) of a number of a wider format in a narrower one.
template <class From, class To>
std::uint64_t narrowed(std::uint64_t magnitude) noexcept {
  constexpr unsigned dropped = From::mantissa_bits - To::mantissa_bits;
  if (magnitude >= From::infinite)
    return To::infinite |
           (magnitude > From::infinite ? To::quiet | (magnitude - From::infinite) >> dropped : 0);
  constexpr std::uint64_t rebias = static_cast<std::uint64_t>(From::bias - To::bias)
                                   << From::mantissa_bits;
  const std::uint64_t one = std::uint64_t{1} << From::mantissa_bits;
  if (magnitude >= rebias + one || rebias == 0) {
    const std::uint64_t value = rounded_shift(magnitude - rebias, dropped);
    return value < To::infinite ? value : To::infinite;
  }
  // Subnormal there: the mantissa with its leading one, shifted by what the exponent lacks.
  const std::uint64_t exponent = magnitude >> From::mantissa_bits;
  const std::uint64_t lacking = (rebias >> From::mantissa_bits) + 1 - exponent;
  if (lacking > To::mantissa_bits + 1) return 0;
  return rounded_shift((magnitude & (one - 1)) | one, dropped + static_cast<unsigned>(lacking));
}

/// The magnitude of a number of a narrower format in a wider one: exact.
template <class From, class To>
std::uint64_t widened(std::uint64_t magnitude) noexcept {
  constexpr unsigned added = To::mantissa_bits - From::mantissa_bits;
  if (magnitude >= From::infinite) return To::infinite | (magnitude - From::infinite) << added;
  constexpr std::int64_t rebias = To::bias - From::bias;
  const std::uint64_t one = std::uint64_t{1} << From::mantissa_bits;
  if (rebias == 0) return magnitude << added;
  if (magnitude >= one)
    return (magnitude << added) + (static_cast<std::uint64_t>(rebias) << To::mantissa_bits);
  if (magnitude == 0) return 0;
  const auto shift = From::mantissa_bits + 1 - static_cast<unsigned>(std::bit_width(magnitude));
  const auto exponent = static_cast<std::uint64_t>(rebias + 1) - shift;
  return (exponent << To::mantissa_bits) + (((magnitude << shift) - one) << added);
}

std::uint32_t with_sign(std::uint64_t magnitude, std::uint64_t sign) noexcept {
  return static_cast<std::uint32_t>(magnitude | sign);
}

std::uint32_t load_as_f32(dtype from, const std::byte* at) noexcept {
  if (from == dtype::f32) return load_le<std::uint32_t>(at);
  if (from == dtype::f64) {
    const auto bits = load_le<std::uint64_t>(at);
    return with_sign(narrowed<f64_format, f32_format>(bits & ~std::uint64_t{0} >> 1),
                     bits >> 63 << 31);
  }
  const std::uint32_t bits = load_le<std::uint16_t>(at);
  const std::uint64_t sign = bits >> 15 << 31;
  const std::uint64_t magnitude = bits & 0x7fff;
  return from == dtype::bf16 ? bits << 16
                             : with_sign(widened<f16_format, f32_format>(magnitude), sign);
}

void store_f32_as(std::uint32_t bits, dtype to, std::byte* at) noexcept {
  const std::uint64_t sign = bits >> 31;
  const std::uint64_t magnitude = bits & 0x7fffffff;
  switch (to) {
    case dtype::f32:
      return store_le(at, bits);
    case dtype::f64:
      return store_le(at, widened<f32_format, f64_format>(magnitude) | sign << 63);
    case dtype::bf16:
      return store_le(at, static_cast<std::uint16_t>(narrowed<f32_format, bf16_format>(magnitude) |
                                                     sign << 15));
    default:
      return store_le(
          at, static_cast<std::uint16_t>(narrowed<f32_format, f16_format>(magnitude) | sign << 15));
  }
}

}  // namespace

bool can_cast(dtype from, dtype to) noexcept {
  return from == to || (is_float(from) && is_float(to));
}

void cast(dtype from, const std::byte* numbers, std::size_t count, dtype to, std::byte* cast) {
  const std::size_t from_bytes = bits_of(from) / 8, to_bytes = bits_of(to) / 8;
  for (std::size_t i = 0; i < count; ++i)
    store_f32_as(load_as_f32(from, numbers + i * from_bytes), to, cast + i * to_bytes);
}

}  // namespace lmzip::codec::delta
