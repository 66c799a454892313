#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "codec/brevis/formulas.h"
#include "codec/brevis/numbers.h"
#include "codec/brevis/operand.h"
#include "codec/brevis/type_rules.h"
#include "codec/delta/cast.h"
#include "core/endian.h"

namespace lmzip::codec::brevis {
namespace {

std::size_t size_of(std::uint64_t count) noexcept { return static_cast<std::size_t>(count); }

/// Calls `work` with the first number and the count of each block of the result.
template <class Work>
void for_blocks(const node& whole, Work work) {
  const std::size_t count = size_of(whole.result.elements());
  for (std::size_t first = 0; first < count; first += number_block)
    work(first, std::min(number_block, count - first));
}

void ramp(const node& whole, std::span<std::byte> out) {
  const dtype type = whole.result.type;
  const std::uint64_t begin = whole.literals[0], step = whole.literals[1];
  for_blocks(whole, [&](std::size_t first, std::size_t count) {
    std::byte* const to = out.data() + first * bytes_of(type);
    if (is_integer(type)) {
      std::uint64_t numbers[number_block];
      for (std::size_t i = 0; i < count; ++i) numbers[i] = begin + (first + i) * step;
      return store_integers(type, numbers, count, to);
    }
    double numbers[number_block];
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] =
          std::bit_cast<double>(begin) + static_cast<double>(first + i) * std::bit_cast<double>(step);
    store_reals(type, numbers, count, to);
  });
}

void negate_integers(const node& whole, std::span<std::byte> out) {
  const dtype type = whole.result.type;
  for_blocks(whole, [&](std::size_t first, std::size_t count) {
    std::byte* const at = out.data() + first * bytes_of(type);
    std::uint64_t numbers[number_block];
    load_integers(type, at, count, numbers);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = 0 - numbers[i];
    store_integers(type, numbers, count, at);
  });
}

void negate(const node& whole, environment& known, std::span<std::byte> out) {
  evaluate(whole.parts[0], known, out);
  const dtype type = whole.result.type;
  if (is_integer(type)) return negate_integers(whole, out);
  const bool complex = type == dtype::c64 || type == dtype::c128;
  const std::size_t width = bytes_of(type) / (complex ? 2 : 1);
  for (std::size_t at = width - 1; at < out.size(); at += width) out[at] ^= std::byte{0x80};
}

/// value * 2^power, rounded once even if that is subnormal.
double scaled(double value, std::int64_t power) noexcept {
  constexpr std::uint64_t one = std::uint64_t{1} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = bits >> 63 << 63;
  std::uint64_t mantissa = bits & (one - 1);
  auto exponent = static_cast<std::int64_t>(bits >> 52 & 2047);
  if (exponent == 2047 || (exponent == 0 && mantissa == 0)) return value;
  if (exponent == 0) {
    const int shift = std::countl_zero(mantissa) - 11;
    mantissa <<= shift;
    exponent = 1 - shift;
  }
  mantissa |= one;
  exponent += power;
  if (exponent >= 2047) return std::bit_cast<double>(sign | std::uint64_t{2047} << 52);
  if (exponent >= 1)
    return std::bit_cast<double>(sign | ((static_cast<std::uint64_t>(exponent) << 52) +
                                         (mantissa - one)));
  const std::int64_t shift = 1 - exponent;
  if (shift > 53) return std::bit_cast<double>(sign);
  const std::uint64_t half = (std::uint64_t{1} << (shift - 1)) - 1;
  return std::bit_cast<double>(sign | (mantissa + half + (mantissa >> shift & 1)) >> shift);
}

void scale2(const node& whole, environment& known, std::span<std::byte> out) {
  evaluate(whole.parts[0], known, out);
  const dtype type = whole.result.type;
  const auto power = static_cast<std::int64_t>(whole.literals[0]);
  const std::size_t width = bytes_of(type);
  for_blocks(whole, [&](std::size_t first, std::size_t count) {
    std::byte* const at = out.data() + first * width;
    double numbers[number_block];
    std::byte scaled_bytes[number_block * sizeof(double)];
    load_reals(type, at, count, numbers);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = scaled(numbers[i], power);
    store_reals(type, numbers, count, scaled_bytes);
    for (std::size_t i = 0; i < count; ++i)
      if (!std::isnan(numbers[i])) std::memcpy(at + i * width, scaled_bytes + i * width, width);
  });
}

void cast(const node& whole, environment& known, std::span<std::byte> out) {
  const operand x(whole.parts[0], known);
  const dtype from = whole.parts[0].result.type, to = whole.result.type;
  if (delta::can_cast(from, to) && from != to)
    return delta::cast(from, x.data(), size_of(whole.result.elements()), to, out.data());
  if (from == to) {
    std::copy(x.bytes().begin(), x.bytes().end(), out.begin());
    return;
  }
  for_blocks(whole, [&](std::size_t first, std::size_t count) {
    const std::byte* const source = x.data() + first * bytes_of(from);
    std::byte* const target = out.data() + first * bytes_of(to);
    if (is_integer(from) && is_integer(to)) {
      std::uint64_t numbers[number_block];
      load_integers(from, source, count, numbers);
      store_integers(to, numbers, count, target);
    } else {
      double numbers[number_block];
      load_reals(from, source, count, numbers);
      store_reals(to, numbers, count, target);
    }
  });
}

void grid(const node& whole, environment& known, std::span<std::byte> out) {
  const operand scales(whole.parts[0], known), x(whole.parts[1], known);
  const dtype type = whole.result.type, from = whole.parts[1].result.type;
  const std::uint64_t inner = whole.literals[1], scale_count = whole.literals[2];
  std::uint64_t left = 0, next = 0;  // numbers of the current scale, and the scale after it
  double scale = 0;
  for_blocks(whole, [&](std::size_t first, std::size_t count) {
    double numbers[number_block];
    load_reals(from, x.data() + first * bytes_of(from), count, numbers);
    for (std::size_t i = 0; i < count; --left) {
      if (left == 0) {
        load_reals(type, scales.data() + size_of(next) * bytes_of(type), 1, &scale);
        next = next + 1 == scale_count ? 0 : next + 1;
        left = inner;
      }
      numbers[i++] *= scale;
    }
    store_reals(type, numbers, count, out.data() + first * bytes_of(type));
  });
}

void add(const node& whole, environment& known, std::span<std::byte> out) {
  evaluate(whole.parts[0], known, out);
  const operand y(whole.parts[1], known);
  const dtype type = whole.result.type;
  for_blocks(whole, [&](std::size_t first, std::size_t count) {
    std::byte* const at = out.data() + first * bytes_of(type);
    const std::byte* const other = y.data() + first * bytes_of(type);
    if (is_integer(type)) {
      std::uint64_t numbers[number_block], others[number_block];
      load_integers(type, at, count, numbers);
      load_integers(type, other, count, others);
      for (std::size_t i = 0; i < count; ++i) numbers[i] += others[i];
      store_integers(type, numbers, count, at);
    } else {
      // The sum in binary64 rounded again is the sum rounded once: the other types have less than
      // half of its bits.
      double numbers[number_block], others[number_block];
      load_reals(type, at, count, numbers);
      load_reals(type, other, count, others);
      for (std::size_t i = 0; i < count; ++i) numbers[i] += others[i];
      store_reals(type, numbers, count, at);
    }
  });
}

void evaluate_formula(const node& whole, std::span<std::byte> out) {
  if (out.empty()) return;  // else an empty table could cost the work of a long row
  formula_call call;
  call.id = static_cast<unsigned>(whole.literals[0]);
  call.columns = whole.literals[1];
  call.rows = whole.result.elements() / call.columns;
  for (std::size_t i = 2; i < whole.literals.size(); ++i)
    call.parameters.push_back(std::bit_cast<double>(whole.literals[i]));
  const auto evaluator = make_evaluator(call);
  for_blocks(whole, [&](std::size_t first, std::size_t count) {
    double numbers[number_block];
    evaluator->fill(first, count, numbers);
    store_reals(whole.result.type, numbers, count,
                out.data() + first * bytes_of(whole.result.type));
  });
}

}  // namespace

void evaluate_numbers(const node& whole, environment& known, std::span<std::byte> out) {
  switch (whole.what) {
    case op::ramp:
      return ramp(whole, out);
    case op::negate:
      return negate(whole, known, out);
    case op::scale2:
      return scale2(whole, known, out);
    case op::cast:
      return cast(whole, known, out);
    case op::grid:
      return grid(whole, known, out);
    case op::add:
      return add(whole, known, out);
    default:
      return evaluate_formula(whole, out);
  }
}

}  // namespace lmzip::codec::brevis
