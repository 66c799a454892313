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

/// How far an error moves a row, for learn_row.
std::int16_t step_of(std::int32_t error, std::int32_t rate) {
  constexpr std::int32_t most = INT16_MAX;
  return static_cast<std::int16_t>(std::clamp((error * rate) >> 11, -most, most));
}

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
      leaves_known_(model.classes().size()),
      inputs_(row_values(model)),
      class_rows_(model.class_head().matrix.rows),
      class_numbers_(model.classes().size() * row_values(model)),
      class_biases_(model.class_head().biases),
      leaf_biases_(model.leaf_head().biases),
      class_is_own_(model.classes().size()),
      place_(model.leaf_rows()),
      leaf_weights_(model.leaf_rows() * row_values(model)),
      leaf_corrections_(model.leaf_rows() * sizeof(std::int32_t)),
      leaf_numbers_(model.classes().leaves() * row_values(model) * sizeof(std::int16_t)),
      rounded_(row_values(model)) {
  for (std::uint32_t k = 0; k < model.classes().size(); ++k)
    class_rows_.unpack(static_cast<int>(k), &class_numbers_[k * row_values(model)]);
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
                      classes = model.classes().size(), rows = model.leaf_rows();
  return classes * (3 * width + 9) + leaves * (2 * width + 2) + rows * (width + 12) + width +
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
  const auto classes = static_cast<int>(model_->classes().size());
  std::int32_t* sums = sums_.data();
  kernels_->multiply(class_rows_.rows(), class_rows_.blocks(), &row_, 1, &sums);
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
  const int block = model_->first_block(number);
  const auto count = static_cast<int>(model_->classes().leaf_count(number));
  std::int32_t* sums = sums_.data();
  kernels_->multiply(class_is_own_[number] ? own_rows(block) : head.matrix.rows.rows(block),
                     model_->first_block(number + 1) - block, &row_, 1, &sums);
  const auto first = static_cast<std::size_t>(block * packed_matrix::block_rows);
  kernels_->chances(sums, head.matrix.factors.data() + first, &leaf_biases_[first],
                    head.matrix.scale, count, leaf_masses_.data(), leaf_sums_.data());
  return leaf_sums_.data();
}

void adaptive_head::learn(std::uint32_t leaf) noexcept {
  if (!classes_known_) return;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    inputs_[i] = static_cast<std::int16_t>(row_[i] * 32);
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
    const std::int32_t sum = kernels_->learn_row(
        &class_numbers_[k * row_values(*model_)], inputs_.data(), model_->width(),
        step_of(errors_[k], head.steps[k] * class_rate), rounded_.data());
    class_rows_.set_row(static_cast<int>(k), rounded_.data(), sum);
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
    const std::size_t row = first + i;
    if (!has_own_row(row, error)) continue;
    own_rows_of(number);
    const std::size_t place = place_[row] - 1;
    const std::int32_t rate = leaf_rate + first_leaf_rate / (times_[place] + falling);
    if (times_[place] < most_times) ++times_[place];
    const std::int32_t sum =
        kernels_->learn_row(own_numbers(place), inputs_.data(), model_->width(),
                            step_of(error, head.steps[row] * rate), rounded_.data());
    pack_row(rounded_.data(), model_->width(), sum, static_cast<int>(row), own_weights(),
             own_corrections());
  }
}

/// Whether a leaf's row has numbers of its own; it gets them if the error is worth it.
bool adaptive_head::has_own_row(std::size_t row, std::int32_t error) noexcept {
  std::uint32_t& place = place_[row];
  if (place != 0) return true;
  if (error < 0 && error > -smallest_first_error) return false;
  times_.push_back(0);
  place = static_cast<std::uint32_t>(times_.size());
  model_->leaf_head().matrix.rows.unpack(static_cast<int>(row), own_numbers(place - 1));
  return true;
}

/// Copies the packed rows of a class, of which some are to adapt.
void adaptive_head::own_rows_of(std::uint32_t number) noexcept {
  if (class_is_own_[number]) return;
  class_is_own_[number] = true;
  const int block = model_->first_block(number);
  const auto rows =
      static_cast<std::size_t>(model_->first_block(number + 1) - block) * packed_matrix::block_rows;
  const std::size_t first = static_cast<std::size_t>(block) * packed_matrix::block_rows;
  const packed_rows from = model_->leaf_head().matrix.rows.rows(block);
  std::copy_n(from.weights, rows * row_values(*model_),
              own_weights() + first * row_values(*model_));
  std::copy_n(from.corrections, rows, own_corrections() + first);
}

}  // namespace lmzip::model::neural
