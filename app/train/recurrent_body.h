#pragma once

#include "app/train/body.h"

namespace lmzip::train {

/// Layers of token shift, gated recurrence and, if it has a width, an MLP with squared ReLU, each
/// added to the row that it gets:
///   u = normalise(x), v = clamp(a u + b u'), x += W_out recurrence(W_in v, bias),
///   x += W_2 normalise(relu(W_1 normalise(x))^2),
/// where u' is u of the token before.
class recurrent_body : public body {
 public:
  recurrent_body(const body_shape& shape, precision products);

  body_state start(std::int64_t streams) const override;
  torch::Tensor forward(torch::Tensor rows, body_state& state) override;
  std::int64_t work() const override;

 private:
  struct layer {
    torch::Tensor shift_now, shift_before;  ///< a and b, [d]
    torch::Tensor in, bias, out;            ///< [3 d, d], [3 d], [d, d]
    torch::Tensor mlp_in, mlp_out;          ///< [m, d], [d, m], or undefined
  };

  body_shape shape_;
  precision products_;
  std::vector<layer> layers_;
};

}  // namespace lmzip::train
