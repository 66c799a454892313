#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/token_tree.h"

namespace lmzip::model {

/// The token tree in steps of up to 16: every node takes in several nodes of the binary tree, the
/// nearest to its root first, so that a step makes at least four binary decisions or ends at a
/// leaf.
class step_tree {
 public:
  static constexpr std::uint16_t leaf_mark = token_tree::leaf_mark;
  static constexpr int max_children = 16;
  static constexpr unsigned max_depth = token_tree::max_depth / 4;

  /// Nodes are numbered breadth first from the root, 0.
  explicit step_tree(const token_tree& tree);

  /// A child: node number, or leaf_mark | leaf. A step that a node lacks leads to leaf 0, so that
  /// walks end whatever is decoded.
  std::uint16_t child(std::uint32_t node, std::uint32_t step) const noexcept {
    return nodes_[node].child[step];
  }
  int child_count(std::uint32_t node) const noexcept { return nodes_[node].count; }
  std::uint32_t node_count() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
  std::uint32_t leaf_count() const noexcept { return static_cast<std::uint32_t>(paths_.size()); }

  /// The steps to a leaf, the first in the lowest 4 bits.
  std::uint32_t path(std::uint32_t leaf) const noexcept { return paths_[leaf]; }

 private:
  struct node {
    std::array<std::uint16_t, max_children> child{};
    int count = 0;
  };

  std::vector<node> nodes_;
  std::vector<std::uint32_t> paths_;
};

}  // namespace lmzip::model
