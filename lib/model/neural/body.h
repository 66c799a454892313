#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/neural/kernels.h"
#include "model/neural/language_model.h"

namespace lmzip::model::neural {

/// What the body remembers of a sequence.
class body_state {
 public:
  explicit body_state(const language_model& model)
      : memory_(model.layers().size() * static_cast<std::size_t>(model.width())),
        before_(memory_.size()) {}

  std::int32_t* memory(std::size_t layer, int width) noexcept {
    return memory_.data() + layer * static_cast<std::size_t>(width);
  }
  std::int8_t* before(std::size_t layer, int width) noexcept {
    return before_.data() + layer * static_cast<std::size_t>(width);
  }

 private:
  std::vector<std::int32_t> memory_;  ///< Q18
  std::vector<std::int8_t> before_;   ///< activations of the token before
};

/// Runs the body: layers of token shift, gated recurrence and, where the model has it, an MLP with
/// squared ReLU, each added to the residual. Not thread-safe; the model outlives it.
class body_runner {
 public:
  explicit body_runner(const language_model& model);

  /// One token of one sequence.
  struct step {
    body_state* state;
    std::uint32_t symbol;
    std::int8_t* out;  ///< row for the head, [width]
  };

  /// Takes up to max_batch steps at once. Several may be of one sequence, in its order.
  void run(std::span<const step> steps);

  static std::uint64_t memory(const language_model& model);

 private:
  void recur(const language_model::layer& layer, std::size_t number, std::span<const step> steps);
  void add_mlp(const language_model::layer& layer, int batch);
  void multiply(const scaled_matrix& matrix, int batch);

  std::int32_t* residual(int b) noexcept { return residuals_.data() + b * width_; }

  const language_model* model_;
  const kernel_table* kernels_;
  int width_;
  std::vector<std::int32_t> residuals_, sums_, outputs_;
  std::vector<std::int8_t> activations_, normal_;
  std::vector<std::int8_t*> activation_;  ///< by place in the batch
  std::vector<std::int32_t*> sum_;
};

}  // namespace lmzip::model::neural
