#include "model/neural/packed_matrix.h"

#include <cstring>
#include <numeric>

namespace lmzip::model::neural {

void pack_row(const std::int8_t* numbers, int columns, std::int32_t sum, int row,
              std::int8_t* weights, std::int32_t* corrections) noexcept {
  constexpr int height = packed_rows::block_rows, step = packed_rows::column_step;
  std::int8_t* to =
      weights + static_cast<std::ptrdiff_t>(row / height) * columns * height + row % height * step;
  for (int k = 0; k < columns; k += step, to += height * step) std::memcpy(to, numbers + k, step);
  corrections[row] = 128 * sum;
}

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
  set_row(row, numbers, std::accumulate(numbers, numbers + columns_, std::int32_t{0}));
}

void packed_matrix::set_row(int row, const std::int8_t* numbers, std::int32_t sum) noexcept {
  pack_row(numbers, columns_, sum, row, weights_.data(), corrections_.data());
}

void packed_matrix::unpack(int row, std::int16_t* to) const noexcept {
  const std::int8_t* from = rows(row / block_rows).weights + row % block_rows * column_step;
  for (int k = 0; k < columns_; k += column_step, from += block_rows * column_step)
    for (int i = 0; i < column_step; ++i)
      to[k + i] = static_cast<std::int16_t>(from[i] * (1 << adapted_bits));
}

}  // namespace lmzip::model::neural
