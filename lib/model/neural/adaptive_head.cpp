#include "model/neural/adaptive_head.h"

#include <algorithm>
#include <cstdlib>

namespace lmzip::model::neural {
namespace {

// Rates, tuned on pieces of 60 KB of many kinds. Errors are in units of 2^-15.
constexpr int bias_rate = 6;
constexpr std::int32_t class_rate = 10;
constexpr std::int32_t leaf_rate = 10;
constexpr std::int32_t first_leaf_rate = 128;  // more, falling with the times a row has moved
constexpr std::int32_t falling = 4;
constexpr std::uint16_t most_times = 60000;

constexpr std::int32_t smallest_error = 1 << 10;

// A row of which no copy is made yet is worth one only for this.
constexpr std::int32_t smallest_first_error = 1 << 11;

std::size_t row_values(const language_model& model) {
  return static_cast<std::size_t>(model.width());
}

std::size_t most_leaves(const language_model& model) {
  std::uint32_t most = 0;
  for (std::uint32_t k = 0; k < model.classes().size(); ++k)
    most = std::max(most, model.classes().leaf_count(k));
  return most;
}

}  // namespace

adaptive_head::adaptive_head(const language_model& model)
    : model_(&model),
      kernels_(&active_kernels()),
      wide_row_(row_values(model)),
      leaves_known_(model.classes().size()),
      class_rows_(model.classes().size() * row_values(model)),
      class_biases_(model.class_head().biases),
      leaf_biases_(model.leaf_head().biases),
      place_(model.leaf_rows()),
      leaf_rows_(model.classes().leaves() * row_values(model) * sizeof(std::int16_t)) {
  for (std::uint32_t k = 0; k < model.classes().size(); ++k)
    model.class_head().matrix.rows.unpack(static_cast<int>(k), &class_rows_[k * row_values(model)]);
  const std::size_t most = std::max<std::size_t>(most_leaves(model), model.classes().size());
  constexpr std::size_t block = packed_matrix::block_rows;
  sums_.resize((most + block - 1) / block * block);
  class_masses_.resize(model.classes().size());
  class_sums_.resize(model.classes().size() + 1);
  leaf_masses_.resize(most);
  leaf_sums_.resize(most + 1);
  errors_.resize(most);
}

std::uint64_t adaptive_head::memory(const language_model& model) {
  const std::uint64_t width = row_values(model), leaves = model.classes().leaves(),
                      classes = model.classes().size();
  return (classes + leaves) * (2 * width + 2) + 12 * model.leaf_rows() + 4 * classes +
         24 * std::max<std::uint64_t>(most_leaves(model), classes) + 4096;
}

void adaptive_head::see(const std::int8_t* row) noexcept {
  row_ = row;
  classes_known_ = false;
  leaves_known_ = model_->classes().size();
}

const std::uint32_t* adaptive_head::class_sums() noexcept {
  if (classes_known_) return class_sums_.data();
  classes_known_ = true;
  const int width = model_->width(), classes = static_cast<int>(model_->classes().size());
  std::copy_n(row_, width, wide_row_.begin());
  kernels_->adapted_sums(class_rows_.data(), classes, wide_row_.data(), width, sums_.data());
  const auto& head = model_->class_head();
  kernels_->chances(sums_.data(), head.matrix.factors.data(), class_biases_.data(),
                    head.matrix.scale, classes, class_masses_.data(), class_sums_.data());
  return class_sums_.data();
}

const std::uint32_t* adaptive_head::leaf_sums(std::uint32_t number) noexcept {
  if (leaves_known_ == number) return leaf_sums_.data();
  if (!classes_known_) class_sums();
  leaves_known_ = number;
  const auto& head = model_->leaf_head();
  const int block = model_->first_block(number), width = model_->width();
  const auto count = static_cast<int>(model_->classes().leaf_count(number));
  std::int32_t* sums = sums_.data();
  kernels_->multiply(head.matrix.rows, block,
                     (count + packed_matrix::block_rows - 1) / packed_matrix::block_rows, &row_, 1,
                     &sums);
  const auto first = static_cast<std::size_t>(block * packed_matrix::block_rows);
  const auto* adapted = reinterpret_cast<const std::int16_t*>(leaf_rows_.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    if (const std::uint32_t place = place_[first + i])
      kernels_->adapted_sums(adapted + (place - 1) * row_values(*model_), 1, wide_row_.data(),
                             width, sums + i);
  kernels_->chances(sums, head.matrix.factors.data() + first, &leaf_biases_[first],
                    head.matrix.scale, count, leaf_masses_.data(), leaf_sums_.data());
  return leaf_sums_.data();
}

void adaptive_head::learn(std::uint32_t leaf) noexcept {
  if (!classes_known_) return;
  const std::uint32_t number = model_->classes().class_of(leaf);
  if (model_->classes().leaf_count(number) > 1) {
    leaf_sums(number);
    learn_leaves(number, leaf);
  }
  learn_classes(number);
}

void adaptive_head::learn_classes(std::uint32_t number) noexcept {
  const auto& head = model_->class_head();
  const auto classes = static_cast<int>(model_->classes().size());
  kernels_->learn_biases(class_masses_.data(), class_sums_.back(), classes,
                         static_cast<int>(number), bias_rate, class_biases_.data(), errors_.data());
  for (std::size_t k = 0; k < static_cast<std::size_t>(classes); ++k) {
    if (std::abs(errors_[k]) <= smallest_error) continue;
    const std::int32_t step = (errors_[k] * (head.steps[k] * class_rate)) >> 8;
    kernels_->learn_row(&class_rows_[k * row_values(*model_)], wide_row_.data(), model_->width(),
                        step);
  }
}

void adaptive_head::learn_leaves(std::uint32_t number, std::uint32_t leaf) noexcept {
  const auto& head = model_->leaf_head();
  const std::uint32_t first_leaf = model_->classes().first_leaf(number);
  const auto count = static_cast<int>(model_->classes().leaf_count(number));
  const auto first =
      static_cast<std::size_t>(model_->first_block(number) * packed_matrix::block_rows);
  kernels_->learn_biases(leaf_masses_.data(), leaf_sums_[static_cast<std::size_t>(count)], count,
                         static_cast<int>(leaf - first_leaf), bias_rate, &leaf_biases_[first],
                         errors_.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::int32_t error = errors_[i];
    if (std::abs(error) <= smallest_error) continue;
    std::int16_t* const row = own_row(static_cast<int>(first + i), error);
    if (row == nullptr) continue;
    std::uint16_t& times = times_[place_[first + i] - 1];
    const std::int32_t rate = leaf_rate + first_leaf_rate / (times + falling);
    if (times < most_times) ++times;
    kernels_->learn_row(row, wide_row_.data(), model_->width(),
                        (error * (head.steps[first + i] * rate)) >> 8);
  }
}

/// The adapted copy of a leaf's row, made if the error is worth it; else nullptr.
std::int16_t* adaptive_head::own_row(int row, std::int32_t error) noexcept {
  std::uint32_t& place = place_[static_cast<std::size_t>(row)];
  auto* const rows = reinterpret_cast<std::int16_t*>(leaf_rows_.data());
  if (place == 0) {
    if (error < 0 && error > -smallest_first_error) return nullptr;
    times_.push_back(0);
    place = static_cast<std::uint32_t>(times_.size());
    model_->leaf_head().matrix.rows.unpack(row, rows + (place - 1) * row_values(*model_));
  }
  return rows + (place - 1) * row_values(*model_);
}

}  // namespace lmzip::model::neural
