#include "model/neural/packed_matrix.h"

#include <cstring>

namespace lmzip::model::neural {

packed_matrix::packed_matrix(int blocks, int columns)
    : columns_(columns),
      blocks_(blocks),
      weights_(static_cast<std::size_t>(blocks_) * block_bytes()),
      corrections_(static_cast<std::size_t>(blocks_) * block_rows) {}

packed_matrix::packed_matrix(std::span<const std::int8_t> rows, int columns)
    : packed_matrix((static_cast<int>(rows.size()) / columns + block_rows - 1) / block_rows,
                    columns) {
  const int count = static_cast<int>(rows.size()) / columns;
  for (int row = 0; row < count; ++row)
    set_row(row, rows.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(columns));
}

void packed_matrix::set_row(int row, const std::int8_t* numbers) noexcept {
  std::int8_t* to = weights_.data() + static_cast<std::size_t>(row / block_rows) * block_bytes() +
                    row % block_rows * column_step;
  std::int32_t sum = 0;
  for (int k = 0; k < columns_; ++k) sum += numbers[k];
  for (int k = 0; k < columns_; k += column_step, to += block_rows * column_step)
    std::memcpy(to, numbers + k, column_step);
  corrections_[static_cast<std::size_t>(row)] = 128 * sum;
}

void packed_matrix::unpack(int row, std::int16_t* to) const noexcept {
  const std::int8_t* from = block(row / block_rows) + row % block_rows * column_step;
  for (int k = 0; k < columns_; k += column_step, from += block_rows * column_step)
    for (int i = 0; i < column_step; ++i) to[k + i] = static_cast<std::int16_t>(from[i] * 256);
}

}  // namespace lmzip::model::neural
