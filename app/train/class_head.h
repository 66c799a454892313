#pragma once

#include <torch/torch.h>

#include "app/train/product.h"
#include "model/leaf_classes.h"

namespace lmzip::train {

/// The head of a language model in two levels: a distribution over classes of leaves and one over
/// the leaves of the class. Costs a few hundred rows a token instead of all (Goodman, ICASSP 2001).
class class_head : public torch::nn::Module {
 public:
  /// `leaf_rows`, of whose rows the first are those of the leaves, are shared with another module
  /// that owns them, or, undefined, the head's own.
  class_head(std::int64_t width, model::leaf_classes classes, torch::Tensor leaf_rows = {},
             precision products = precision::f32);

  /// Mean cross entropy in nats of the leaves `targets` [N] after the rows [N, width]. Without
  /// gradient.
  torch::Tensor loss(const torch::Tensor& rows, const torch::Tensor& targets) const;

  /// Another head over the same classes whose distributions are learned, with the weight `share`
  /// beside 1 - `share` for the targets themselves (Hinton, Vinyals and Dean, 2015).
  struct teacher {
    const class_head& head;
    const torch::Tensor& rows;  ///< that it gets for the same tokens
    double share;
  };

  struct lesson {
    torch::Tensor loss;           ///< as loss() gives it
    torch::Tensor rows_gradient;  ///< [N, width]
  };

  /// The loss and, at once, its gradients: automatic differentiation would make a matrix of all
  /// leaves for each class. Adds to the gradients of the parameters and of shared leaf rows, which
  /// must be defined. The loss is that of the targets, with a teacher too.
  lesson learn(const torch::Tensor& rows, const torch::Tensor& targets,
               const teacher* from = nullptr);

  /// Logarithms of the chances of all leaves, [N, leaves]. Without gradient.
  torch::Tensor log_chances(const torch::Tensor& rows) const;

  const model::leaf_classes& classes() const noexcept { return classes_; }

  /// Rows of the leaves, [leaves, width].
  torch::Tensor leaf_rows() const { return leaf_rows_.narrow(0, 0, classes_.leaves()); }

 private:
  torch::Tensor class_chances(const torch::Tensor& rows) const;

  /// Chances of some leaves among them.
  torch::Tensor leaf_chances(const torch::Tensor& rows, std::int64_t first,
                             std::int64_t leaves) const;

  model::leaf_classes classes_;
  precision products_;
  torch::Tensor class_of_;                   ///< by leaf
  torch::Tensor class_rows_, class_biases_;  ///< [classes, width], [classes]
  torch::Tensor leaf_rows_, leaf_biases_;
};

}  // namespace lmzip::train
