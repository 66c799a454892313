#pragma once

#include <cstdint>
#include <vector>

#include "model/neural/kernels.h"
#include "model/neural/language_model.h"

namespace lmzip::model::neural {

/// What the layers of a body work on: the rows of each token of a batch, by its place there.
class batch_rows {
 public:
  explicit batch_rows(const language_model& model);

  batch_rows(const batch_rows&) = delete;
  batch_rows& operator=(const batch_rows&) = delete;

  std::int32_t* residual(std::size_t b) noexcept {
    return residuals_.data() + b * static_cast<std::size_t>(width_);
  }
  std::int8_t* activations(std::size_t b) noexcept { return activation_[b]; }
  std::int32_t* sums(std::size_t b) noexcept { return sum_[b]; }
  const kernel_table& kernels() const noexcept { return *kernels_; }

  /// activations = norm of the residual, of the first `batch` tokens.
  void normalise_residuals(std::size_t batch) noexcept;

  /// sums = matrix * activations.
  void multiply(const scaled_matrix& matrix, std::size_t batch) noexcept;

  /// residual += matrix * activations.
  void add_product(const scaled_matrix& matrix, std::size_t batch) noexcept;

  static std::uint64_t memory(const language_model& model);

 private:
  const kernel_table* kernels_;
  int width_;
  std::vector<std::int32_t> residuals_, sums_;
  std::vector<std::int8_t> activations_;
  std::vector<std::int8_t*> activation_;
  std::vector<std::int32_t*> sum_;
};

}  // namespace lmzip::model::neural
