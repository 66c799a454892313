#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "model/logistic.h"

namespace lmzip::model {

/// Refines a probability by what came of such probabilities in a context ("secondary symbol
/// estimation"): 33 points over the stretch domain, interpolated; the nearer one learns.
class adaptive_map {
 public:
  static constexpr int points = 33;

  /// A row that leaves every probability as it is.
  static constexpr std::array<std::uint16_t, points> untrained_row = [] {
    std::array<std::uint16_t, points> row{};
    for (int i = 0; i < points; ++i)
      row[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(squash((i - points / 2) * 128));
    return row;
  }();

  static void set_untrained(std::uint16_t* table, std::size_t rows) noexcept {
    for (std::size_t r = 0; r < rows; ++r)
      std::copy(untrained_row.begin(), untrained_row.end(), table + r * points);
  }

  adaptive_map() = default;
  explicit adaptive_map(std::uint16_t* table) noexcept : table_(table) {}

  void select(std::uint32_t row) noexcept { row_ = table_ + std::size_t{row} * points; }

  int refine(int stretched) noexcept {
    const int position = (stretched + 2048) * 32;
    const int low = position >> 12;
    const int fraction = position & 4095;
    nearest_ = row_ + low + (fraction >= 2048 ? 1 : 0);
    return (row_[low] * (4096 - fraction) + row_[low + 1] * fraction) >> 12;
  }

  void learn(bool bit) noexcept { adapt(*nearest_, bit, 6); }

 private:
  std::uint16_t* table_ = nullptr;
  std::uint16_t* row_ = nullptr;
  std::uint16_t* nearest_ = nullptr;
};

}  // namespace lmzip::model
