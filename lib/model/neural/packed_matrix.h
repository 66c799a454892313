#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/neural/fixed_point.h"

namespace lmzip::model::neural {

/// int8 rows in the order in which the kernels read them: blocks of 16 rows, in a block the first
/// four columns of all its rows, then the next four, and so on. Rows are filled up to whole blocks
/// with zeros.
class packed_matrix {
 public:
  static constexpr int block_rows = 16;
  static constexpr int column_step = 4;

  packed_matrix() = default;

  /// `rows` are row after row, `columns` (a multiple of 4) numbers each, none of them -128.
  packed_matrix(std::span<const std::int8_t> rows, int columns);

  /// Rows of zeros.
  packed_matrix(int blocks, int columns);

  /// Sets a row of zeros to `columns` numbers.
  void set_row(int row, const std::int8_t* numbers) noexcept;

  int columns() const noexcept { return columns_; }
  int blocks() const noexcept { return blocks_; }
  bool empty() const noexcept { return blocks_ == 0; }
  std::size_t block_bytes() const noexcept {
    return static_cast<std::size_t>(columns_) * block_rows;
  }
  const std::int8_t* block(int number) const noexcept {
    return weights_.data() + static_cast<std::size_t>(number) * block_bytes();
  }

  /// 128 times the sum of each row: what kernels that add 128 to the activations have too much.
  const std::int32_t* corrections(int block) const noexcept {
    return corrections_.data() + static_cast<std::size_t>(block) * block_rows;
  }

  /// Writes 256 times the weights of a row to `to` [columns].
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
