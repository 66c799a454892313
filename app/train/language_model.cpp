#include "app/train/language_model.h"

#include "app/train/normalisation.h"

namespace lmzip::train {

language_model::language_model(const body_shape& shape, model::leaf_classes classes)
    : shape_(shape) {
  embedding_ = register_parameter("embedding",
                                  torch::randn({classes.leaves() + std::int64_t{1}, shape.width}));
  body_ = register_module("body", make_body(shape));
  head_ = register_module("head", std::make_shared<class_head>(shape.width, std::move(classes)));
}

torch::Tensor language_model::loss(const window& w, body_state& state) {
  for (torch::Tensor& part : state)
    part = part.masked_fill(
        w.starts.repeat_interleave(part.size(0) / w.starts.size(0)).unsqueeze(1), 0);
  const torch::Tensor rows = body_->forward(torch::embedding(embedding_, w.inputs), state);
  return head_->loss(normalise(rows), w.targets);
}

}  // namespace lmzip::train
