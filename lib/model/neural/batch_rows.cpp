#include "model/neural/batch_rows.h"

#include <algorithm>

namespace lmzip::model::neural {
namespace {

// Rows of sums and activations begin at whole blocks.
constexpr std::size_t align = 64;

std::size_t widest(const language_model& model) {
  const int width = std::max(3 * model.width(), model.mlp_width());
  return (static_cast<std::size_t>(width) + align - 1) / align * align;
}

}  // namespace

batch_rows::batch_rows(const language_model& model)
    : kernels_(&active_kernels()), width_(model.width()) {
  const std::size_t row = widest(model);
  residuals_.resize(max_batch * static_cast<std::size_t>(width_));
  sums_.resize(max_batch * row);
  activations_.resize(max_batch * row);
  for (std::size_t b = 0; b < max_batch; ++b) {
    activation_.push_back(activations_.data() + b * row);
    sum_.push_back(sums_.data() + b * row);
  }
}

std::uint64_t batch_rows::memory(const language_model& model) {
  return max_batch * (4 * static_cast<std::uint64_t>(model.width()) + 5 * widest(model));
}

void batch_rows::normalise_residuals(std::size_t batch) noexcept {
  for (std::size_t b = 0; b < batch; ++b) kernels_->normalise(residual(b), width_, activations(b));
}

void batch_rows::multiply(const scaled_matrix& matrix, std::size_t batch) noexcept {
  kernels_->multiply(matrix.rows.rows(), matrix.rows.blocks(), activation_.data(),
                     static_cast<int>(batch), sum_.data());
}

void batch_rows::add_product(const scaled_matrix& matrix, std::size_t batch) noexcept {
  multiply(matrix, batch);
  for (std::size_t b = 0; b < batch; ++b) kernels_->add(residual(b), sums(b), matrix, width_);
}

}  // namespace lmzip::model::neural
