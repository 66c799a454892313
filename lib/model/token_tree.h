#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lmzip::model {

/// A binary tree whose leaves are the symbols of an alphabet, numbered from left to right. A
/// symbol is coded as the path from the root to its leaf, so that a subtree is an interval of
/// leaves and "go right" means leaf >= middle.
class token_tree {
 public:
  /// Marks a child that is a leaf; the low bits are its number.
  static constexpr std::uint16_t leaf_mark = 0x8000;
  static constexpr unsigned max_depth = 32;
  static constexpr std::uint32_t max_leaves = 1U << 14;

  struct node {
    std::uint16_t middle;                ///< first leaf of the right subtree
    std::array<std::uint16_t, 2> child;  ///< node number, or leaf_mark | leaf
    std::uint16_t depth;                 ///< of this node; the root has 0
  };

  /// Builds the tree whose leaves have the given depths, from left to right. Nodes are numbered
  /// breadth first from the root, 0. Throws error(damaged) unless the depths describe a full
  /// binary tree of 2 to max_leaves leaves that is at most max_depth deep.
  explicit token_tree(std::span<const std::uint8_t> leaf_depths);

  const node& operator[](std::uint32_t number) const noexcept { return nodes_[number]; }
  std::uint32_t node_count() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
  std::uint32_t leaf_count() const noexcept { return node_count() + 1; }

 private:
  std::vector<node> nodes_;
};

}  // namespace lmzip::model
