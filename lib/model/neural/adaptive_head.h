#pragma once

#include <cstdint>
#include <vector>

#include "core/io/zeroed_memory.h"
#include "model/neural/kernels.h"
#include "model/neural/language_model.h"

namespace lmzip::model::neural {

/// The head of a model in two levels, whose rows and biases follow the sequence by stochastic
/// gradient descent on the cross entropy after each token ("dynamic evaluation": B. Krause and
/// others, ICML 2018, here of the last layer). Begins as the model says. Not thread-safe; the model
/// outlives it.
class adaptive_head {
 public:
  explicit adaptive_head(const language_model& model);

  /// The chances after a row of the body, until the next call. The row must stay until then.
  void see(const std::int8_t* row) noexcept;

  /// Sums of the masses of the classes below each, [classes + 1], and the same of the leaves of a
  /// class, [leaves + 1]. Computed when first asked for.
  const std::uint32_t* class_sums() noexcept;
  const std::uint32_t* leaf_sums(std::uint32_t number) noexcept;

  /// Learns the coded leaf, if anything was asked for.
  void learn(std::uint32_t leaf) noexcept;

  static std::uint64_t memory(const language_model& model);

 private:
  void learn_classes(std::uint32_t number) noexcept;
  void learn_leaves(std::uint32_t number, std::uint32_t leaf) noexcept;
  bool has_own_row(std::size_t row, std::int32_t error) noexcept;
  void own_rows_of(std::uint32_t number) noexcept;

  std::int8_t* own_weights() const noexcept {
    return reinterpret_cast<std::int8_t*>(leaf_weights_.data());
  }
  std::int32_t* own_corrections() const noexcept {
    return reinterpret_cast<std::int32_t*>(leaf_corrections_.data());
  }
  std::int16_t* own_numbers(std::size_t place) const noexcept {
    return reinterpret_cast<std::int16_t*>(leaf_numbers_.data()) +
           place * static_cast<std::size_t>(model_->width());
  }
  packed_rows own_rows(int first_block) const noexcept {
    const std::ptrdiff_t row = std::ptrdiff_t{first_block} * packed_rows::block_rows;
    return {own_weights() + row * model_->width(), own_corrections() + row, model_->width()};
  }

  const language_model* model_;
  const kernel_table* kernels_;
  const std::int8_t* row_ = nullptr;
  bool classes_known_ = false;
  std::uint32_t leaves_known_;  ///< class whose leaves are known, or their number: none

  // A row that adapts has 16-bit numbers that learn; what they round to is what is multiplied.
  std::vector<std::int16_t> inputs_;  ///< what learn_row takes
  packed_matrix class_rows_;
  std::vector<std::int16_t> class_numbers_;
  std::vector<std::int32_t> class_biases_, leaf_biases_;
  std::vector<char> class_is_own_;    ///< whether the rows of a class are those of leaf_weights_
  std::vector<std::uint32_t> place_;  ///< of a leaf's row among the adapted ones, from 1; or 0
  std::vector<std::uint16_t> times_;  ///< that each adapted row has moved
  io::zeroed_memory leaf_weights_, leaf_corrections_;  ///< packed as those of the model
  io::zeroed_memory leaf_numbers_;                     ///< int16, by place
  std::vector<std::int8_t> rounded_;

  std::vector<std::int32_t> sums_, class_masses_, leaf_masses_, errors_;
  std::vector<std::uint32_t> class_sums_, leaf_sums_;
};

}  // namespace lmzip::model::neural
