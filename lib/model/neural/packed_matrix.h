#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/neural/fixed_point.h"

namespace lmzip::model::neural {

/// int8 rows in the order in which the kernels read them: blocks of 16 rows, in a block the first
/// four columns of all its rows, then the next four, and so on.
struct packed_rows {
  static constexpr int block_rows = 16;
  static constexpr int column_step = 4;

  const std::int8_t* weights;
  /// 128 times the sum of each row: what kernels that add 128 to the activations have too much.
  const std::int32_t* corrections;
  int columns;
};

/// Sets a row among packed ones to `columns` numbers, none of them -128, whose sum is given.
void pack_row(const std::int8_t* numbers, int columns, std::int32_t sum, int row,
              std::int8_t* weights, std::int32_t* corrections) noexcept;

/// A matrix of packed rows, filled up to whole blocks with zeros.
class packed_matrix {
 public:
  static constexpr int block_rows = packed_rows::block_rows;
  static constexpr int column_step = packed_rows::column_step;

  packed_matrix() = default;

  /// `rows` are row after row, `columns` (a multiple of 4) numbers each, none of them -128.
  packed_matrix(std::span<const std::int8_t> rows, int columns);

  /// Rows of zeros.
  packed_matrix(int blocks, int columns);

  /// Sets a row to `columns` numbers, whose sum may be known.
  void set_row(int row, const std::int8_t* numbers) noexcept;
  void set_row(int row, const std::int8_t* numbers, std::int32_t sum) noexcept;

  int columns() const noexcept { return columns_; }
  int blocks() const noexcept { return blocks_; }
  bool empty() const noexcept { return blocks_ == 0; }
  std::size_t block_bytes() const noexcept {
    return static_cast<std::size_t>(columns_) * block_rows;
  }

  /// From a block on.
  packed_rows rows(int first_block = 0) const noexcept {
    const auto block = static_cast<std::size_t>(first_block);
    return {weights_.data() + block * block_bytes(), corrections_.data() + block * block_rows,
            columns_};
  }

  /// Writes the weights of a row, as one that adapts (fixed_point.h), to `to` [columns].
  void unpack(int row, std::int16_t* to) const noexcept;

 private:
  int columns_ = 0;
  int blocks_ = 0;
  std::vector<std::int8_t> weights_;
  std::vector<std::int32_t> corrections_;
};

/// A matrix with what its sums are scaled by.
struct scaled_matrix {
  packed_matrix rows;
  std::vector<std::int32_t> factors;  ///< by row, filled up to whole blocks
  scaling scale;
};

}  // namespace lmzip::model::neural
