#include "app/train/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "app/train/wide_loops.h"

namespace lmzip::train {
namespace {

/// Adds the biases and returns the largest logit.
inline float finish_row(float* row, const float* biases, std::int64_t width) noexcept {
  float largest = row[0] + biases[0];
  for (std::int64_t i = 0; i < width; ++i) {
    row[i] += biases[i];
    largest = std::max(largest, row[i]);
  }
  return largest;
}

}  // namespace

LMZIP_TRAIN_WIDE double cross_entropy(const logit_rows& r) {
  double sum = 0;
  for (std::int64_t n = 0; n < r.rows; ++n) {
    float* const row = r.logits + n * r.width;
    const float largest = finish_row(row, r.biases, r.width);
    float mass = 0;
    for (std::int64_t i = 0; i < r.width; ++i) mass += std::exp(row[i] - largest);
    sum += std::log(mass) + largest - row[r.targets[n] - r.first];
  }
  return sum;
}

LMZIP_TRAIN_WIDE double cross_entropy_and_gradient(const logit_rows& r, float scale,
                                                   float target_scale) {
  double sum = 0;
  for (std::int64_t n = 0; n < r.rows; ++n) {
    float* const row = r.logits + n * r.width;
    const std::int64_t target = r.targets[n] - r.first;
    const float largest = finish_row(row, r.biases, r.width);
    const float right = row[target];
    float mass = 0;
    for (std::int64_t i = 0; i < r.width; ++i) {
      row[i] = std::exp(row[i] - largest);
      mass += row[i];
    }
    const float factor = scale / mass;
    for (std::int64_t i = 0; i < r.width; ++i) row[i] *= factor;
    row[target] -= target_scale;
    sum += std::log(mass) + largest - right;
  }
  return sum;
}

}  // namespace lmzip::train
