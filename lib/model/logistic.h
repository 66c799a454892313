#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace lmzip::model {

// Logistic mixing works on probabilities in two domains. A probability is the chance of a 1 in
// units of 2^-16. Its stretch ln(p / (1 - p)) has 8 fractional bits and is held to ±max_stretch.
// Both tables come from the integer recurrence e^(x/256) below, so they are the same everywhere.

inline constexpr int max_stretch = 2047;

namespace detail {

__extension__ using wide = unsigned __int128;

struct logistic_tables {
  std::array<std::uint16_t, 4096> squash{};           ///< by stretch + 2048, in units of 2^-16
  std::array<std::int16_t, 4096> stretch{};           ///< by the upper 12 bits of a probability
  std::array<std::int32_t, 4096> stretch_low_half{};  ///< the same, in the low 16 bits of a word
};

constexpr logistic_tables make_logistic_tables() {
  constexpr std::uint64_t e_to_1_256 = 72339619486979960;  // round(e^(1/256) * 2^56)
  constexpr wide one = wide{1} << 56;
  logistic_tables t;
  wide power = one;  // e^(magnitude/256), 56 fractional bits
  for (int magnitude = 0; magnitude <= 2048; ++magnitude) {
    const auto tail = static_cast<std::int64_t>((one << 16) / (power + one));
    const auto low = static_cast<std::uint16_t>(std::clamp<std::int64_t>(tail, 16, 65520));
    const auto high = static_cast<std::uint16_t>(std::clamp<std::int64_t>(65536 - tail, 16, 65520));
    t.squash[static_cast<std::size_t>(2048 - magnitude)] = low;
    if (magnitude < 2048) t.squash[static_cast<std::size_t>(2048 + magnitude)] = high;
    power = (power * e_to_1_256) >> 56;
  }
  int x = -2048;
  for (int p = 0; p < 4096; ++p) {
    while (x < max_stretch && t.squash[static_cast<std::size_t>(x + 2048)] < p * 16 + 8) ++x;
    t.stretch[static_cast<std::size_t>(p)] = static_cast<std::int16_t>(x);
    t.stretch_low_half[static_cast<std::size_t>(p)] = x & 0xffff;
  }
  return t;
}

inline constexpr logistic_tables logistic = make_logistic_tables();

}  // namespace detail

/// Probability of a stretch value; values outside ±max_stretch count as the nearest bound.
constexpr int squash(int stretch) noexcept {
  return detail::logistic
      .squash[static_cast<std::size_t>(std::clamp(stretch, -max_stretch, max_stretch) + 2048)];
}

/// Stretch of a probability of 16 bits.
inline int stretch(std::uint32_t probability) noexcept {
  return detail::logistic.stretch[probability >> 4];
}

/// Moves a probability of 16 bits by 2^-rate of its distance towards the coded bit.
inline void adapt(std::uint16_t& probability, bool bit, int rate) noexcept {
  const int target = bit ? 65535 : 0;
  probability = static_cast<std::uint16_t>(probability + ((target - probability) >> rate));
}

}  // namespace lmzip::model
