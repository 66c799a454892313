#include "app/train/recurrent_body.h"

#include <cmath>

#include "app/train/normalisation.h"
#include "app/train/recurrence.h"
#include "app/train/token_shift.h"

namespace lmzip::train {
namespace {

using torch::Tensor;

// Time constants of the channels of a layer, in tokens, log-uniform between these at first.
constexpr double shortest_memory = 1.3;
constexpr double longest_memory = 300;

Tensor first_biases(std::int64_t width) {
  // sigmoid(f) = exp(-1 / memory)
  const Tensor memory =
      torch::exp(torch::linspace(std::log(shortest_memory), std::log(longest_memory), width));
  const Tensor keep = torch::exp(-1 / memory);
  return torch::cat({torch::zeros({width}), torch::log(keep / (1 - keep)), torch::ones({width})});
}

}  // namespace

recurrent_body::recurrent_body(const body_shape& shape, precision products)
    : shape_(shape), products_(products) {
  const std::int64_t d = shape.width, m = shape.mlp_width;
  // So that the sum of all layers stays of the size of one.
  const double share = 1 / std::sqrt(static_cast<double>(shape.layers * (m > 0 ? 2 : 1)));
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    const auto name = [i](const char* part) { return "layer" + std::to_string(i) + "_" + part; };
    layer l;
    l.shift_now = register_parameter(name("shift_now"), torch::ones({d}));
    l.shift_before = register_parameter(name("shift_before"), torch::zeros({d}));
    l.in = register_parameter(name("in"), random_matrix(3 * d, d, 1));
    l.bias = register_parameter(name("bias"), first_biases(d));
    l.out = register_parameter(name("out"), random_matrix(d, d, share));
    if (m > 0) {
      l.mlp_in = register_parameter(name("mlp_in"), random_matrix(m, d, 1));
      l.mlp_out = register_parameter(name("mlp_out"), random_matrix(d, m, share));
    }
    layers_.push_back(l);
  }
}

body_state recurrent_body::start(std::int64_t streams) const {
  const auto options = layers_.front().in.options().requires_grad(false);
  body_state state;
  for (std::size_t i = 0; i < 2 * layers_.size(); ++i)
    state.push_back(torch::zeros({streams, shape_.width}, options));
  return state;
}

Tensor recurrent_body::forward(Tensor rows, body_state& state) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const layer& l = layers_[i];
    const shift_result shifted = shift_tokens(rows, state[2 * i], l.shift_now, l.shift_before);
    state[2 * i] = shifted.last;
    const Tensor gates = product(shifted.rows, l.in, products_);
    const recurrence_result mixed = recurrence(gates, l.bias, state[2 * i + 1]);
    state[2 * i + 1] = mixed.state;
    rows = add_product(rows, mixed.outputs, l.out, products_);
    if (l.mlp_in.defined()) {
      const Tensor inner = product(normalise(rows), l.mlp_in, products_);
      rows = add_product(rows, normalise_squared_relu(inner), l.mlp_out, products_);
    }
  }
  return rows;
}

std::int64_t recurrent_body::work() const {
  return shape_.layers * shape_.width * (4 * shape_.width + 2 * shape_.mlp_width);
}

}  // namespace lmzip::train
