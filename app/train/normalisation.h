#pragma once

#include <torch/torch.h>

#include "app/train/loops.h"

namespace lmzip::train {

/// Root mean square normalisation of rows without gains, which the next matrix takes in (Zhang and
/// Sennrich, NeurIPS 2019), clamped to activation_bound. float32, [N, d].
torch::Tensor normalise(const torch::Tensor& rows);

/// normalise(relu(rows)^2). The squared ReLU is from Primer (So and others, 2021).
torch::Tensor normalise_squared_relu(const torch::Tensor& rows);

/// While one of these lives, activations of its thread are rounded as the integer engine has them;
/// gradients pass. A model that is trained so loses next to nothing when it is exported.
class rounded_activations {
 public:
  rounded_activations() noexcept;
  ~rounded_activations();
  rounded_activations(const rounded_activations&) = delete;
  rounded_activations& operator=(const rounded_activations&) = delete;
};
rounding present_rounding() noexcept;

/// Normalisations by operations of libtorch: for other devices than the CPU, and to test.
torch::Tensor normalise_by_tensors(const torch::Tensor& rows);
torch::Tensor normalise_squared_relu_by_tensors(const torch::Tensor& rows);

}  // namespace lmzip::train
