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
  std::int16_t* own_row(int row, std::int32_t error) noexcept;

  const language_model* model_;
  const kernel_table* kernels_;
  const std::int8_t* row_ = nullptr;
  std::vector<std::int16_t> wide_row_;
  bool classes_known_ = false;
  std::uint32_t leaves_known_;  ///< class whose leaves are known, or their number: none

  std::vector<std::int16_t> class_rows_;  ///< 256 times the weights
  std::vector<std::int32_t> class_biases_, leaf_biases_;
  std::vector<std::uint32_t> place_;  ///< of a leaf's row among the adapted ones, from 1; or 0
  io::zeroed_memory leaf_rows_;       ///< int16, as class_rows_
  std::vector<std::uint16_t> times_;  ///< that each adapted row has moved

  std::vector<std::int32_t> sums_, class_masses_, leaf_masses_, errors_;
  std::vector<std::uint32_t> class_sums_, leaf_sums_;
};

}  // namespace lmzip::model::neural
