#include "app/train/class_head.h"

#include <cmath>
#include <vector>

#include "app/train/cross_entropy.h"
#include "app/train/own_loops.h"

namespace lmzip::train {
namespace {

using torch::Tensor;

/// The right leaf or class of each row, numbered from `first`.
struct right_ones {
  Tensor numbers;
  std::int64_t first = 0;

  Tensor column() const { return (numbers - first).unsqueeze(1); }
};

logit_rows rows_of(Tensor& logits, const Tensor& biases, const right_ones& right) {
  return {logits.data_ptr<float>(),
          biases.data_ptr<float>(),
          right.numbers.data_ptr<std::int64_t>(),
          right.first,
          logits.size(0),
          logits.size(1)};
}

/// The sum of cross entropies, [].
Tensor loss_of(Tensor logits, const Tensor& biases, const right_ones& right) {
  if (by_own_loops(logits))
    return torch::scalar_tensor(cross_entropy(rows_of(logits, biases, right)), torch::kFloat64);
  return -torch::log_softmax(logits + biases, 1).gather(1, right.column()).sum();
}

/// The same; turns logits into the gradient times `scale` of what targets, with the weight
/// 1 - `share`, and the teacher's chances teach.
Tensor learn_of(Tensor& logits, const Tensor& biases, const right_ones& right, double scale,
                double share, const Tensor& chances) {
  Tensor sum;
  const double target_scale = scale * (1 - share);
  if (by_own_loops(logits)) {
    sum = torch::scalar_tensor(
        cross_entropy_and_gradient(rows_of(logits, biases, right), static_cast<float>(scale),
                                   static_cast<float>(target_scale)),
        torch::kFloat64);
  } else {
    const Tensor column = right.column();
    logits = torch::log_softmax(logits + biases, 1);
    sum = -logits.gather(1, column).sum();
    logits.exp_().mul_(scale).scatter_add_(
        1, column, torch::full_like(column, -target_scale, logits.options()));
  }
  if (chances.defined()) logits.sub_(chances, scale * share);
  return sum;
}

/// Rows in the order of the classes of their targets.
class rows_by_class {
 public:
  rows_by_class(const Tensor& targets, const Tensor& target_classes, std::int64_t classes)
      : order_(std::get<1>(torch::sort(target_classes, true, 0, false))),
        targets_(targets.index_select(0, order_)) {
    const Tensor count = torch::bincount(target_classes, {}, classes).cpu();
    counts_.assign(count.data_ptr<std::int64_t>(), count.data_ptr<std::int64_t>() + classes);
  }

  const Tensor& order() const noexcept { return order_; }

  /// Calls `with(first row, rows, first leaf, leaves, right leaves)` for each class that has both
  /// rows and a choice.
  template <typename function>
  void each(const model::leaf_classes& classes, const function& with) const {
    std::int64_t begin = 0;
    for (std::uint32_t k = 0; k < classes.size(); begin += counts_[k], ++k) {
      const std::int64_t first = classes.first_leaf(k), leaves = classes.leaf_count(k);
      if (counts_[k] > 0 && leaves > 1)
        with(begin, counts_[k], first, leaves,
             right_ones{targets_.narrow(0, begin, counts_[k]), first});
    }
  }

 private:
  Tensor order_, targets_;
  std::vector<std::int64_t> counts_;
};

}  // namespace

class_head::class_head(std::int64_t width, model::leaf_classes classes, Tensor leaf_rows,
                       precision products)
    : classes_(std::move(classes)), products_(products), leaf_rows_(std::move(leaf_rows)) {
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
  const torch::NoGradGuard no_gradient;
  const Tensor target_classes = class_of_.index_select(0, targets);
  Tensor sum = loss_of(product(rows, class_rows_, products_), class_biases_, {target_classes});
  const rows_by_class by_class(targets, target_classes, classes_.size());
  const Tensor sorted = operand(rows.index_select(0, by_class.order()), products_);
  const Tensor weights = operand(leaf_rows(), products_);
  by_class.each(classes_, [&](std::int64_t begin, std::int64_t count, std::int64_t first,
                              std::int64_t leaves, const right_ones& right) {
    sum += loss_of(
        product_of_operands(sorted.narrow(0, begin, count), weights.narrow(0, first, leaves).t()),
        leaf_biases_.narrow(0, first, leaves), right);
  });
  return sum / rows.size(0);
}

class_head::lesson class_head::learn(const Tensor& rows, const Tensor& targets,
                                     const teacher* from) {
  const torch::NoGradGuard no_gradient;
  const double scale = 1.0 / static_cast<double>(rows.size(0));
  const Tensor target_classes = class_of_.index_select(0, targets);
  const Tensor inputs = operand(rows, products_), class_rows = operand(class_rows_, products_);
  Tensor error = product_of_operands(inputs, class_rows.t());
  const double share = from != nullptr ? from->share : 0;
  Tensor sum = learn_of(error, class_biases_, {target_classes}, scale, share,
                        from != nullptr ? from->head.class_chances(from->rows) : Tensor());
  class_biases_.mutable_grad().add_(error.sum(0));
  const Tensor narrow_error = operand(error, products_);
  add_product_of_operands(class_rows_.mutable_grad(), narrow_error.t(), inputs);

  const rows_by_class by_class(targets, target_classes, classes_.size());
  const Tensor sorted = inputs.index_select(0, by_class.order());
  const Tensor weights = operand(leaf_rows(), products_);
  Tensor d_rows = product_of_operands(narrow_error, class_rows);
  const Tensor taught = from != nullptr ? from->rows.index_select(0, by_class.order()) : Tensor();
  Tensor d_sorted = d_rows.index_select(0, by_class.order());
  by_class.each(classes_, [&](std::int64_t begin, std::int64_t count, std::int64_t first,
                              std::int64_t leaves, const right_ones& right) {
    const Tensor here = sorted.narrow(0, begin, count);
    const Tensor matrix = weights.narrow(0, first, leaves);
    Tensor wrong = product_of_operands(here, matrix.t());
    sum += learn_of(wrong, leaf_biases_.narrow(0, first, leaves), right, scale, share,
                    from != nullptr
                        ? from->head.leaf_chances(taught.narrow(0, begin, count), first, leaves)
                        : Tensor());
    leaf_biases_.mutable_grad().narrow(0, first, leaves).add_(wrong.sum(0));
    const Tensor narrow_wrong = operand(wrong, products_);
    add_product_of_operands(d_sorted.narrow(0, begin, count), narrow_wrong, matrix);
    add_product_of_operands(leaf_rows_.mutable_grad().narrow(0, first, leaves), narrow_wrong.t(),
                            here);
  });
  d_rows.index_copy_(0, by_class.order(), d_sorted);
  return {sum * scale, d_rows};
}

Tensor class_head::class_chances(const Tensor& rows) const {
  return torch::softmax(product(rows, class_rows_, products_) + class_biases_, 1);
}

Tensor class_head::leaf_chances(const Tensor& rows, std::int64_t first, std::int64_t leaves) const {
  return torch::softmax(product(rows, leaf_rows_.narrow(0, first, leaves), products_) +
                            leaf_biases_.narrow(0, first, leaves),
                        1);
}

Tensor class_head::log_chances(const Tensor& rows) const {
  const torch::NoGradGuard no_gradient;
  const Tensor of_class = torch::log_softmax(torch::addmm(class_biases_, rows, class_rows_.t()), 1);
  Tensor chances = torch::addmm(leaf_biases_, rows, leaf_rows().t());
  for (std::uint32_t k = 0; k < classes_.size(); ++k) {
    Tensor part = chances.narrow(1, classes_.first_leaf(k), classes_.leaf_count(k));
    part.copy_(torch::log_softmax(part, 1) + of_class.narrow(1, k, 1));
  }
  return chances;
}

}  // namespace lmzip::train
