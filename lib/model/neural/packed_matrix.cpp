#include "model/neural/packed_matrix.h"

namespace lmzip::model::neural {

packed_matrix::packed_matrix(std::span<const std::int8_t> rows, int columns)
    : columns_(columns),
      blocks_(static_cast<int>((rows.size() / static_cast<std::size_t>(columns) + block_rows - 1) /
                               block_rows)),
      weights_(static_cast<std::size_t>(blocks_) * block_bytes()),
      corrections_(static_cast<std::size_t>(blocks_) * block_rows) {
  const std::size_t width = static_cast<std::size_t>(columns);
  for (std::size_t row = 0; row * width < rows.size(); ++row) {
    const std::int8_t* from = rows.data() + row * width;
    std::int8_t* to =
        weights_.data() + row / block_rows * block_bytes() + row % block_rows * column_step;
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < width; ++k) {
      sum += from[k];
      to[k / column_step * (block_rows * column_step) + k % column_step] = from[k];
    }
    corrections_[row] = 128 * sum;
  }
}

void packed_matrix::unpack(int row, std::int16_t* to) const noexcept {
  const std::int8_t* from = block(row / block_rows) + row % block_rows * column_step;
  for (int k = 0; k < columns_; k += column_step, from += block_rows * column_step)
    for (int i = 0; i < column_step; ++i) to[k + i] = static_cast<std::int16_t>(from[i] * 256);
}

}  // namespace lmzip::model::neural
