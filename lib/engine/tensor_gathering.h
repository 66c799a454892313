#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/tensor_cuts.h"

namespace lmzip::engine {

/// A tensor, or the bytes between two, as programs see it.
codec::brevis::tensor_part part_of(const tensors::tensor_layout& layout,
                                   const tensors::range& range);

/// Rows of a tensor, from byte `first` on, if they are whole rows.
std::optional<codec::brevis::tensor_part> piece_of(codec::brevis::tensor_part part,
                                                   std::uint64_t first, std::uint64_t bytes);

/// cut_by() with gathering::tensors: small neighbours of any type in one cut, whose parts are what
/// they would be cut into alone, and which tells of its tensors.
std::vector<cut> gathered_cuts(const tensors::tensor_layout& layout, std::uint64_t block_bytes);

}  // namespace lmzip::engine
