#include "codec/brevis/numbers.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

#include "core/endian.h"

namespace lmzip::codec::brevis {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "binary64 is computed without more precision");
static_assert(std::numeric_limits<double>::is_iec559);

constexpr std::uint64_t sign64 = std::uint64_t{1} << 63;
constexpr std::uint64_t one64 = std::uint64_t{1} << 52;
constexpr std::uint64_t infinite64 = std::uint64_t{2047} << 52;
constexpr std::uint64_t quiet64 = infinite64 | one64 >> 1;

/// What is behind the largest number of a floating-point format.
enum class beyond { infinity, no_number, negative_zero_is_none };

/// A format of `Bits` with numbers of that exponent and mantissa.
template <class Word, unsigned Mantissa, int Bias, beyond Beyond>
struct float_form {
  using word = Word;
  static constexpr unsigned bits = 8 * sizeof(Word);
  static constexpr std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  static constexpr unsigned dropped = 52 - Mantissa;
  static constexpr std::uint64_t exponents = (sign - 1) >> Mantissa;
  static constexpr std::uint64_t infinite = exponents << Mantissa;

  /// The first code that is no finite number, and the code of no number.
  static constexpr std::uint64_t end = Beyond == beyond::infinity    ? infinite
                                       : Beyond == beyond::no_number ? sign - 1
                                                                     : sign;
  static constexpr std::uint64_t none = Beyond == beyond::negative_zero_is_none ? sign
                                        : bits == 8 ? sign - 1
                                                    : infinite | std::uint64_t{1} << (Mantissa - 1);

  static double load(std::uint64_t code) noexcept {
    const std::uint64_t magnitude = code & (sign - 1);
    const std::uint64_t negative = (code & sign) != 0 ? sign64 : 0;
    if (Beyond == beyond::negative_zero_is_none && code == sign)
      return std::bit_cast<double>(quiet64);
    if (magnitude >= end)
      return std::bit_cast<double>(magnitude == infinite && Beyond == beyond::infinity
                                       ? infinite64 | negative
                                       : quiet64);
    if (magnitude >> Mantissa != 0)
      return std::bit_cast<double>(
          ((magnitude << dropped) + (static_cast<std::uint64_t>(1023 - Bias) << 52)) | negative);
    constexpr double unit =
        std::bit_cast<double>(static_cast<std::uint64_t>(1023 + 1 - Bias - int{Mantissa}) << 52);
    const double value = static_cast<double>(magnitude) * unit;
    return negative != 0 ? -value : value;
  }

  static std::uint64_t rounded_shift(std::uint64_t value, unsigned shift) noexcept {
    const std::uint64_t half = (std::uint64_t{1} << (shift - 1)) - 1;
    return (value + half + (value >> shift & 1)) >> shift;
  }

  static std::uint64_t store(double value) noexcept {
    const auto wide = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = wide & ~sign64;
    if (magnitude > infinite64) return none;
    const std::uint64_t code = narrowed(magnitude);
    if (code >= end && Beyond != beyond::infinity) return none | (none == sign ? 0 : wide >> 63 << (bits - 1));
    if (Beyond == beyond::negative_zero_is_none && code == 0) return 0;
    return (code < end ? code : infinite) | wide >> 63 << (bits - 1);
  }

  static std::uint64_t narrowed(std::uint64_t magnitude) noexcept {
    const auto exponent = static_cast<std::int64_t>(magnitude >> 52) - 1023 + Bias;
    const std::uint64_t fraction = magnitude & (one64 - 1);
    if (exponent >= 1)
      return rounded_shift((static_cast<std::uint64_t>(exponent) << 52) + fraction, dropped);
    if (1 - exponent > std::int64_t{Mantissa} + 1) return 0;
    return rounded_shift(fraction | one64, dropped + static_cast<unsigned>(1 - exponent));
  }
};

using f16_form = float_form<std::uint16_t, 10, 15, beyond::infinity>;
using bf16_form = float_form<std::uint16_t, 7, 127, beyond::infinity>;
using f8_e5m2_form = float_form<std::uint8_t, 2, 15, beyond::infinity>;
using f8_e4m3_form = float_form<std::uint8_t, 3, 7, beyond::no_number>;
using f8_e5m2fnuz_form = float_form<std::uint8_t, 2, 16, beyond::negative_zero_is_none>;
using f8_e4m3fnuz_form = float_form<std::uint8_t, 3, 8, beyond::negative_zero_is_none>;

struct f32_form {
  using word = std::uint32_t;
  static double load(std::uint64_t code) noexcept {
    const auto value = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(code)));
    return std::isnan(value) ? std::bit_cast<double>(quiet64) : value;
  }
  static std::uint64_t store(double value) noexcept {
    if (std::isnan(value)) return 0x7fc00000;
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
};

struct f64_form {
  using word = std::uint64_t;
  static double load(std::uint64_t code) noexcept {
    return std::bit_cast<double>((code & ~sign64) > infinite64 ? quiet64 : code);
  }
  static std::uint64_t store(double value) noexcept {
    return std::isnan(value) ? quiet64 : std::bit_cast<std::uint64_t>(value);
  }
};

template <class Word, bool Signed>
struct integer_form {
  using word = Word;
  using signed_word = std::make_signed_t<Word>;
  using number = std::conditional_t<Signed, signed_word, Word>;

  static double load(std::uint64_t code) noexcept {
    return static_cast<double>(static_cast<number>(static_cast<Word>(code)));
  }
  static std::uint64_t store(double value) noexcept {
    return store_between(value, std::numeric_limits<number>::min(),
                         std::numeric_limits<number>::max());
  }
  static std::uint64_t store_between(double value, number least, number most) noexcept {
    // Of 64-bit types the largest number is not a binary64, so "too large" is from the next one on.
    if (std::isnan(value)) return 0;
    if (value >= static_cast<double>(most)) return static_cast<Word>(most);
    if (value <= static_cast<double>(least)) return static_cast<Word>(least);
    const double whole = std::floor(value);
    const double part = value - whole;
    auto rounded = static_cast<number>(whole);
    if (part > 0.5 || (part == 0.5 && (rounded & 1) != 0)) ++rounded;
    return static_cast<Word>(rounded);
  }
};

struct boolean_form : integer_form<std::uint8_t, false> {
  static std::uint64_t store(double value) noexcept { return store_between(value, 0, 1); }
};

/// Calls `visit` with the form of a real type.
template <class Visit>
void for_form_of(dtype type, Visit visit) {
  switch (type) {
    case dtype::boolean:
      return visit.template operator()<boolean_form>();
    case dtype::i8:
      return visit.template operator()<integer_form<std::uint8_t, true>>();
    case dtype::u16:
      return visit.template operator()<integer_form<std::uint16_t, false>>();
    case dtype::i16:
      return visit.template operator()<integer_form<std::uint16_t, true>>();
    case dtype::u32:
      return visit.template operator()<integer_form<std::uint32_t, false>>();
    case dtype::i32:
      return visit.template operator()<integer_form<std::uint32_t, true>>();
    case dtype::u64:
      return visit.template operator()<integer_form<std::uint64_t, false>>();
    case dtype::i64:
      return visit.template operator()<integer_form<std::uint64_t, true>>();
    case dtype::f16:
      return visit.template operator()<f16_form>();
    case dtype::bf16:
      return visit.template operator()<bf16_form>();
    case dtype::f32:
      return visit.template operator()<f32_form>();
    case dtype::f64:
      return visit.template operator()<f64_form>();
    case dtype::f8_e5m2:
      return visit.template operator()<f8_e5m2_form>();
    case dtype::f8_e4m3:
      return visit.template operator()<f8_e4m3_form>();
    case dtype::f8_e5m2fnuz:
      return visit.template operator()<f8_e5m2fnuz_form>();
    case dtype::f8_e4m3fnuz:
      return visit.template operator()<f8_e4m3fnuz_form>();
    default:
      return visit.template operator()<integer_form<std::uint8_t, false>>();
  }
}

template <class Word>
void store_words(const std::uint64_t* from, std::size_t count, std::byte* to) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    store_le(to + i * sizeof(Word), static_cast<Word>(from[i]));
}

template <class Number>
void load_words(const std::byte* from, std::size_t count, std::uint64_t* to) noexcept {
  using word = std::make_unsigned_t<Number>;
  for (std::size_t i = 0; i < count; ++i)
    to[i] = static_cast<std::uint64_t>(
        static_cast<Number>(load_le<word>(from + i * sizeof(Number))));
}

}  // namespace

void load_reals(dtype type, const std::byte* from, std::size_t count, double* to) noexcept {
  for_form_of(type, [&]<class Form>() {
    using word = typename Form::word;
    for (std::size_t i = 0; i < count; ++i)
      to[i] = Form::load(load_le<word>(from + i * sizeof(word)));
  });
}

void store_reals(dtype type, const double* from, std::size_t count, std::byte* to) noexcept {
  for_form_of(type, [&]<class Form>() {
    using word = typename Form::word;
    for (std::size_t i = 0; i < count; ++i)
      store_le(to + i * sizeof(word), static_cast<word>(Form::store(from[i])));
  });
}

void load_integers(dtype type, const std::byte* from, std::size_t count,
                   std::uint64_t* to) noexcept {
  switch (type) {
    case dtype::i8:
      return load_words<std::int8_t>(from, count, to);
    case dtype::u16:
      return load_words<std::uint16_t>(from, count, to);
    case dtype::i16:
      return load_words<std::int16_t>(from, count, to);
    case dtype::u32:
      return load_words<std::uint32_t>(from, count, to);
    case dtype::i32:
      return load_words<std::int32_t>(from, count, to);
    case dtype::u64:
    case dtype::i64:
      return load_words<std::uint64_t>(from, count, to);
    default:
      return load_words<std::uint8_t>(from, count, to);
  }
}

void store_integers(dtype type, const std::uint64_t* from, std::size_t count,
                    std::byte* to) noexcept {
  switch (bits_of(type)) {
    case 8:
      return store_words<std::uint8_t>(from, count, to);
    case 16:
      return store_words<std::uint16_t>(from, count, to);
    case 32:
      return store_words<std::uint32_t>(from, count, to);
    default:
      return store_words<std::uint64_t>(from, count, to);
  }
}

double rounded_to_single(double value) noexcept {
  return static_cast<double>(static_cast<float>(value));
}

}  // namespace lmzip::codec::brevis
