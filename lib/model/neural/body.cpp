#include "model/neural/body.h"

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

body_runner::body_runner(const language_model& model)
    : model_(&model), kernels_(&active_kernels()), width_(model.width()) {
  const std::size_t row = widest(model), width = static_cast<std::size_t>(width_);
  residuals_.resize(max_batch * width);
  sums_.resize(max_batch * row);
  outputs_.resize(width);
  activations_.resize(max_batch * row);
  normal_.resize(width);
  for (std::size_t b = 0; b < max_batch; ++b) {
    activation_.push_back(activations_.data() + b * row);
    sum_.push_back(sums_.data() + b * row);
  }
}

std::uint64_t body_runner::memory(const language_model& model) {
  const std::uint64_t row = widest(model), width = static_cast<std::uint64_t>(model.width());
  return max_batch * (4 * width + 5 * row) + 8 * width + 5 * width * model.layers().size();
}

void body_runner::multiply(const scaled_matrix& matrix, int batch) {
  kernels_->multiply(matrix.rows.rows(), matrix.rows.blocks(), activation_.data(), batch,
                     sum_.data());
}

void body_runner::run(std::span<const step> steps) {
  const auto batch = static_cast<int>(steps.size());
  for (int b = 0; b < batch; ++b) {
    const auto row = model_->embedding(steps[static_cast<std::size_t>(b)].symbol);
    kernels_->embed(row.numbers, row.factor, row.shift, width_, residual(b));
  }
  for (std::size_t i = 0; i < model_->layers().size(); ++i) {
    const language_model::layer& layer = model_->layers()[i];
    recur(layer, i, steps);
    if (model_->mlp_width() != 0) add_mlp(layer, batch);
  }
  for (int b = 0; b < batch; ++b)
    kernels_->normalise(residual(b), width_, steps[static_cast<std::size_t>(b)].out);
}

void body_runner::recur(const language_model::layer& layer, std::size_t number,
                        std::span<const step> steps) {
  const auto batch = static_cast<int>(steps.size());
  for (int b = 0; b < batch; ++b) {
    const auto place = static_cast<std::size_t>(b);
    kernels_->normalise(residual(b), width_, normal_.data());
    kernels_->shift(layer.shift_now.data(), layer.shift_before.data(), normal_.data(),
                    steps[place].state->before(number, width_), width_, activation_[place]);
  }
  multiply(layer.in, batch);
  for (int b = 0; b < batch; ++b) {
    const auto place = static_cast<std::size_t>(b);
    kernels_->recur(sum_[place], layer.in, layer.bias.data(), width_,
                    steps[place].state->memory(number, width_), outputs_.data());
    kernels_->normalise(outputs_.data(), width_, activation_[place]);
  }
  multiply(layer.out, batch);
  for (int b = 0; b < batch; ++b)
    kernels_->add(residual(b), sum_[static_cast<std::size_t>(b)], layer.out, width_);
}

void body_runner::add_mlp(const language_model::layer& layer, int batch) {
  const int mlp = model_->mlp_width();
  for (int b = 0; b < batch; ++b)
    kernels_->normalise(residual(b), width_, activation_[static_cast<std::size_t>(b)]);
  multiply(layer.mlp_in, batch);
  for (int b = 0; b < batch; ++b) {
    const auto place = static_cast<std::size_t>(b);
    kernels_->square(sum_[place], layer.mlp_in, mlp);
    kernels_->normalise(sum_[place], mlp, activation_[place]);
  }
  multiply(layer.mlp_out, batch);
  for (int b = 0; b < batch; ++b)
    kernels_->add(residual(b), sum_[static_cast<std::size_t>(b)], layer.mlp_out, width_);
}

}  // namespace lmzip::model::neural
