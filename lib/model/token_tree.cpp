#include "model/token_tree.h"

#include "lmzip/error.h"

namespace lmzip::model {
namespace {

/// A node before renumbering: children are indices of drafts, or leaf_mark | leaf.
struct draft {
  std::uint16_t middle = 0;
  std::array<std::uint16_t, 2> child{};
  std::uint16_t depth = 0;
  int filled = 0;  ///< children known so far
};

[[noreturn]] void reject() { throw error(errc::damaged, "the token tree is not a binary tree"); }

/// Reads the leaves from left to right; a stack holds the path to the place of the next leaf.
std::vector<draft> draft_nodes(std::span<const std::uint8_t> depths) {
  std::vector<draft> drafts;
  std::vector<std::uint16_t> path;
  for (std::uint32_t leaf = 0; leaf < depths.size(); ++leaf) {
    if (depths[leaf] == 0 || depths[leaf] > token_tree::max_depth) reject();
    if (leaf > 0 && path.empty()) reject();
    while (path.size() < depths[leaf]) {
      const auto number = static_cast<std::uint16_t>(drafts.size());
      if (drafts.size() + 1 >= depths.size()) reject();
      if (!path.empty()) {
        draft& parent = drafts[path.back()];
        parent.child[static_cast<std::size_t>(parent.filled++)] = number;
      }
      drafts.push_back({.depth = static_cast<std::uint16_t>(path.size())});
      path.push_back(number);
    }
    if (path.size() != depths[leaf]) reject();
    draft& parent = drafts[path.back()];
    parent.child[static_cast<std::size_t>(parent.filled++)] =
        static_cast<std::uint16_t>(token_tree::leaf_mark | leaf);
    while (!path.empty() && drafts[path.back()].filled == 2) path.pop_back();
    if (!path.empty()) drafts[path.back()].middle = static_cast<std::uint16_t>(leaf + 1);
  }
  if (!path.empty()) reject();
  return drafts;
}

}  // namespace

token_tree::token_tree(std::span<const std::uint8_t> leaf_depths) {
  if (leaf_depths.size() < 2 || leaf_depths.size() > max_leaves) reject();
  const std::vector<draft> drafts = draft_nodes(leaf_depths);
  if (drafts.size() + 1 != leaf_depths.size()) reject();

  std::vector<std::uint16_t> order{0};
  std::vector<std::uint16_t> number(drafts.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    number[order[i]] = static_cast<std::uint16_t>(i);
    for (const std::uint16_t child : drafts[order[i]].child)
      if (!(child & leaf_mark)) order.push_back(child);
  }
  nodes_.reserve(drafts.size());
  for (const std::uint16_t from : order) {
    const draft& d = drafts[from];
    node n{d.middle, d.child, d.depth};
    for (std::uint16_t& child : n.child)
      if (!(child & leaf_mark)) child = number[child];
    nodes_.push_back(n);
  }
}

}  // namespace lmzip::model
