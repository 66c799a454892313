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

/// A layer of the recurrent body as it stands in a model file; d is the width.
struct stored_layer {
  std::vector<std::int16_t> shift_now, shift_before;  ///< Q12, [d]
  stored_matrix in;                                   ///< [3 d, d]
  std::vector<std::int32_t> bias;                     ///< Q10, [3 d]
  stored_matrix out;                                  ///< [d, d]
  stored_matrix mlp_in, mlp_out;                      ///< [m, d], [d, m], or empty
};

/// All numbers of a model.
struct stored_model {
  int width = 0;
  std::vector<std::uint16_t> class_starts;  ///< first leaf of each class
  stored_matrix embedding;                  ///< [leaves + 1, d]; the last row begins a block
  std::vector<stored_layer> layers;
  stored_matrix class_rows;                ///< [classes, d]
  std::vector<std::int32_t> class_biases;  ///< Q16, base 2
  /// [leaves, d]; without weights the rows are those of the embedding.
  stored_matrix leaf_rows;
  std::vector<std::int32_t> leaf_biases;  ///< Q16, base 2
};

/// A trained recurrent network over the leaves of a token tree, ready to be run. Immutable, so safe
/// to use from several threads.
class language_model {
 public:
  struct layer {
    std::vector<std::int16_t> shift_now, shift_before;
    scaled_matrix in, out, mlp_in, mlp_out;
    std::vector<std::int32_t> bias;
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

  int width() const noexcept { return width_; }
  int mlp_width() const noexcept { return mlp_width_; }
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
  void add_layer(const stored_layer& stored);
  void make_leaf_head(const stored_model& stored);
  packed_matrix leaf_rows_by_class(const std::int8_t* rows) const;

  int width_;
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
