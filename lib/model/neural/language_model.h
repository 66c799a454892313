#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/leaf_classes.h"
#include "model/neural/packed_matrix.h"

namespace lmzip::model::neural {

/// int8 rows of a matrix as they stand in a model file.
struct stored_matrix {
  int columns = 0;
  int shift = 1;
  std::vector<std::uint16_t> factors;  ///< by row, below 2^15
  std::vector<std::int8_t> weights;    ///< row after row
};

enum class body_kind : std::uint8_t {
  recurrent = 0,    ///< layers of token shift and gated recurrence
  transformer = 1,  ///< layers of attention over the last tokens
};

/// A layer as it stands in a model file; d is the width. What the body does not have is empty.
struct stored_layer {
  // recurrent
  std::vector<std::int16_t> shift_now, shift_before;  ///< Q12, [d]
  stored_matrix in;                                   ///< [3 d, d]
  std::vector<std::int32_t> bias;                     ///< Q10, [3 d]
  // transformer
  stored_matrix query;      ///< [d, d]
  stored_matrix key_value;  ///< [2 d, d], keys first
  // both
  stored_matrix out;              ///< [d, d]
  stored_matrix mlp_in, mlp_out;  ///< [m, d], [d, m], or empty
};

/// All numbers of a model.
struct stored_model {
  body_kind kind = body_kind::recurrent;
  int width = 0;
  int heads = 0, context = 0;               ///< of a transformer
  std::vector<std::uint16_t> class_starts;  ///< first leaf of each class
  stored_matrix embedding;                  ///< [leaves + 1, d]; the last row begins a block
  std::vector<stored_layer> layers;
  stored_matrix class_rows;                ///< [classes, d]
  std::vector<std::int32_t> class_biases;  ///< Q16, base 2
  /// [leaves, d]; without weights the rows are those of the embedding.
  stored_matrix leaf_rows;
  std::vector<std::int32_t> leaf_biases;  ///< Q16, base 2
};

/// A trained network over the leaves of a token tree, ready to be run. Immutable, so safe
/// to use from several threads.
class language_model {
 public:
  struct layer {
    std::vector<std::int16_t> shift_now, shift_before;
    std::vector<std::int32_t> bias;
    scaled_matrix in, query, key_value, out, mlp_in, mlp_out;
  };

  /// Rows of logits that adapt, with how fast.
  struct head_rows {
    scaled_matrix matrix;
    std::vector<std::int32_t> biases;
    std::vector<std::int32_t> steps;  ///< by row: how far an error moves it, 0 … 1024
  };

  struct embedding_row {
    const std::int8_t* numbers;  ///< [width]
    std::int32_t factor;
    int shift;
  };

  /// Throws error(damaged) if shapes do not fit each other or sums could overflow.
  explicit language_model(stored_model stored);

  body_kind kind() const noexcept { return kind_; }
  int width() const noexcept { return width_; }
  int mlp_width() const noexcept { return mlp_width_; }

  /// Of a transformer, or 0: heads, channels of each, and tokens that it sees, the last included.
  int heads() const noexcept { return heads_; }
  int channels() const noexcept { return heads_ == 0 ? 0 : width_ / heads_; }
  int context() const noexcept { return context_; }

  const std::vector<layer>& layers() const noexcept { return layers_; }
  const leaf_classes& classes() const noexcept { return classes_; }
  const head_rows& class_head() const noexcept { return class_head_; }

  /// Rows of a class begin at a whole block, first_block(class).
  const head_rows& leaf_head() const noexcept { return leaf_head_; }
  int first_block(std::uint32_t number) const noexcept { return first_block_[number]; }
  std::size_t leaf_rows() const noexcept { return leaf_head_.biases.size(); }

  /// Stands for the token before the first.
  std::uint32_t start_symbol() const noexcept { return classes_.leaves(); }

  /// The residual that a token begins with, Q12: numbers * factor / 2^shift.
  embedding_row embedding(std::uint32_t symbol) const noexcept {
    return {embedding_.data() + symbol * static_cast<std::size_t>(width_),
            embedding_factors_[symbol], embedding_shift_};
  }

  /// Bytes that the numbers take, and how many numbers are weights.
  std::uint64_t memory() const noexcept;
  std::uint64_t parameters() const noexcept;

  /// Multiplications a token of the body.
  std::uint64_t work() const noexcept;

 private:
  void check_shape(const stored_model& stored) const;
  layer recurrent_layer(const stored_layer& stored) const;
  layer attention_layer(const stored_layer& stored) const;
  void add_layer(const stored_layer& stored);
  void make_leaf_head(const stored_model& stored);
  packed_matrix leaf_rows_by_class(const std::int8_t* rows) const;

  std::uint64_t weights_of_layers() const noexcept;

  body_kind kind_;
  int width_;
  int heads_, context_;
  int mlp_width_ = 0;
  leaf_classes classes_;
  std::vector<std::int8_t> embedding_;
  std::vector<std::int32_t> embedding_factors_;
  int embedding_shift_;
  std::vector<layer> layers_;
  head_rows class_head_, leaf_head_;
  std::vector<int> first_block_;
  std::int64_t residual_bound_ = 0;  ///< that the layers so far can reach
};

}  // namespace lmzip::model::neural
