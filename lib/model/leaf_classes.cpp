#include "model/leaf_classes.h"

#include <algorithm>
#include <queue>

#include "lmzip/error.h"

namespace lmzip::model {
namespace {

struct subtree {
  std::uint64_t cost;  ///< weight times leaves
  std::uint32_t first, end;
  std::uint16_t root;  ///< as a child of token_tree

  /// Equal ones are cut from left to right.
  bool operator<(const subtree& other) const noexcept {
    return cost != other.cost ? cost < other.cost : first > other.first;
  }
};

}  // namespace

leaf_classes::leaf_classes(const token_tree& tree, std::span<const std::uint64_t> leaf_weights,
                           std::uint32_t classes) {
  std::vector<std::uint64_t> below(leaf_weights.size() + 1);
  for (std::size_t i = 0; i < leaf_weights.size(); ++i) below[i + 1] = below[i] + leaf_weights[i];
  std::priority_queue<subtree> open;
  std::vector<std::uint32_t> whole;  // single leaves
  const auto cost = [&](std::uint32_t first, std::uint32_t end) {
    const bool must = end - first > max_class_leaves;
    return must ? ~std::uint64_t{0} : (below[end] - below[first]) * (end - first);
  };
  const auto add = [&](std::uint32_t first, std::uint32_t end, std::uint16_t root) {
    if ((root & token_tree::leaf_mark) != 0)
      whole.push_back(first);
    else
      open.push({cost(first, end), first, end, root});
  };
  add(0, tree.leaf_count(), 0);
  while (!open.empty() && open.size() + whole.size() < std::min(classes, max_classes)) {
    const subtree s = open.top();
    open.pop();
    const token_tree::node& node = tree[s.root];
    add(s.first, node.middle, node.child[0]);
    add(node.middle, s.end, node.child[1]);
  }
  first_ = std::move(whole);
  for (; !open.empty(); open.pop()) first_.push_back(open.top().first);
  std::sort(first_.begin(), first_.end());
  first_.push_back(tree.leaf_count());
  number_leaves();
}

leaf_classes::leaf_classes(std::span<const std::uint16_t> first_leaves, std::uint32_t leaves)
    : first_(first_leaves.begin(), first_leaves.end()) {
  const bool rises =
      std::adjacent_find(first_.begin(), first_.end(), std::greater_equal<>()) == first_.end();
  if (first_.empty() || first_.size() > max_classes || first_.front() != 0 || !rises ||
      first_.back() >= leaves || leaves > token_tree::max_leaves)
    throw error(errc::damaged, "the classes of leaves do not follow each other");
  first_.push_back(leaves);
  number_leaves();
}

void leaf_classes::number_leaves() {
  class_of_.resize(leaves());
  for (std::uint32_t number = 0; number < size(); ++number)
    std::fill(class_of_.begin() + first_[number], class_of_.begin() + first_[number + 1],
              static_cast<std::uint8_t>(number));
}

}  // namespace lmzip::model
