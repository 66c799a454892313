#include "model/neural/language_model.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "lmzip/error.h"

namespace lmzip::model::neural {
namespace {

constexpr std::size_t max_layers = 32;
constexpr std::int32_t bias_bound = std::int32_t{1} << 24;

constexpr std::uint64_t largest_step = 1024;

/// Of logits before the bias, so that their differences fit.
constexpr std::int64_t logit_bound = std::int64_t{1} << 29;

void require(bool holds, const char* what) {
  if (!holds) throw error(errc::damaged, what);
}

void check_scales(const stored_matrix& m, std::size_t rows, int columns) {
  require(m.columns == columns && m.factors.size() == rows,
          "a matrix of the model has another shape");
  require(m.shift >= 1 && m.shift <= 24, "a matrix of the model has no such scale");
  require(std::all_of(m.factors.begin(), m.factors.end(), [](auto f) { return f < 1 << 15; }),
          "a factor of the model is too large");
}

void check_weights(const std::vector<std::int8_t>& weights, std::size_t count) {
  require(weights.size() == count, "a matrix of the model has another shape");
  require(count == 0 || std::memchr(weights.data(), 0x80, count) == nullptr,
          "a weight of the model is too small");
}

void check_matrix(const stored_matrix& m, std::size_t rows, int columns) {
  check_scales(m, rows, columns);
  check_weights(m.weights, rows * static_cast<std::size_t>(columns));
}

std::vector<std::int32_t> filled_up(const std::vector<std::uint16_t>& factors) {
  std::vector<std::int32_t> values(factors.begin(), factors.end());
  values.resize((values.size() + packed_matrix::block_rows - 1) / packed_matrix::block_rows *
                packed_matrix::block_rows);
  return values;
}

scaled_matrix pack(const stored_matrix& m) {
  return {packed_matrix(m.weights, m.columns),
          filled_up(m.factors),
          {low_bits_for(m.columns), m.shift}};
}

/// What a row's scaled sum can reach, for the weights of all rows.
std::int64_t largest_result(const stored_matrix& m, const std::vector<std::int8_t>& weights) {
  const scaling s{low_bits_for(m.columns), m.shift};
  std::int64_t most = 0;
  const std::int8_t* row = weights.data();
  for (const std::uint16_t factor : m.factors) {
    std::int32_t sum = 0;
    for (int k = 0; k < m.columns; ++k) sum += std::abs(row[k]);
    row += m.columns;
    const std::int64_t reached = scale(sum * activation_bound, factor, s);
    most = std::max(most, reached + 1);
  }
  return most;
}

/// A row's scale is factor * 16 ln 2 / (2^(low_bits + shift) * 1024), by the formats of activations
/// and logits; the step is half of its inverse, which is what moves all rows alike.
std::vector<std::int32_t> learning_steps(const stored_matrix& m) {
  constexpr std::uint64_t inverse_ln_2 = 47274;  // Q15
  const std::uint64_t numerator =
      (std::uint64_t{32} << (low_bits_for(m.columns) + m.shift)) * inverse_ln_2 >> 15;
  std::vector<std::int32_t> steps;
  for (const std::uint16_t factor : m.factors) {
    const std::uint64_t step = numerator / std::max<std::uint64_t>(factor, 1);
    steps.push_back(static_cast<std::int32_t>(std::min<std::uint64_t>(step, largest_step)));
  }
  steps.resize(filled_up(m.factors).size());
  return steps;
}

language_model::head_rows make_head(const stored_matrix& rows, scaled_matrix packed,
                                    const std::vector<std::int32_t>& biases) {
  require(biases.size() == rows.factors.size(), "the model lacks biases");
  for (const std::int32_t bias : biases)
    require(std::abs(std::int64_t{bias}) <= bias_bound, "a bias of the model is too large");
  language_model::head_rows head{std::move(packed), biases, learning_steps(rows)};
  head.biases.resize(head.steps.size());
  return head;
}

/// The numbers of each class's rows moved to where its first block begins.
template <class Number>
std::vector<Number> by_blocks(const std::vector<Number>& numbers, const leaf_classes& classes,
                              const std::vector<int>& first_block) {
  std::vector<Number> moved(static_cast<std::size_t>(first_block.back()) *
                            packed_matrix::block_rows);
  for (std::uint32_t k = 0; k < classes.size(); ++k)
    std::copy_n(numbers.begin() + classes.first_leaf(k), classes.leaf_count(k),
                moved.begin() + first_block[k] * packed_matrix::block_rows);
  return moved;
}

}  // namespace

language_model::language_model(stored_model stored)
    : kind_(stored.kind),
      width_(stored.width),
      heads_(stored.heads),
      context_(stored.context),
      classes_(stored.class_starts, static_cast<std::uint32_t>(
                                        std::max<std::size_t>(stored.embedding.factors.size(), 2)) -
                                        1),
      embedding_factors_(stored.embedding.factors.begin(), stored.embedding.factors.end()),
      embedding_shift_(stored.embedding.shift) {
  check_shape(stored);
  check_matrix(stored.embedding, classes_.leaves() + std::size_t{1}, width_);
  residual_bound_ = std::int64_t{activation_bound} << 15;
  for (const stored_layer& layer : stored.layers) add_layer(layer);
  require(residual_bound_ <= residual_bound, "sums of the model could overflow");
  check_matrix(stored.class_rows, classes_.size(), width_);
  require(largest_result(stored.class_rows, stored.class_rows.weights) < logit_bound,
          "logits of the model could overflow");
  class_head_ = make_head(stored.class_rows, pack(stored.class_rows), stored.class_biases);
  make_leaf_head(stored);
  embedding_ = std::move(stored.embedding.weights);
}

void language_model::check_shape(const stored_model& stored) const {
  require(width_ >= 8 && width_ <= max_width && width_ % 8 == 0,
          "the model has a width that is not possible");
  require(classes_.leaves() <= token_tree::max_leaves, "the model has too many tokens");
  require(!stored.layers.empty() && stored.layers.size() <= max_layers,
          "the model has too many layers or none");
  switch (kind_) {
    case body_kind::recurrent:
      require(heads_ == 0 && context_ == 0, "the model has heads that it does not use");
      break;
    case body_kind::transformer:
      require(
          heads_ >= 1 && heads_ <= width_ / channel_step && width_ % (heads_ * channel_step) == 0,
          "the model has heads that are not possible");
      require(context_ >= 1 && context_ <= max_context,
              "the model has a context that is not possible");
      break;
    default:
      require(false, "the model has a body that is not known");
  }
}

language_model::layer language_model::recurrent_layer(const stored_layer& stored) const {
  const auto d = static_cast<std::size_t>(width_);
  require(stored.shift_now.size() == d && stored.shift_before.size() == d &&
              stored.bias.size() == 3 * d,
          "a layer of the model has another shape");
  for (const std::int32_t bias : stored.bias)
    require(std::abs(std::int64_t{bias}) <= bias_bound, "a bias of the model is too large");
  check_matrix(stored.in, 3 * d, width_);
  require(largest_result(stored.in, stored.in.weights) < logit_bound,
          "gates of the model could overflow");
  layer made;
  made.shift_now = stored.shift_now;
  made.shift_before = stored.shift_before;
  made.bias = stored.bias;
  made.in = pack(stored.in);
  return made;
}

// Queries, keys and values are clamped to 16 bits, so that any weights will do.
language_model::layer language_model::attention_layer(const stored_layer& stored) const {
  const auto d = static_cast<std::size_t>(width_);
  check_matrix(stored.query, d, width_);
  check_matrix(stored.key_value, 2 * d, width_);
  layer made;
  made.query = pack(stored.query);
  made.key_value = pack(stored.key_value);
  return made;
}

void language_model::add_layer(const stored_layer& stored) {
  const auto d = static_cast<std::size_t>(width_);
  layer made = kind_ == body_kind::recurrent ? recurrent_layer(stored) : attention_layer(stored);
  check_matrix(stored.out, d, width_);
  residual_bound_ += largest_result(stored.out, stored.out.weights);
  made.out = pack(stored.out);
  const auto mlp = static_cast<int>(stored.mlp_in.factors.size());
  require(layers_.empty() || mlp == mlp_width_, "layers of the model differ");
  mlp_width_ = mlp;
  if (mlp != 0) {
    require(mlp <= max_mlp_width && mlp % 8 == 0, "the model has an MLP that is not possible");
    check_matrix(stored.mlp_in, static_cast<std::size_t>(mlp), width_);
    check_matrix(stored.mlp_out, d, mlp);
    residual_bound_ += largest_result(stored.mlp_out, stored.mlp_out.weights);
    made.mlp_in = pack(stored.mlp_in);
    made.mlp_out = pack(stored.mlp_out);
  }
  layers_.push_back(std::move(made));
}

void language_model::make_leaf_head(const stored_model& stored) {
  first_block_.push_back(0);
  for (std::uint32_t k = 0; k < classes_.size(); ++k) {
    require(classes_.leaf_count(k) <= leaf_classes::max_class_leaves,
            "a class of the model is too large");
    first_block_.push_back(first_block_.back() + static_cast<int>((classes_.leaf_count(k) +
                                                                   packed_matrix::block_rows - 1) /
                                                                  packed_matrix::block_rows));
  }
  const bool shared = stored.leaf_rows.weights.empty();
  const std::vector<std::int8_t>& weights =
      shared ? stored.embedding.weights : stored.leaf_rows.weights;
  stored_matrix rows{
      stored.leaf_rows.columns, stored.leaf_rows.shift, stored.leaf_rows.factors, {}};
  check_scales(rows, classes_.leaves(), width_);
  if (!shared) check_weights(weights, classes_.leaves() * static_cast<std::size_t>(width_));
  require(largest_result(rows, weights) < logit_bound, "logits of the model could overflow");
  require(stored.leaf_biases.size() == classes_.leaves(), "the model lacks biases");
  rows.factors = by_blocks(rows.factors, classes_, first_block_);
  scaled_matrix packed{leaf_rows_by_class(weights.data()),
                       filled_up(rows.factors),
                       {low_bits_for(width_), rows.shift}};
  leaf_head_ =
      make_head(rows, std::move(packed), by_blocks(stored.leaf_biases, classes_, first_block_));
}

packed_matrix language_model::leaf_rows_by_class(const std::int8_t* rows) const {
  packed_matrix packed(first_block_.back(), width_);
  for (std::uint32_t k = 0; k < classes_.size(); ++k)
    for (std::uint32_t i = 0; i < classes_.leaf_count(k); ++i, rows += width_)
      packed.set_row(first_block_[k] * packed_matrix::block_rows + static_cast<int>(i), rows);
  return packed;
}

std::uint64_t language_model::weights_of_layers() const noexcept {
  const auto d = static_cast<std::uint64_t>(width_);
  return layers_.size() * d * (4 * d + 2 * static_cast<std::uint64_t>(mlp_width_));
}

std::uint64_t language_model::parameters() const noexcept {
  const auto d = static_cast<std::uint64_t>(width_);
  return embedding_.size() + weights_of_layers() + d * (classes_.size() + classes_.leaves());
}

std::uint64_t language_model::memory() const noexcept {
  // Weights are a byte each, and each row has three words; a class's rows fill whole blocks.
  const auto d = static_cast<std::uint64_t>(width_);
  return embedding_.size() + weights_of_layers() + (leaf_rows() + classes_.size() + 16) * (d + 16) +
         4 * embedding_factors_.size() + layers_.size() * (d * 80 + 16 * std::uint64_t(mlp_width_));
}

std::uint64_t language_model::work() const noexcept {
  // A token's query is multiplied with all keys, and all values with their shares.
  const auto d = static_cast<std::uint64_t>(width_);
  return weights_of_layers() + layers_.size() * 2 * d * static_cast<std::uint64_t>(context_);
}

}  // namespace lmzip::model::neural
