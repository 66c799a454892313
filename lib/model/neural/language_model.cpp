#include "model/neural/language_model.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "lmzip/error.h"

namespace lmzip::model::neural {
namespace {

constexpr std::size_t max_layers = 32;
constexpr std::uint32_t max_class_leaves = 2048;
constexpr std::int32_t bias_bound = std::int32_t{1} << 24;

constexpr std::uint64_t largest_step = 1024;

/// Of logits before the bias, so that their differences fit.
constexpr std::int64_t logit_bound = std::int64_t{1} << 29;

void require(bool holds, const char* what) {
  if (!holds) throw error(errc::damaged, what);
}

/// Such that any sum of `columns` products is below 2^(15 + low_bits).
int low_bits_for(int columns) {
  const auto largest = static_cast<std::uint64_t>(columns) * activation_bound * activation_bound;
  return std::max(0, static_cast<int>(std::bit_width(largest)) - 15);
}

void check_matrix(const stored_matrix& m, std::size_t rows, int columns) {
  require(m.columns == columns && m.factors.size() == rows &&
              m.weights.size() == rows * static_cast<std::size_t>(columns),
          "a matrix of the model has another shape");
  require(m.shift >= 1 && m.shift <= 24, "a matrix of the model has no such scale");
  require(std::all_of(m.factors.begin(), m.factors.end(), [](auto f) { return f < 1 << 15; }),
          "a factor of the model is too large");
  require(std::find(m.weights.begin(), m.weights.end(), std::int8_t{-128}) == m.weights.end(),
          "a weight of the model is too small");
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

/// What a row's scaled sum can reach.
std::int64_t largest_result(const stored_matrix& m) {
  const scaling s{low_bits_for(m.columns), m.shift};
  std::int64_t most = 0;
  const auto columns = static_cast<std::size_t>(m.columns);
  for (std::size_t row = 0; row < m.factors.size(); ++row) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < columns; ++k) sum += std::abs(m.weights[row * columns + k]);
    const std::int64_t reached = scale(sum * activation_bound, m.factors[row], s);
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

language_model::head_rows make_head(const stored_matrix& rows,
                                    const std::vector<std::int32_t>& biases) {
  require(biases.size() == rows.factors.size(), "the model lacks biases");
  for (const std::int32_t bias : biases)
    require(std::abs(std::int64_t{bias}) <= bias_bound, "a bias of the model is too large");
  require(largest_result(rows) < logit_bound, "logits of the model could overflow");
  language_model::head_rows head{pack(rows), biases, learning_steps(rows)};
  head.biases.resize(head.steps.size());
  return head;
}

/// The rows of each class moved to begin at a block.
template <class Value>
std::vector<Value> by_blocks(const std::vector<Value>& rows, std::size_t row_values,
                             const leaf_classes& classes, const std::vector<int>& first_block) {
  std::vector<Value> moved(static_cast<std::size_t>(first_block.back()) *
                           packed_matrix::block_rows * row_values);
  for (std::uint32_t k = 0; k < classes.size(); ++k) {
    const auto from =
        rows.begin() + static_cast<std::ptrdiff_t>(classes.first_leaf(k) * row_values);
    std::copy(from, from + static_cast<std::ptrdiff_t>(classes.leaf_count(k) * row_values),
              moved.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(first_block[k]) *
                                                          packed_matrix::block_rows * row_values));
  }
  return moved;
}

}  // namespace

language_model::language_model(const stored_model& stored)
    : width_(stored.width),
      classes_(stored.class_starts, static_cast<std::uint32_t>(
                                        std::max<std::size_t>(stored.embedding.factors.size(), 2)) -
                                        1),
      embedding_(stored.embedding.weights),
      embedding_factors_(stored.embedding.factors.begin(), stored.embedding.factors.end()),
      embedding_shift_(stored.embedding.shift) {
  require(width_ >= 8 && width_ <= max_width && width_ % 8 == 0,
          "the model has a width that is not possible");
  require(classes_.leaves() <= token_tree::max_leaves, "the model has too many tokens");
  require(!stored.layers.empty() && stored.layers.size() <= max_layers,
          "the model has too many layers or none");
  check_matrix(stored.embedding, classes_.leaves() + std::size_t{1}, width_);
  residual_bound_ = std::int64_t{activation_bound} << 15;
  for (const stored_layer& layer : stored.layers) add_layer(layer);
  require(residual_bound_ <= residual_bound, "sums of the model could overflow");
  check_matrix(stored.class_rows, classes_.size(), width_);
  class_head_ = make_head(stored.class_rows, stored.class_biases);
  make_leaf_head(stored);
}

void language_model::add_layer(const stored_layer& stored) {
  const auto d = static_cast<std::size_t>(width_);
  require(stored.shift_now.size() == d && stored.shift_before.size() == d &&
              stored.bias.size() == 3 * d,
          "a layer of the model has another shape");
  for (const std::int32_t bias : stored.bias)
    require(std::abs(std::int64_t{bias}) <= bias_bound, "a bias of the model is too large");
  check_matrix(stored.in, 3 * d, width_);
  check_matrix(stored.out, d, width_);
  require(largest_result(stored.in) < logit_bound, "gates of the model could overflow");
  residual_bound_ += largest_result(stored.out);
  layer made{stored.shift_now, stored.shift_before, pack(stored.in), pack(stored.out), {}, {},
             stored.bias};
  const auto mlp = static_cast<int>(stored.mlp_in.factors.size());
  require(layers_.empty() || mlp == mlp_width_, "layers of the model differ");
  mlp_width_ = mlp;
  if (mlp != 0) {
    require(mlp <= max_mlp_width && mlp % 8 == 0, "the model has an MLP that is not possible");
    check_matrix(stored.mlp_in, static_cast<std::size_t>(mlp), width_);
    check_matrix(stored.mlp_out, d, mlp);
    residual_bound_ += largest_result(stored.mlp_out);
    made.mlp_in = pack(stored.mlp_in);
    made.mlp_out = pack(stored.mlp_out);
  }
  layers_.push_back(std::move(made));
}

void language_model::make_leaf_head(const stored_model& stored) {
  first_block_.push_back(0);
  for (std::uint32_t k = 0; k < classes_.size(); ++k) {
    require(classes_.leaf_count(k) <= max_class_leaves, "a class of the model is too large");
    first_block_.push_back(first_block_.back() + static_cast<int>((classes_.leaf_count(k) +
                                                                   packed_matrix::block_rows - 1) /
                                                                  packed_matrix::block_rows));
  }
  stored_matrix rows = stored.leaf_rows;
  if (rows.weights.empty()) {
    const auto& shared = stored.embedding.weights;
    rows.weights.assign(shared.begin(), shared.end() - width_);
  }
  check_matrix(rows, classes_.leaves(), width_);
  require(stored.leaf_biases.size() == classes_.leaves(), "the model lacks biases");
  rows.weights = by_blocks(rows.weights, static_cast<std::size_t>(width_), classes_, first_block_);
  rows.factors = by_blocks(rows.factors, 1, classes_, first_block_);
  leaf_head_ = make_head(rows, by_blocks(stored.leaf_biases, 1, classes_, first_block_));
}

void language_model::embed(std::uint32_t symbol, std::int32_t* to) const noexcept {
  const auto d = static_cast<std::size_t>(width_);
  const std::int8_t* row = embedding_.data() + symbol * d;
  const std::int32_t factor = embedding_factors_[symbol];
  const std::int32_t half = std::int32_t{1} << (embedding_shift_ - 1);
  for (std::size_t i = 0; i < d; ++i) to[i] = (row[i] * factor + half) >> embedding_shift_;
}

std::uint64_t language_model::parameters() const noexcept {
  const auto d = static_cast<std::uint64_t>(width_);
  return embedding_.size() + work() + d * (classes_.size() + classes_.leaves());
}

std::uint64_t language_model::memory() const noexcept {
  // Weights are a byte each, and each row has three words; a class's rows fill whole blocks.
  const auto d = static_cast<std::uint64_t>(width_);
  return embedding_.size() + work() + (leaf_rows() + classes_.size() + 16) * (d + 16) +
         4 * embedding_factors_.size() + layers_.size() * (d * 80 + 16 * std::uint64_t(mlp_width_));
}

std::uint64_t language_model::work() const noexcept {
  const auto d = static_cast<std::uint64_t>(width_);
  return layers_.size() * d * (4 * d + 2 * static_cast<std::uint64_t>(mlp_width_));
}

}  // namespace lmzip::model::neural
