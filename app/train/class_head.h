#pragma once

#include <torch/torch.h>

#include "model/leaf_classes.h"

namespace lmzip::train {

/// The head of a language model in two levels: a distribution over classes of leaves and one over
/// the leaves of the class. Costs a few hundred rows a token instead of all (Goodman, ICASSP 2001).
class class_head : public torch::nn::Module {
 public:
  /// `leaf_rows` [leaves, width] are shared with another module that owns them, or, undefined,
  /// the head's own.
  class_head(std::int64_t width, model::leaf_classes classes, torch::Tensor leaf_rows = {});

  /// Mean cross entropy in nats of the leaves `targets` [N] after the rows [N, width].
  torch::Tensor loss(const torch::Tensor& rows, const torch::Tensor& targets) const;

  /// Logarithms of the chances of all leaves, [N, leaves]. Without gradient.
  torch::Tensor log_chances(const torch::Tensor& rows) const;

  const model::leaf_classes& classes() const noexcept { return classes_; }

  /// Rows of the leaves, [leaves, width].
  const torch::Tensor& leaf_rows() const noexcept { return leaf_rows_; }

 private:
  model::leaf_classes classes_;
  torch::Tensor class_of_;                   ///< by leaf
  torch::Tensor class_rows_, class_biases_;  ///< [classes, width], [classes]
  torch::Tensor leaf_rows_, leaf_biases_;
};

}  // namespace lmzip::train
