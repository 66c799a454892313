#include "model/neural/function_tables.h"

namespace lmzip::model::neural {
namespace {

__extension__ using wide = unsigned __int128;
__extension__ using wide_signed = __int128;

constexpr wide one = wide{1} << 56;

/// sigmoid(x) = 1 / (1 + e^-x) for x = i / 128, in units of 2^-30, rounded.
constexpr std::uint64_t sigmoid_above(wide power) {
  return static_cast<std::uint64_t>(((one << 30) + (one + power) / 2) / (one + power));
}

/// A point that turns from (1, 0) to (0, 1), and what that says of the other three quarters.
constexpr void make_sine(function_tables& t) {
  constexpr wide_signed cosine_step = 72057509258688306;  // round(cos(2 pi / 4096) * 2^56)
  constexpr wide_signed sine_step = 110534921525533;      // round(sin(2 pi / 4096) * 2^56)
  constexpr std::size_t half = function_tables::steps / 2;
  wide_signed cosine = one, sine = 0;
  for (std::size_t i = 0; i <= half / 2; ++i) {
    const auto value = static_cast<std::int16_t>((sine + (wide_signed{1} << 41)) >> 42);
    t.sine[i] = t.sine[half - i] = value;
    t.sine[(half + i) % function_tables::steps] = static_cast<std::int16_t>(-value);
    t.sine[(2 * half - i) % function_tables::steps] = static_cast<std::int16_t>(-value);
    const wide_signed next = (cosine * cosine_step - sine * sine_step) >> 56;
    sine = (sine * cosine_step + cosine * sine_step) >> 56;
    cosine = next;
  }
}

constexpr function_tables make_tables() {
  constexpr std::uint64_t e_to_minus_1_128 = 71496837392306472;     // round(e^(-1/128) * 2^56)
  constexpr std::uint64_t two_to_minus_1_1024 = 72008834645817313;  // round(2^(-1/1024) * 2^56)
  constexpr std::int64_t unit = std::int64_t{1} << 30;
  function_tables t;
  wide power = one;  // e^(-i/128)
  for (int i = 0; i <= function_tables::middle; ++i) {
    const auto above = static_cast<std::int64_t>(sigmoid_above(power));
    // sigmoid(-x) = 1 - sigmoid(x)
    for (const int x : {i, -i}) {
      const int at = function_tables::middle + x;
      if (at >= function_tables::steps) continue;
      const std::int64_t value = x >= 0 ? above : unit - above;
      const auto place = static_cast<std::size_t>(at);
      t.forget[place] = static_cast<std::int32_t>((unit - value + (1 << 14)) >> 15);
      // x is in units of 2^-7: Q(30 + 7) to Q11
      t.silu[place] = static_cast<std::int32_t>((x * value + (1 << 25)) >> 26);
    }
    power = (power * e_to_minus_1_128) >> 56;
  }
  power = one;  // 2^(-i/1024)
  for (std::int32_t& value : t.exp2) {
    value = static_cast<std::int32_t>((power + (wide{1} << 35)) >> 36);
    power = (power * two_to_minus_1_1024) >> 56;
  }
  make_sine(t);
  return t;
}

}  // namespace

constinit const function_tables functions = make_tables();

}  // namespace lmzip::model::neural
