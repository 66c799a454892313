#pragma once

#include <torch/torch.h>

#include "app/train/loops.h"

namespace lmzip::train {

struct recurrence_result {
  torch::Tensor outputs;  ///< [T * B, d]
  torch::Tensor state;    ///< [B, d] after the last step, without gradient
};

/// The gated diagonal linear recurrence
///   h = f h' + (1 - f) z,  y = normalise(h silu(o)),
/// with f = sigmoid(of the gate) and z within candidate_bound, over T steps of B streams.
/// `gates` [T * B, 3 d] plus `bias` [3 d] hold z, f and o before their nonlinearities, row t * B +
/// b for step t of stream b; `state` [B, d] is h' of the first step, through which no gradient
/// flows (truncated backpropagation). float32. Gated linear recurrences: Martin and Cundy, ICLR
/// 2018.
recurrence_result recurrence(const torch::Tensor& gates, const torch::Tensor& bias,
                             const torch::Tensor& state);

/// The same by operations of libtorch, step by step: for other devices than the CPU, and to test.
recurrence_result recurrence_by_steps(const torch::Tensor& gates, const torch::Tensor& bias,
                                      const torch::Tensor& state);

}  // namespace lmzip::train
