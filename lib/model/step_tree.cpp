#include "model/step_tree.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace lmzip::model {
namespace {

constexpr int room = step_tree::max_ways;

bool is_leaf(std::uint16_t child) { return (child & token_tree::leaf_mark) != 0; }

/// Finds by dynamic programming how the binary tree is best cut into steps. For every node: what it
/// costs, in expected steps, to let its subtree take up 1, 2 … 16 of the ways of the step that it
/// lies in. Taking up one way means that a step of its own begins there.
class step_cutter {
 public:
  explicit step_cutter(const token_tree& tree)
      : tree_(tree), nodes_(std::make_unique_for_overwrite<solution[]>(tree.node_count())) {
    // Children have higher numbers than their parents.
    for (std::uint32_t n = tree.node_count(); n-- > 0;) solve(n);
  }

  /// Where the ways of the step that begins at a node lead, from left to right: children as in
  /// token_tree.
  std::vector<std::uint16_t> ends_of_step(std::uint16_t node) const {
    std::vector<std::uint16_t> ends;
    split(node, nodes_[node].most, ends);
    return ends;
  }

 private:
  struct solution {
    int most;  ///< ways that the subtree can take up
    std::array<std::uint64_t, room + 1> cost;
    std::array<std::uint8_t, room + 1> left;  ///< ways of the left child, at the least cost
  };

  int most(std::uint16_t child) const { return is_leaf(child) ? 1 : nodes_[child].most; }
  std::uint64_t cost(std::uint16_t child, int ways) const {
    return is_leaf(child) ? 0 : nodes_[child].cost[static_cast<std::size_t>(ways)];
  }

  void solve(std::uint32_t number) {
    const token_tree::node& n = tree_[number];
    const auto [left, right] = n.child;
    solution& s = nodes_[number];
    s.most = std::min(room, most(left) + most(right));
    for (int ways = 2; ways <= s.most; ++ways) {
      const auto w = static_cast<std::size_t>(ways);
      s.cost[w] = std::numeric_limits<std::uint64_t>::max();
      const int last = std::min(most(left), ways - 1);
      for (int l = std::max(1, ways - most(right)); l <= last; ++l) {
        const std::uint64_t c = cost(left, l) + cost(right, ways - l);
        if (c >= s.cost[w]) continue;
        s.cost[w] = c;
        s.left[w] = static_cast<std::uint8_t>(l);
      }
    }
    const std::uint64_t chance = std::uint64_t{1} << (token_tree::max_depth - n.depth);
    s.cost[1] = s.cost[static_cast<std::size_t>(s.most)] + chance;
  }

  void split(std::uint16_t node, int ways, std::vector<std::uint16_t>& ends) const {
    const int left = nodes_[node].left[static_cast<std::size_t>(ways)];
    const std::array<int, 2> parts{left, ways - left};
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint16_t child = tree_[node].child[side];
      if (is_leaf(child) || parts[side] == 1)
        ends.push_back(child);
      else
        split(child, parts[side], ends);
    }
  }

  const token_tree& tree_;
  std::unique_ptr<solution[]> nodes_;
};

}  // namespace

step_tree::step_tree(const token_tree& tree) : leaf_count_(tree.leaf_count()) {
  const step_cutter cutter(tree);
  std::vector<std::uint16_t> begins{0};  // the binary nodes where steps begin
  for (std::size_t i = 0; i < begins.size(); ++i) {
    node n;
    n.child.fill(leaf_mark);
    for (const std::uint16_t end : cutter.ends_of_step(begins[i])) {
      std::uint16_t& child = n.child[static_cast<std::size_t>(n.ways++)];
      child = is_leaf(end) ? end : static_cast<std::uint16_t>(begins.size());
      if (!is_leaf(end)) begins.push_back(end);
    }
    nodes_.push_back(n);
  }
  write_paths();
}

void step_tree::write_paths() {
  struct place {
    std::uint32_t parent = 0;
    std::uint8_t way = 0;
    unsigned depth = 0;
  };
  std::vector<place> places(nodes_.size());  // parents have lower numbers
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    depth_ = std::max(depth_, places[n].depth + 1);
    for (std::uint32_t way = 0; way < static_cast<std::uint32_t>(ways(n)); ++way)
      if (!is_leaf(child(n, way)))
        places[child(n, way)] = {n, static_cast<std::uint8_t>(way), places[n].depth + 1};
  }
  paths_.resize(std::size_t{leaf_count_} * depth_);
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    for (std::uint32_t way = 0; way < static_cast<std::uint32_t>(ways(n)); ++way) {
      if (!is_leaf(child(n, way))) continue;
      const std::uint32_t leaf = child(n, way) & ~std::uint32_t{leaf_mark};
      std::uint8_t* const steps = paths_.data() + std::size_t{leaf} * depth_;
      steps[places[n].depth] = static_cast<std::uint8_t>(way);
      for (std::uint32_t at = n; at != 0; at = places[at].parent)
        steps[places[at].depth - 1] = places[at].way;
    }
  }
}

}  // namespace lmzip::model
