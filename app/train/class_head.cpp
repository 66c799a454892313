#include "app/train/class_head.h"

#include <cmath>
#include <vector>

namespace lmzip::train {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// Turns logits into the gradient of their summed cross entropy times `scale`, and returns that
/// sum.
double cross_entropy(Tensor& logits, const Tensor& targets, double scale) {
  const Tensor column = targets.unsqueeze(1);
  logits = torch::log_softmax(logits, 1);
  const double sum = -logits.gather(1, column).sum().item<double>();
  logits.exp_().scatter_add_(1, column, torch::full_like(column, -1, logits.options()));
  logits.mul_(scale);
  return sum;
}

/// Rows in the order of their classes.
struct class_order {
  Tensor rows;                       ///< numbers of the rows
  std::vector<std::int64_t> counts;  ///< by class

  class_order(const Tensor& row_classes, std::int64_t classes)
      : rows(std::get<1>(torch::sort(row_classes, true, 0, false))) {
    const Tensor count = torch::bincount(row_classes, {}, classes).cpu();
    counts.assign(count.data_ptr<std::int64_t>(), count.data_ptr<std::int64_t>() + classes);
  }
};

/// The loss and, at once, its gradients: automatic differentiation would make a matrix of all
/// leaves for each class.
class class_loss : public torch::autograd::Function<class_loss> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& rows, const Tensor& class_rows,
                        const Tensor& class_biases, const Tensor& leaf_rows,
                        const Tensor& leaf_biases, const Tensor& targets, const Tensor& class_of,
                        const model::leaf_classes* classes) {
    const double scale = 1.0 / static_cast<double>(rows.size(0));
    const Tensor row_classes = class_of.index_select(0, targets);
    Tensor error = torch::addmm(class_biases, rows, class_rows.t());
    double sum = cross_entropy(error, row_classes, scale);
    Tensor d_rows = torch::mm(error, class_rows);
    const Tensor d_class_rows = torch::mm(error.t(), rows), d_class_biases = error.sum(0);

    const class_order order(row_classes, classes->size());
    const Tensor sorted = rows.index_select(0, order.rows);
    const Tensor sorted_targets = targets.index_select(0, order.rows);
    Tensor d_sorted = torch::zeros_like(sorted);
    Tensor d_leaf_rows = torch::zeros_like(leaf_rows),
           d_leaf_biases = torch::zeros_like(leaf_biases);
    std::int64_t begin = 0;
    for (std::uint32_t k = 0; k < classes->size(); begin += order.counts[k], ++k) {
      const std::int64_t count = order.counts[k];
      const std::int64_t first = classes->first_leaf(k), leaves = classes->leaf_count(k);
      if (count == 0 || leaves == 1) continue;
      const Tensor here = sorted.narrow(0, begin, count),
                   weights = leaf_rows.narrow(0, first, leaves);
      Tensor wrong = torch::addmm(leaf_biases.narrow(0, first, leaves), here, weights.t());
      sum += cross_entropy(wrong, sorted_targets.narrow(0, begin, count) - first, scale);
      Tensor to_rows = d_sorted.narrow(0, begin, count);
      torch::mm_out(to_rows, wrong, weights);
      Tensor to_leaves = d_leaf_rows.narrow(0, first, leaves);
      torch::mm_out(to_leaves, wrong.t(), here);
      d_leaf_biases.narrow(0, first, leaves).copy_(wrong.sum(0));
    }
    d_rows.index_add_(0, order.rows, d_sorted);
    context->save_for_backward({d_rows, d_class_rows, d_class_biases, d_leaf_rows, d_leaf_biases});
    return torch::full({}, sum * scale, rows.options());
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    tensor_list result = context->get_saved_variables();
    for (Tensor& gradient : result) gradient = gradient * gradients[0];
    result.insert(result.end(), 3, Tensor());
    return result;
  }
};

}  // namespace

class_head::class_head(std::int64_t width, model::leaf_classes classes, Tensor leaf_rows)
    : classes_(std::move(classes)), leaf_rows_(std::move(leaf_rows)) {
  std::vector<std::int64_t> numbers;
  for (std::uint32_t leaf = 0; leaf < classes_.leaves(); ++leaf)
    numbers.push_back(classes_.class_of(leaf));
  class_of_ = register_buffer("class_of", torch::tensor(numbers));
  const double scale = 1 / std::sqrt(static_cast<double>(width));
  const std::int64_t size = classes_.size(), leaves = classes_.leaves();
  class_rows_ = register_parameter("class_rows", torch::randn({size, width}) * scale);
  class_biases_ = register_parameter("class_biases", torch::zeros({size}));
  if (!leaf_rows_.defined())
    leaf_rows_ = register_parameter("leaf_rows", torch::randn({leaves, width}) * scale);
  leaf_biases_ = register_parameter("leaf_biases", torch::zeros({leaves}));
}

Tensor class_head::loss(const Tensor& rows, const Tensor& targets) const {
  return class_loss::apply(rows, class_rows_, class_biases_, leaf_rows_, leaf_biases_, targets,
                           class_of_, &classes_);
}

Tensor class_head::log_chances(const Tensor& rows) const {
  const torch::NoGradGuard no_gradient;
  const Tensor of_class = torch::log_softmax(torch::addmm(class_biases_, rows, class_rows_.t()), 1);
  Tensor chances = torch::addmm(leaf_biases_, rows, leaf_rows_.t());
  for (std::uint32_t k = 0; k < classes_.size(); ++k) {
    Tensor part = chances.narrow(1, classes_.first_leaf(k), classes_.leaf_count(k));
    part.copy_(torch::log_softmax(part, 1) + of_class.narrow(1, k, 1));
  }
  return chances;
}

}  // namespace lmzip::train
