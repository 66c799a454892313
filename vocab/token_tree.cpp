#include "vocab/token_tree.h"

#include <algorithm>
#include <cstddef>

#include "vocab/format.h"

namespace lmzip::vocab {
namespace {

struct interval {
  std::size_t begin;
  std::size_t end;
  unsigned depth;
};

/// `sums[i]` is the weight of all leaves before leaf i. Returns where to cut: begin < cut < end.
std::size_t balanced_cut(const std::vector<std::uint64_t>& sums, const interval& leaves) {
  const std::uint64_t twice_middle = sums[leaves.begin] + sums[leaves.end];
  const auto unbalance = [&](std::size_t cut) {
    const std::uint64_t twice = 2 * sums[cut];
    return twice > twice_middle ? twice - twice_middle : twice_middle - twice;
  };
  const auto first = sums.begin() + static_cast<std::ptrdiff_t>(leaves.begin) + 1;
  const auto last = sums.begin() + static_cast<std::ptrdiff_t>(leaves.end) - 1;
  const auto above =
      std::lower_bound(first, last, twice_middle,
                       [](std::uint64_t sum, std::uint64_t middle) { return 2 * sum < middle; });
  const auto cut = static_cast<std::size_t>(above - sums.begin());
  return cut > leaves.begin + 1 && unbalance(cut - 1) <= unbalance(cut) ? cut - 1 : cut;
}

/// Depths with `raise` added to each count; empty if the tree becomes too deep.
std::vector<std::uint8_t> try_depths(std::span<const std::uint64_t> counts, std::uint64_t raise) {
  std::vector<std::uint64_t> sums(counts.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i + 1] = sums[i] + counts[i] + raise;

  std::vector<std::uint8_t> depths(counts.size());
  std::vector<interval> open = {{0, counts.size(), 0}};
  while (!open.empty()) {
    const interval leaves = open.back();
    open.pop_back();
    if (leaves.end - leaves.begin == 1) {
      depths[leaves.begin] = static_cast<std::uint8_t>(leaves.depth);
      continue;
    }
    if (leaves.depth == max_tree_depth) return {};
    const std::size_t cut = balanced_cut(sums, leaves);
    open.push_back({leaves.begin, cut, leaves.depth + 1});
    open.push_back({cut, leaves.end, leaves.depth + 1});
  }
  return depths;
}

}  // namespace

std::vector<std::uint8_t> balanced_depths(std::span<const std::uint64_t> counts) {
  // Tokens that the training text happens not to have must stay affordable; and every doubling
  // makes the tree flatter, until it is about as deep as that of equal weights.
  std::uint64_t raise = 3;
  std::vector<std::uint8_t> depths;
  while ((depths = try_depths(counts, raise)).empty()) raise *= 2;
  return depths;
}

}  // namespace lmzip::vocab
