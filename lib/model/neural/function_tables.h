#pragma once

#include <array>
#include <cstdint>

namespace lmzip::model::neural {

/// The network's functions of one number, from integer recurrences, so that they are the same
/// everywhere.
struct function_tables {
  static constexpr int steps = 4096;  ///< over -16 … 16 in units of 2^-7
  static constexpr int middle = 2048;

  std::array<std::int32_t, steps> forget{};  ///< 1 - sigmoid(x), Q15
  std::array<std::int32_t, steps> silu{};    ///< x sigmoid(x), Q11
  std::array<std::int32_t, 1024> exp2{};     ///< 2^(-i / 1024), Q20
  std::array<std::int16_t, steps> sine{};    ///< sin(2 pi i / steps), Q14
};

extern const function_tables functions;

}  // namespace lmzip::model::neural
