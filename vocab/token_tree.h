#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lmzip::vocab {

/// Depths of the leaves of a weight-balanced binary tree over leaves in a fixed order: from the
/// root down, each interval of leaves is cut where the halves' weights differ least. `counts` says
/// how often each leaf occurred, from left to right; at least two leaves, counts below 2^48. Each
/// count is raised a little, so that no leaf becomes deeper than max_tree_depth.
std::vector<std::uint8_t> balanced_depths(std::span<const std::uint64_t> counts);

}  // namespace lmzip::vocab
