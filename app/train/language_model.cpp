#include "app/train/language_model.h"

#include <cmath>

#include "app/train/loops.h"
#include "app/train/normalisation.h"
#include "app/train/own_loops.h"

namespace lmzip::train {
language_model::language_model(const body_shape& shape, model::leaf_classes classes, bool tied,
                               precision products)
    : shape_(shape) {
  const std::int64_t leaves = classes.leaves();
  const double size = tied ? 1 / std::sqrt(static_cast<double>(shape.width)) : 1;
  embedding_ = register_parameter("embedding", torch::randn({leaves + 1, shape.width}) * size);
  body_ = register_module("body", make_body(shape, products));
  head_ = register_module(
      "head", std::make_shared<class_head>(shape.width, std::move(classes),
                                           tied ? embedding_ : torch::Tensor(), products));
}

/// What the head gets.
torch::Tensor language_model::forward(const torch::Tensor& embedded, const window& w,
                                      body_state& state) {
  for (torch::Tensor& part : state)
    part = part.masked_fill(
        w.starts.repeat_interleave(part.size(0) / w.starts.size(0)).unsqueeze(1), 0);
  return normalise(body_->forward(embedded, state));
}

/// The same without gradient.
torch::Tensor language_model::rows_of(const window& w, body_state& state) {
  const torch::NoGradGuard no_gradient;
  return forward(embedding_.index_select(0, w.inputs), w, state);
}

torch::Tensor language_model::loss(const window& w, body_state& state) {
  return head_->loss(rows_of(w, state), w.targets);
}

torch::Tensor language_model::log_chances(const window& w, body_state& state, std::int64_t steps) {
  const torch::Tensor rows = rows_of(w, state);
  const std::int64_t count = steps * w.starts.size(0);
  return head_->log_chances(rows.narrow(0, rows.size(0) - count, count));
}

// Automatic differentiation would make two matrices of all leaves, nearly all zeros, for the
// embedding: so it sees the body alone.
torch::Tensor language_model::learn(const window& w, body_state& state, const teacher* from) {
  const torch::Tensor embedded =
      embedding_.detach().index_select(0, w.inputs).set_requires_grad(true);
  const torch::Tensor rows = forward(embedded, w, state);
  class_head::lesson lesson;
  if (from == nullptr) {
    lesson = head_->learn(rows.detach(), w.targets);
  } else {
    const torch::Tensor taught = from->model.rows_of(w, from->state);
    const class_head::teacher head{from->model.head(), taught, from->share};
    lesson = head_->learn(rows.detach(), w.targets, &head);
  }
  rows.backward(lesson.rows_gradient);
  torch::Tensor gradient = embedding_.mutable_grad();
  const torch::Tensor above = embedded.grad().contiguous();
  if (by_own_loops(gradient))
    add_rows(gradient.data_ptr<float>(), w.inputs.data_ptr<std::int64_t>(), above.data_ptr<float>(),
             above.size(0), above.size(1));
  else
    gradient.index_add_(0, w.inputs, above);
  return lesson.loss;
}

}  // namespace lmzip::train
