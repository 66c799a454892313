#pragma once

#include <cstdint>

namespace lmzip::train {

/// Logits of rows, one distribution a row, to which `biases` are still to be added, and the number
/// of the right one in each, less `first`.
struct logit_rows {
  float* logits;
  const float* biases;
  const std::int64_t* targets;
  std::int64_t first, rows, width;
};

/// The sum of the rows' cross entropies in nats.
double cross_entropy(const logit_rows& r);

/// The same, and turns the logits into `scale` times the chances, less `target_scale` for the
/// target: the gradient, if both are equal.
double cross_entropy_and_gradient(const logit_rows& r, float scale, float target_scale);

}  // namespace lmzip::train
