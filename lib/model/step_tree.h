#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/token_tree.h"

namespace lmzip::model {

/// The token tree in steps of up to 16 ways: every node takes several nodes of the binary tree
/// together, so that the expected number of steps to a leaf is least, where a leaf at depth d of
/// the binary tree has the chance 2^-d. Immutable. Making one of 16384 leaves takes about a
/// millisecond.
class step_tree {
 public:
  static constexpr std::uint16_t leaf_mark = token_tree::leaf_mark;
  static constexpr int max_ways = 16;

  /// Nodes are numbered breadth first from the root, 0.
  explicit step_tree(const token_tree& tree);

  /// Where a step leads: node number, or leaf_mark | leaf. Ways that a node lacks lead to leaf 0,
  /// so that walks end whatever is decoded.
  std::uint16_t child(std::uint32_t node, std::uint32_t way) const noexcept {
    return nodes_[node].child[way];
  }
  int ways(std::uint32_t node) const noexcept { return nodes_[node].ways; }
  std::uint32_t node_count() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
  std::uint32_t leaf_count() const noexcept { return leaf_count_; }

  /// Most steps from the root to a leaf, at most token_tree::max_depth.
  unsigned depth() const noexcept { return depth_; }

  /// The steps to a leaf: depth() numbers, of which the first ones count.
  const std::uint8_t* path(std::uint32_t leaf) const noexcept {
    return paths_.data() + std::size_t{leaf} * depth_;
  }

 private:
  struct node {
    std::array<std::uint16_t, max_ways> child{};
    int ways = 0;
  };

  void write_paths();

  std::vector<node> nodes_;
  std::vector<std::uint8_t> paths_;
  std::uint32_t leaf_count_;
  unsigned depth_ = 0;
};

}  // namespace lmzip::model
