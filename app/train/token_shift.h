#pragma once

#include <torch/torch.h>

namespace lmzip::train {

struct shift_result {
  torch::Tensor rows;  ///< [T * B, d]
  torch::Tensor last;  ///< [B, d]: normalised row of the last step, without gradient
};

/// clamp(a u + b u') with u = normalise(rows) and u' that of the step before, for T steps of B
/// streams: row t * B + b is step t of stream b. `before` [B, d] is u' of the first step, through
/// which no gradient flows. `a` and `b` [d]. float32. The token shift is from RWKV (Peng and
/// others, EMNLP 2023).
shift_result shift_tokens(const torch::Tensor& rows, const torch::Tensor& before,
                          const torch::Tensor& a, const torch::Tensor& b);

/// The same by operations of libtorch: for other devices than the CPU, and to test.
shift_result shift_tokens_by_tensors(const torch::Tensor& rows, const torch::Tensor& before,
                                     const torch::Tensor& a, const torch::Tensor& b);

}  // namespace lmzip::train
