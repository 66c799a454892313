#include "model/step_tree.h"

#include <algorithm>

namespace lmzip::model {
namespace {

/// A subtree that a step may end at.
struct branch {
  std::uint16_t child;  ///< as in token_tree
  std::uint16_t depth;  ///< in the binary tree
};

/// The branches that the steps of the node with this root lead to, from left to right.
std::vector<branch> branches_of(const token_tree& tree, std::uint16_t root) {
  std::vector<branch> found{{root, tree[root].depth}};
  while (found.size() < step_tree::max_children) {
    auto nearest = found.end();
    for (auto it = found.begin(); it != found.end(); ++it)
      if (!(it->child & token_tree::leaf_mark) &&
          (nearest == found.end() || it->depth < nearest->depth))
        nearest = it;
    if (nearest == found.end()) break;
    const token_tree::node& split = tree[nearest->child];
    const auto depth = static_cast<std::uint16_t>(split.depth + 1);
    *nearest = {split.child[0], depth};
    found.insert(nearest + 1, {split.child[1], depth});
  }
  return found;
}

}  // namespace

step_tree::step_tree(const token_tree& tree) : paths_(tree.leaf_count()) {
  struct entry {
    std::uint16_t root;  ///< in the binary tree
    std::uint32_t path;
    unsigned depth;
  };
  std::vector<entry> queue{{0, 0, 0}};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const entry from = queue[i];
    node n;
    n.child.fill(leaf_mark);
    for (const branch& b : branches_of(tree, from.root)) {
      const std::uint32_t path = from.path | static_cast<std::uint32_t>(n.count)
                                                 << (4 * from.depth);
      std::uint16_t& child = n.child[static_cast<std::size_t>(n.count++)];
      if ((b.child & leaf_mark) != 0) {
        child = b.child;
        paths_[b.child & ~leaf_mark] = path;
      } else {
        child = static_cast<std::uint16_t>(queue.size());
        queue.push_back({b.child, path, from.depth + 1});
      }
    }
    nodes_.push_back(n);
  }
}

}  // namespace lmzip::model
