#pragma once

#include <cstdint>
#include <span>

#include "model/neural/attention.h"
#include "model/neural/batch_rows.h"
#include "model/neural/body_state.h"
#include "model/neural/recurrence.h"

namespace lmzip::model::neural {

/// Runs the body: layers of what looks back - token shift and gated recurrence, or attention - and,
/// where the model has it, an MLP with squared ReLU, each added to the residual. Not thread-safe;
/// the model outlives it.
class body_runner {
 public:
  explicit body_runner(const language_model& model);

  /// Takes up to max_batch steps at once. Several may be of one sequence, in its order.
  void run(std::span<const body_step> steps);

  /// With that of one sequence.
  static std::uint64_t memory(const language_model& model);

 private:
  void add_mlp(const language_model::layer& layer, std::size_t batch);

  const language_model* model_;
  batch_rows rows_;
  recurrence recurrence_;
  attention attention_;
};

}  // namespace lmzip::model::neural
