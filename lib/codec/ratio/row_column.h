#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/ratio/element_kernels.h"
#include "codec/ratio/ratio_layout.h"
#include "core/cursor.h"

namespace lmzip::codec::ratio {

/// Predicts the level (element_kernels.h) of an element as base + part of the row + part of the
/// column. It fits the second moments of an optimizer, which are close to a product of a number of
/// the row and one of the column (N. Shazeer, M. Stern, "Adafactor", arXiv 1804.04235, 2018).
///
/// A prediction is in halves of a level. What is below the octave of it, an eighth of one, is the
/// context.
class row_column_model {
 public:
  static constexpr unsigned unit_bits = 1;
  static constexpr unsigned contexts = 8;

  /// Fewer rows or columns are not worth it.
  static constexpr std::uint32_t min_columns = 32;
  static constexpr std::size_t min_rows = 8;

  /// The model of `tops`, upper halves of elements in rows of `columns`.
  static row_column_model fit(float_split how, std::span<const std::byte> plain, layout which,
                              std::uint32_t columns);

  /// Reads the model of so many elements; throws error(damaged) or error(truncated).
  static row_column_model read(std::size_t elements, cursor& in);
  void append_to(std::vector<std::byte>& bytes) const;
  std::size_t stored_bytes() const noexcept { return 6 + rows_.size() + columns_.size(); }

  /// Offsets for element_kernels and contexts of elements [first, first + count).
  void predict(std::size_t first, std::size_t count, std::int16_t* offsets,
               std::uint8_t* contexts_of) const noexcept;

 private:
  std::int16_t base_ = 0;  ///< of the offset: a symbol is close to middle_symbol
  std::vector<std::int8_t> rows_;
  std::vector<std::int8_t> columns_;
};

}  // namespace lmzip::codec::ratio
