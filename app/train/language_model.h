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
  language_model(const body_shape& shape, model::leaf_classes classes, bool tied);

  /// Mean loss in nats a token; moves the state of the streams on.
  torch::Tensor loss(const window& w, body_state& state);

  /// The symbol before the first token of a stream.
  std::int64_t start_symbol() const noexcept { return head_->classes().leaves(); }

  body_state start(std::int64_t streams) const { return body_->start(streams); }
  const body_shape& shape() const noexcept { return shape_; }
  const class_head& head() const noexcept { return *head_; }
  std::int64_t work() const { return body_->work(); }

 private:
  body_shape shape_;
  torch::Tensor embedding_;  ///< [leaves + 1, width]
  std::shared_ptr<body> body_;
  std::shared_ptr<class_head> head_;
};

}  // namespace lmzip::train
