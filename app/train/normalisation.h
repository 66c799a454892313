#pragma once

#include <torch/torch.h>

namespace lmzip::train {

/// Activations of the integer engine are signed bytes in 1/16.
inline constexpr double activation_bound = 127.0 / 16;

/// Root mean square normalisation of rows without gains, which the next matrix takes in (Zhang and
/// Sennrich, NeurIPS 2019), clamped to that range. float32, [N, d].
torch::Tensor normalise(const torch::Tensor& rows);

/// The same by operations of libtorch: for other devices than the CPU, and to test.
torch::Tensor normalise_by_tensors(const torch::Tensor& rows);

}  // namespace lmzip::train
