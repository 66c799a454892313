#include "codec/brevis/exact_math.h"

#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

namespace lmzip::codec::brevis {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "binary64 is computed without more precision");

/// A number as the sum of two, the second no more than half of the last place of the first.
struct pair {
  double high, low;
};

pair quick_sum(double a, double b) noexcept {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

pair exact_sum(double a, double b) noexcept {
  const double sum = a + b, other = sum - a;
  return {sum, (a - (sum - other)) + (b - other)};
}

/// The upper half of a number's bits (Dekker 1971).
double upper_half(double a) noexcept {
  const double scaled = a * 134217729.0;  // 2^27 + 1
  return scaled - (scaled - a);
}

pair exact_product(double a, double b) noexcept {
  const double product = a * b;
  const double a_high = upper_half(a), b_high = upper_half(b);
  const double a_low = a - a_high, b_low = b - b_high;
  return {product,
          ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

pair sum_of(pair a, pair b) noexcept {
  const pair sum = exact_sum(a.high, b.high);
  return quick_sum(sum.high, sum.low + (a.low + b.low));
}

pair product_of(pair a, pair b) noexcept {
  const pair product = exact_product(a.high, b.high);
  return quick_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/// a / b
pair quotient_of(double a, double b) noexcept {
  const double high = a / b;
  const pair back = exact_product(high, b);
  return quick_sum(high, ((a - back.high) - back.low) / b);
}

constexpr pair log2_e = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr pair ln_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// pi / 2 in parts of 21 bits or fewer, whose products with integers below 2^32 are exact.
constexpr std::array half_pi_parts = {0x1.921fbp+0,   0x1.5110bp-22,  0x1.1846ap-44,
                                      -0x1.d9ccfp-66, 0x1.1701cp-88, -0x1.f1977p-110};

constexpr double reciprocal_factorial(unsigned n) {
  double product = 1;
  for (unsigned i = 2; i <= n; ++i) product *= i;
  return 1 / product;
}

/// first + z * (second + z * …) of coefficients ±1 / n! for n, n + 2, …
template <unsigned First, unsigned Last>
double alternating_series(double z) noexcept {
  double sum = 0;
  for (unsigned n = Last; n >= First; n -= 2)
    sum = sum * z + (n / 2 % 2 == 0 ? reciprocal_factorial(n) : -reciprocal_factorial(n));
  return sum;
}

/// Of x.high + x.low, at most pi / 4.
sine_and_cosine sincos_near_zero(pair x) noexcept {
  const double z = x.high * x.high;
  const double sine_rest = z * x.high * alternating_series<3, 19>(z);
  const double sine = x.high + (sine_rest + x.low * (1 - 0.5 * z));
  const double half = 0.5 * z, near = 1 - half;
  const double cosine_rest = z * z * alternating_series<4, 20>(z);
  const double cosine = near + (((1 - near) - half) + (cosine_rest - x.high * x.low));
  return {sine, cosine};
}

sine_and_cosine turned(sine_and_cosine at, std::uint64_t quarters) noexcept {
  switch (quarters & 3) {
    case 0:
      return at;
    case 1:
      return {at.cosine, -at.sine};
    case 2:
      return {-at.sine, -at.cosine};
    default:
      return {-at.cosine, at.sine};
  }
}

/// The natural logarithm of a mantissa from 1/sqrt(2) to sqrt(2), by the series of the area
/// tangent of s = (m - 1) / (m + 1): 2 (s + s^3/3 + s^5/5 + …), its tail in plain numbers.
pair log_of_mantissa(double mantissa) noexcept {
  // mantissa + 1 may have one bit too many.
  const pair sum = exact_sum(mantissa, 1);
  pair s = quotient_of(mantissa - 1, sum.high);
  s = quick_sum(s.high, s.low - s.high * (sum.low / sum.high));
  const pair square = product_of(s, s);
  double tail = 0;
  for (int n = 29; n >= 5; n -= 2) tail = tail * square.high + 1.0 / n;
  // 1 + square * (1/3 + square * tail)
  constexpr pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  const pair inner = sum_of(third, exact_product(square.high, tail));
  const pair factor = sum_of({1, 0}, product_of(square, inner));
  const pair half = product_of(s, factor);
  return {2 * half.high, 2 * half.low};
}

struct split_number {
  double mantissa;
  double exponent;
};

split_number split(double x) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<std::int64_t>(bits >> 52 & 2047) - 1023;
  std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1023} << 52;
  if (std::bit_cast<double>(mantissa) > 1.4142135623730951) {
    mantissa -= std::uint64_t{1} << 52;
    ++exponent;
  }
  return {std::bit_cast<double>(mantissa), static_cast<double>(exponent)};
}

pair log2_pair(double x) noexcept {
  const split_number parts = split(x);
  return sum_of({parts.exponent, 0}, product_of(log_of_mantissa(parts.mantissa), log2_e));
}

/// 2^x
double exp2_pair(pair x) noexcept {
  if (!(x.high < 1024)) return x.high >= 1024 ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
  if (x.high < -1022) return 0;
  const double whole = std::floor(x.high + 0.5);
  const pair t = product_of(quick_sum(x.high - whole, x.low), ln_2);
  // 1 + t + t^2/2 + t^3 (1/6 + …), its tail in plain numbers.
  double tail = 0;
  for (unsigned n = 17; n >= 3; --n) tail = tail * t.high + reciprocal_factorial(n);
  const pair square = product_of(t, t);
  const pair upper = sum_of({0.5 * square.high, 0.5 * square.low},
                            {square.high * t.high * tail, 0});
  const pair sum = sum_of({1, 0}, sum_of(t, upper));
  const double mantissa = sum.high + sum.low;
  // In two steps, so that the scale of no result is out of range.
  const auto exponent = static_cast<std::int64_t>(whole);
  const auto power_of_two = [](std::int64_t power) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(power + 1023) << 52);
  };
  return mantissa * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
}

}  // namespace

sine_and_cosine exact_sincos(double x) noexcept {
  constexpr double too_large = 2147483648.0;
  if (!(x > -too_large && x < too_large)) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none};
  }
  const double quarters = std::floor(x * 0x1.45f306dc9c883p-1 + 0.5);
  pair left = {x, 0};
  for (const double part : half_pi_parts) {
    const pair difference = exact_sum(left.high, -(quarters * part));
    left = {difference.high, left.low + difference.low};
  }
  return turned(sincos_near_zero(exact_sum(left.high, left.low)),
                static_cast<std::uint64_t>(static_cast<std::int64_t>(quarters)));
}

sine_and_cosine turn_sincos(std::uint64_t part, std::uint64_t whole) noexcept {
  // 4 part / whole = quarters + rest / whole, rest from -whole / 2 to whole / 2.
  const std::uint64_t four = 4 * (part % whole);
  const std::uint64_t quarters = (four + whole / 2) / whole;
  const auto rest = static_cast<std::int64_t>(four - quarters * whole);
  const pair ratio = quotient_of(static_cast<double>(rest), static_cast<double>(whole));
  return turned(sincos_near_zero(product_of(ratio, half_pi)), quarters);
}

double exact_log2(double x) noexcept {
  const pair result = log2_pair(x);
  return result.high + result.low;
}

double exact_log(double x) noexcept {
  const split_number parts = split(x);
  const pair result = sum_of(product_of({parts.exponent, 0}, ln_2), log_of_mantissa(parts.mantissa));
  return result.high + result.low;
}

double exact_exp2(double x) noexcept { return exp2_pair({x, 0}); }

double exact_exp(double x) noexcept {
  if (!(x > -1000 && x < 1000)) return x >= 1000 ? HUGE_VAL : x <= -1000 ? 0 : x;
  return exp2_pair(product_of({x, 0}, log2_e));
}

double exact_pow(double x, double y) noexcept {
  return exp2_pair(product_of({y, 0}, log2_pair(x)));
}

}  // namespace lmzip::codec::brevis
