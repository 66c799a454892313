#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace lmzip::model {

// Learned values in 8 bits, as they ship.

/// A stretch in steps of 16.
inline std::uint8_t quantise_stretch(std::int32_t stretched) noexcept {
  return static_cast<std::uint8_t>(
      static_cast<std::int8_t>(std::clamp((stretched + 8) >> 4, -127, 127)));
}

inline std::int32_t restore_stretch(std::uint8_t value) noexcept {
  return static_cast<std::int8_t>(value) * 16;
}

/// A quantised weight q stands for q * |q| * weight_unit.
inline constexpr std::int32_t weight_unit = 16;

inline std::uint8_t quantise_weight(std::int32_t weight) noexcept {
  const std::int32_t size = std::abs(std::clamp(weight, -(1 << 18), 1 << 18));
  std::int32_t q = 0;
  while (q < 127 && (q * q + q + 1) * weight_unit <= size) ++q;  // nearer to (q + 1)^2 than to q^2
  return static_cast<std::uint8_t>(static_cast<std::int8_t>(weight < 0 ? -q : q));
}

inline std::int32_t restore_weight(std::uint8_t value) noexcept {
  const std::int32_t q = static_cast<std::int8_t>(value);
  return q * std::abs(q) * weight_unit;
}

}  // namespace lmzip::model
