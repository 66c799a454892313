#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/token_tree.h"

namespace lmzip::model {

/// The leaves of a token tree cut into classes, each a subtree and so an interval of leaves. A
/// distribution over tokens is then one over classes and one over the leaves of each class.
class leaf_classes {
 public:
  static constexpr std::uint32_t max_classes = 256;

  /// Leaves that a class of a network can have.
  static constexpr std::uint32_t max_class_leaves = 2048;

  /// Cuts, from the root down, the subtree whose weight times number of leaves is largest until
  /// there are `classes` of them, or as many as leaves. Those with more leaves than a class can
  /// have come first, whatever they weigh.
  leaf_classes(const token_tree& tree, std::span<const std::uint64_t> leaf_weights,
               std::uint32_t classes);

  /// Classes that begin at these leaves, in order, the first at 0. Throws error(damaged) unless
  /// they do, below `leaves`.
  leaf_classes(std::span<const std::uint16_t> first_leaves, std::uint32_t leaves);

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(first_.size()) - 1; }
  std::uint32_t leaves() const noexcept { return first_.back(); }
  std::uint32_t first_leaf(std::uint32_t number) const noexcept { return first_[number]; }
  std::uint32_t leaf_count(std::uint32_t number) const noexcept {
    return first_[number + 1] - first_[number];
  }
  std::uint32_t class_of(std::uint32_t leaf) const noexcept { return class_of_[leaf]; }

 private:
  void number_leaves();

  std::vector<std::uint32_t> first_;  ///< by class, then the number of leaves
  std::vector<std::uint8_t> class_of_;
};

}  // namespace lmzip::model
