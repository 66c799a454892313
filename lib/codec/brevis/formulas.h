#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lmzip::codec::brevis {

// Tables that are computed, not learned. Every formula is evaluated in binary64 by addition,
// subtraction, multiplication, division and square root alone (exact_math.h), so that all
// processors give equal bits.

/// A formula. Ids are stored in archives and never reused.
struct formula_facts {
  unsigned id;
  std::string_view name;
  std::span<const std::string_view> parameters;  ///< their names
};

/// A formula with its parameters, for a matrix of that many rows and columns; a vector is one row.
struct formula_call {
  unsigned id = 0;
  std::uint64_t rows = 1;
  std::uint64_t columns = 1;
  std::vector<double> parameters;
};

/// All formulas, by id without gaps.
std::span<const formula_facts> all_formulas() noexcept;

/// The formula of an id or a name, or nullptr.
const formula_facts* find_formula(unsigned id) noexcept;
const formula_facts* find_formula(std::string_view name) noexcept;

/// Whether the formula exists, has that many parameters, all finite and in its range, and makes
/// such shapes. Others throw error(damaged) when they are evaluated.
bool is_valid(const formula_call& call) noexcept;

/// Evaluates a call: prepares what rows or columns share (up to 1 MiB), then gives ranges.
class formula_evaluator {
 public:
  virtual ~formula_evaluator() = default;

  /// Numbers first … first + count - 1 of the matrix, row by row. Fastest in order of `first`.
  virtual void fill(std::uint64_t first, std::size_t count, double* to) = 0;
};

/// Throws error(damaged) for calls that are not valid.
std::unique_ptr<formula_evaluator> make_evaluator(const formula_call& call);

}  // namespace lmzip::codec::brevis
