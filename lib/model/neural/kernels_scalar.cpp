#include "model/neural/kernels_impl.h"

namespace lmzip::model::neural::scalar {
namespace {

struct product {
  static void multiply(packed_rows rows, int blocks, const std::int8_t* const* activations,
                       int batch, std::int32_t* const* sums) {
    constexpr int height = packed_rows::block_rows, step = packed_rows::column_step;
    for (int block = 0; block < blocks; ++block)
      for (int b = 0; b < batch; ++b) {
        const std::int8_t* weight =
            rows.weights + static_cast<std::ptrdiff_t>(block) * height * rows.columns;
        std::int32_t sum[height] = {};
        for (int k = 0; k < rows.columns; k += step)
          for (int row = 0; row < height; ++row, weight += step)
            for (int i = 0; i < step; ++i) sum[row] += weight[i] * activations[b][k + i];
        for (int row = 0; row < height; ++row) sums[b][block * height + row] = sum[row];
      }
  }

  static void score(const std::int16_t* query, const std::int16_t* keys, int channels, int tokens,
                    std::int32_t* sums) {
    for (int t = 0; t < tokens; ++t, keys += channels) {
      std::int32_t sum = 0;
      for (int i = 0; i < channels; ++i) sum += query[i] * keys[i];
      sums[t] = sum;
    }
  }

  static void mix(const std::int16_t* shares, const std::int16_t* values, int channels, int tokens,
                  std::int32_t* mixed) {
    for (int i = 0; i < channels; ++i) mixed[i] = 0;
    for (int t = 0; t < tokens; ++t, values += channels)
      for (int i = 0; i < channels; ++i) mixed[i] += shares[t] * values[i];
  }
};

}  // namespace

constinit const kernel_table kernels = kernels_for<product>::table;

}  // namespace lmzip::model::neural::scalar
