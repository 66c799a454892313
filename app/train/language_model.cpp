#include "app/train/language_model.h"

#include <cmath>

#include "app/train/normalisation.h"

namespace lmzip::train {

language_model::language_model(const body_shape& shape, model::leaf_classes classes, bool tied)
    : shape_(shape) {
  const std::int64_t leaves = classes.leaves();
  const double size = tied ? 1 / std::sqrt(static_cast<double>(shape.width)) : 1;
  embedding_ = register_parameter("embedding", torch::randn({leaves + 1, shape.width}) * size);
  body_ = register_module("body", make_body(shape));
  head_ = register_module(
      "head", std::make_shared<class_head>(shape.width, std::move(classes),
                                           tied ? embedding_.narrow(0, 0, leaves) : torch::Tensor()));
}

torch::Tensor language_model::loss(const window& w, body_state& state) {
  for (torch::Tensor& part : state)
    part = part.masked_fill(
        w.starts.repeat_interleave(part.size(0) / w.starts.size(0)).unsqueeze(1), 0);
  const torch::Tensor rows = body_->forward(torch::embedding(embedding_, w.inputs), state);
  return head_->loss(normalise(rows), w.targets);
}

}  // namespace lmzip::train
