#pragma once

#include "app/train/body.h"

namespace lmzip::train {

/// A decoder-only transformer (Vaswani and others, NeurIPS 2017) without biases or gains:
///   x += W_o attention(normalise(x)), x += W_2 normalise(relu(W_1 normalise(x))^2),
/// with rotary positions (Su and others, 2021). A token attends to itself and to up to `context` -
/// 1 tokens before it, wherever windows begin: each layer keeps the rows of the last tokens
/// (Transformer-XL: Dai and others, ACL 2019).
class transformer_body : public body {
 public:
  /// Throws error(usage) if the width is no multiple of twice the heads, or context or heads are
  /// missing.
  transformer_body(const body_shape& shape, precision products);

  body_state start(std::int64_t streams) const override;
  torch::Tensor forward(torch::Tensor rows, body_state& state) override;
  std::int64_t work() const override;

 private:
  struct layer {
    torch::Tensor query, key_value, out;  ///< [d, d], [2 d, d], [d, d]
    torch::Tensor mlp_in, mlp_out;        ///< [m, d], [d, m]
  };

  torch::Tensor attend(const layer& l, const torch::Tensor& now, const torch::Tensor& all,
                       const torch::Tensor& visible) const;
  torch::Tensor visible(std::int64_t steps, const torch::Tensor& seen) const;

  body_shape shape_;
  precision products_;
  std::vector<layer> layers_;
};

}  // namespace lmzip::train
