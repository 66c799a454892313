#pragma once

#include <torch/torch.h>

#include <memory>

#include "app/train/body.h"
#include "app/train/class_head.h"

namespace lmzip::train {

/// A window of training text: T steps of B streams, row t * B + b for step t of stream b.
struct window {
  torch::Tensor inputs;   ///< leaf before, or language_model::start_symbol(), [T * B]
  torch::Tensor targets;  ///< leaf, [T * B]
  torch::Tensor starts;   ///< true for streams that begin here, [B]
};

/// Embedding, body and head.
class language_model : public torch::nn::Module {
 public:
  /// `tied`: the rows of the leaves in the head are those of the embedding (Press and Wolf, 2017).
  language_model(const body_shape& shape, model::leaf_classes classes, bool tied,
                 precision products = precision::f32);

  /// Mean loss in nats a token, without gradient; moves the state of the streams on.
  torch::Tensor loss(const window& w, body_state& state);

  /// Logarithms of the chances of all leaves after the last `steps` steps of the window, row by
  /// row, [steps * B, leaves], without gradient; moves the state on. The targets are not looked at.
  torch::Tensor log_chances(const window& w, body_state& state, std::int64_t steps);

  /// Another model over the same classes that this one learns from, with the weight `share`.
  struct teacher {
    language_model& model;
    body_state& state;
    double share;
  };

  /// The same, and adds to the gradients of the parameters, which must be defined. A teacher reads
  /// the window too, which moves its state on.
  torch::Tensor learn(const window& w, body_state& state, const teacher* from = nullptr);

  /// The symbol before the first token of a stream.
  std::int64_t start_symbol() const noexcept { return head_->classes().leaves(); }

  body_state start(std::int64_t streams) const { return body_->start(streams); }
  const body_shape& shape() const noexcept { return shape_; }
  const class_head& head() const noexcept { return *head_; }
  std::int64_t work() const { return body_->work(); }

 private:
  torch::Tensor rows_of(const window& w, body_state& state);
  torch::Tensor forward(const torch::Tensor& embedded, const window& w, body_state& state);

  body_shape shape_;
  torch::Tensor embedding_;  ///< [leaves + 1, width]
  std::shared_ptr<body> body_;
  std::shared_ptr<class_head> head_;
};

}  // namespace lmzip::train
