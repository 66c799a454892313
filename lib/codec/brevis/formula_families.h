#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "codec/brevis/formulas.h"

namespace lmzip::codec::brevis {

/// A formula and how it is checked and made. `fits` sees calls with as many parameters as there
/// should be, all finite, at least one column.
struct formula_entry {
  std::string_view name;
  std::span<const std::string_view> parameters;
  bool (*fits)(const formula_call& call);
  std::unique_ptr<formula_evaluator> (*make)(const formula_call& call);
};

// The families, in the order of ids.
std::span<const formula_entry> angle_formulas() noexcept;
std::span<const formula_entry> wave_formulas() noexcept;
std::span<const formula_entry> series_formulas() noexcept;
std::span<const formula_entry> matrix_formulas() noexcept;

/// An evaluator that asks `Function` for numbers one by one, in order of row and column:
///   double operator()(std::uint64_t row, std::uint64_t column);
template <class Function>
class number_evaluator final : public formula_evaluator {
 public:
  explicit number_evaluator(const formula_call& call) : function_(call), columns_(call.columns) {}

  void fill(std::uint64_t first, std::size_t count, double* to) override {
    std::uint64_t row = first / columns_, column = first % columns_;
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = function_(row, column);
      if (++column == columns_) {
        column = 0;
        ++row;
      }
    }
  }

 private:
  Function function_;
  std::uint64_t columns_;
};

template <class Function>
std::unique_ptr<formula_evaluator> make_numbers(const formula_call& call) {
  return std::make_unique<number_evaluator<Function>>(call);
}

/// Whether a parameter is one of the integers low … high.
inline bool is_choice(double parameter, unsigned low, unsigned high) noexcept {
  return parameter >= low && parameter <= high &&
         parameter == static_cast<double>(static_cast<unsigned>(parameter));
}

/// Whether a parameter can be a base of powers or a divisor: of no extreme size.
inline bool is_moderate(double parameter) noexcept {
  return parameter >= 0x1p-100 && parameter <= 0x1p100;
}

}  // namespace lmzip::codec::brevis
