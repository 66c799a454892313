#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/neural/batch_rows.h"
#include "model/neural/body_state.h"

namespace lmzip::model::neural {

/// The part of a recurrent layer that looks back: token shift and gated recurrence.
class recurrence {
 public:
  explicit recurrence(const language_model& model);

  /// Adds the layer of that number to the residuals of a batch, whose steps it takes in order.
  void add(std::size_t number, std::span<const body_step> steps, batch_rows& rows) noexcept;

  static std::uint64_t memory(const language_model& model);

 private:
  const language_model* model_;
  std::vector<std::int32_t> outputs_;
  std::vector<std::int8_t> normal_;
};

}  // namespace lmzip::model::neural
