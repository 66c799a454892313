#include "app/train/transformer_body.h"

#include <cmath>

#include "app/train/normalisation.h"
#include "lmzip/error.h"

namespace lmzip::train {
namespace {

using torch::Tensor;

constexpr double rotary_base = 10000;

/// Turns pairs of numbers of [B, H, T, c] by angles that grow with the place, `first` for t = 0.
Tensor rotated(const Tensor& heads, std::int64_t first) {
  const std::int64_t steps = heads.size(2), half = heads.size(3) / 2;
  const auto options = heads.options().requires_grad(false);
  const Tensor place = torch::arange(first, first + steps, options).unsqueeze(1);
  const Tensor turn = torch::exp(torch::arange(half, options) *
                                 (-std::log(rotary_base) / static_cast<double>(half)));
  const Tensor angle = place * turn;
  const auto parts = heads.chunk(2, 3);
  return torch::cat({parts[0] * angle.cos() - parts[1] * angle.sin(),
                     parts[1] * angle.cos() + parts[0] * angle.sin()},
                    3);
}

}  // namespace

transformer_body::transformer_body(const body_shape& shape, precision products)
    : shape_(shape), products_(products) {
  if (shape.heads < 1 || shape.context < 1 || shape.width % (2 * shape.heads) != 0)
    throw error(errc::usage,
                "a transformer needs --heads and --context, and a width that is a multiple of "
                "twice the heads");
  const std::int64_t d = shape.width, m = shape.mlp_width > 0 ? shape.mlp_width : 4 * d;
  const double share = 1 / std::sqrt(2.0 * static_cast<double>(shape.layers));
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    const auto name = [i](const char* part) { return "layer" + std::to_string(i) + "_" + part; };
    layers_.push_back({register_parameter(name("query"), random_matrix(d, d, 1)),
                       register_parameter(name("key_value"), random_matrix(2 * d, d, 1)),
                       register_parameter(name("out"), random_matrix(d, d, share)),
                       register_parameter(name("mlp_in"), random_matrix(m, d, 1)),
                       register_parameter(name("mlp_out"), random_matrix(d, m, share))});
  }
}

/// The rows of each layer, and last how many tokens of a stream are in them.
body_state transformer_body::start(std::int64_t streams) const {
  const auto options = layers_.front().out.options().requires_grad(false);
  body_state state;
  for (std::size_t i = 0; i < layers_.size(); ++i)
    state.push_back(torch::zeros({streams * shape_.context, shape_.width}, options));
  state.push_back(torch::zeros({streams, 1}, options));
  return state;
}

/// Which of the context and window's tokens each token of the window sees, [B, 1, T, C + T].
Tensor transformer_body::visible(std::int64_t steps, const Tensor& seen) const {
  const auto options = seen.options();
  const std::int64_t context = shape_.context;
  const Tensor at = torch::arange(context, context + steps, options).unsqueeze(1);
  const Tensor from = torch::arange(context + steps, options).unsqueeze(0);
  const Tensor near = (from <= at).logical_and(from > at - context);
  const Tensor there = from >= context - seen;  // [B, C + T]
  return near.unsqueeze(0).logical_and(there.unsqueeze(1)).unsqueeze(1);
}

Tensor transformer_body::attend(const layer& l, const Tensor& now, const Tensor& all,
                                const Tensor& seen) const {
  const std::int64_t streams = now.size(0), steps = now.size(1), d = shape_.width;
  const std::int64_t channels = d / shape_.heads;
  const auto by_heads = [&](const Tensor& rows) {
    return rows.reshape({streams, -1, shape_.heads, channels}).transpose(1, 2);
  };
  const auto key_value = product(all.reshape({-1, d}), l.key_value, products_).chunk(2, 1);
  const Tensor query =
      rotated(by_heads(product(now.reshape({-1, d}), l.query, products_)), shape_.context);
  const Tensor key = rotated(by_heads(key_value[0]), 0);
  const Tensor scores =
      product_of_operands(operand(query, products_), operand(key, products_).transpose(2, 3)) /
      std::sqrt(static_cast<double>(channels));
  const Tensor weights = torch::softmax(scores.masked_fill(seen.logical_not(), -1e9), 3);
  const Tensor mixed =
      product_of_operands(operand(weights, products_), operand(by_heads(key_value[1]), products_));
  return mixed.transpose(1, 2).reshape({streams * steps, d});
}

Tensor transformer_body::forward(Tensor rows, body_state& state) {
  const std::int64_t streams = state.back().size(0), steps = rows.size(0) / streams;
  const std::int64_t d = shape_.width, context = shape_.context;
  // Rows come step by step, and attention works stream by stream.
  Tensor x = rows.view({steps, streams, d}).transpose(0, 1).reshape({streams * steps, d});
  const Tensor mask = visible(steps, state.back());
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const layer& l = layers_[i];
    const Tensor now = normalise(x).view({streams, steps, d});
    const Tensor all = torch::cat({state[i].view({streams, context, d}), now}, 1);
    state[i] = all.narrow(1, steps, context).detach().reshape({streams * context, d});
    x = add_product(x, normalise(attend(l, now, all, mask)), l.out, products_);
    const Tensor inner = product(normalise(x), l.mlp_in, products_);
    x = add_product(x, normalise_squared_relu(inner), l.mlp_out, products_);
  }
  state.back() =
      (state.back() + static_cast<double>(steps)).clamp_max(static_cast<double>(context));
  return x.view({streams, steps, d}).transpose(0, 1).reshape({steps * streams, d});
}

std::int64_t transformer_body::work() const {
  const std::int64_t d = shape_.width, m = shape_.mlp_width > 0 ? shape_.mlp_width : 4 * d;
  return shape_.layers * (4 * d * d + 2 * d * m + 2 * d * shape_.context);
}

}  // namespace lmzip::train
