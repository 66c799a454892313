#include "model/step_tree.h"

#include <algorithm>
#include <limits>

namespace lmzip::model {
namespace {

constexpr int room = step_tree::max_ways;

bool is_leaf(std::uint16_t child) { return (child & token_tree::leaf_mark) != 0; }

/// Finds by dynamic programming how the binary tree is best cut into steps. For every node: what it
/// costs, in expected steps, to let its subtree take up 1, 2 … 16 of the ways of the step that it
/// lies in. Taking up one way means that a step of its own begins there.
class step_cutter {
 public:
  explicit step_cutter(const token_tree& tree) : tree_(tree), nodes_(tree.node_count()) {
    options_.reserve(tree.leaf_count() * std::size_t{6});  // more than most trees need
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
  /// What it costs that a subtree takes up so many ways.
  struct option {
    std::uint64_t cost : 56;
    std::uint64_t left : 8;  ///< ways of the left child
  };
  static_assert(sizeof(option) == 8 && token_tree::max_depth + 1 + 6 <= 56);

  /// The options of a node are those of 1, 2 … `most` ways. Most nodes have few: so they take a
  /// fraction of the memory, and of the time to touch it first, that 16 each would take.
  struct solution {
    std::uint32_t first = 0;
    std::int32_t most = 1;
  };

  int most(std::uint16_t child) const { return is_leaf(child) ? 1 : nodes_[child].most; }
  /// options(...)[w - 1] is that of w ways.
  const option* options(std::uint16_t child) const {
    static constexpr option none{0, 0};
    return is_leaf(child) ? &none : options_.data() + nodes_[child].first;
  }

  void solve(std::uint32_t number) {
    const token_tree::node& n = tree_[number];
    const auto [left, right] = n.child;
    const int most_left = most(left);
    const int most_right = most(right);
    solution& s = nodes_[number];
    s.most = std::min(room, most_left + most_right);
    s.first = static_cast<std::uint32_t>(options_.size());
    options_.resize(options_.size() + static_cast<std::size_t>(s.most));
    option* const found = options_.data() + s.first;
    const option* const of_left = options(left);
    const option* const of_right = options(right);
    for (int ways = 2; ways <= s.most; ++ways) {
      std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
      int best = 0;
      const int last = std::min(most_left, ways - 1);
      for (int l = std::max(1, ways - most_right); l <= last; ++l) {
        const std::uint64_t c = of_left[l - 1].cost + of_right[ways - l - 1].cost;
        best = c < least ? l : best;
        least = std::min(c, least);
      }
      found[ways - 1] = {least, static_cast<std::uint8_t>(best)};
    }
    const std::uint64_t chance = std::uint64_t{1} << (token_tree::max_depth - n.depth);
    found[0] = {found[s.most - 1].cost + chance, 0};
  }

  void split(std::uint16_t node, int ways, std::vector<std::uint16_t>& ends) const {
    const auto left = static_cast<int>(options(node)[ways - 1].left);
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
  std::vector<solution> nodes_;
  std::vector<option> options_;
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
