#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/neural/batch_rows.h"
#include "model/neural/body_state.h"

namespace lmzip::model::neural {

/// The part of a transformer's layer that looks back: causal attention over the last tokens
/// (Vaswani and others, NeurIPS 2017) with rotary positions (Su and others, 2021).
class attention {
 public:
  explicit attention(const language_model& model);

  /// Gives the steps of a batch their places, in order. Before all layers.
  void begin(std::span<const body_step> steps) noexcept;

  /// Adds the layer of that number to the residuals of a batch, whose steps it takes in order.
  void add(std::size_t number, std::span<const body_step> steps, batch_rows& rows) noexcept;

  static std::uint64_t memory(const language_model& model);

 private:
  void remember(const scaled_matrix& matrix, std::size_t b, batch_rows& rows, std::int16_t* keys,
                std::int16_t* values) noexcept;
  void store_row(std::size_t slot, std::int16_t* rings) const noexcept;
  rotation angles(std::size_t b) const noexcept;
  std::int16_t* query(std::size_t b) noexcept {
    return queries_.data() + b * static_cast<std::size_t>(model_->width());
  }

  const language_model* model_;
  attention_shape shape_;
  std::vector<std::uint32_t> turns_;  ///< what a position turns each pair by, 2^-32 turns
  std::array<attention_state::place, max_batch> places_{};
  std::vector<std::int16_t> angles_;  ///< by step: cosines, then sines
  std::vector<std::int16_t> queries_;
  std::vector<std::int16_t> row_;  ///< on its way to the rings
  std::vector<std::int32_t> mixed_;
};

/// What a position turns pair `pair` of `pairs` by, in units of 2^-32 turns: 10000^(-pair / pairs)
/// radians.
std::uint32_t turn_of_pair(std::uint32_t pair, std::uint32_t pairs) noexcept;

}  // namespace lmzip::model::neural
