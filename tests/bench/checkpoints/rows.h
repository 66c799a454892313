#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/checkpoints/model_shape.h"

namespace checkpoints {

/// What one step of training does to a checkpoint.
struct training_step {
  double update = 0.003;  ///< standard deviation of updates, over that of the tensor
  double touched = 0.4;   ///< share of the rows of the embedding that are updated at all
};

/// Makes the rows of one tensor, the same for the same seed.
class row_maker {
 public:
  row_maker(const made_tensor& t, std::uint64_t seed);

  /// Writes row number `row`.
  void make(std::uint64_t row, std::span<std::byte> out);

  /// Writes what a step of training makes of row number `row`, which is `before`. Below the
  /// precision of its numbers they have had a rest that is not known, so that few of 16 bits
  /// change.
  void train(std::uint64_t row, std::span<const std::byte> before, const training_step& by,
             std::span<std::byte> out);

 private:
  void make_numbers(std::uint64_t row, std::span<std::byte> out);
  void fill_normal(std::uint64_t key);
  void store(std::span<std::byte> out);

  const made_tensor& tensor_;
  std::uint64_t seed_;
  std::uint64_t key_;
  float tensor_scale_ = 1;
  std::vector<float> column_scales_;
  std::vector<std::uint32_t> bits_;
  std::vector<float> normal_, values_;
};

}  // namespace checkpoints
