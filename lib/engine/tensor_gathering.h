#pragma once

#include <cstdint>
#include <vector>

#include "engine/tensor_cuts.h"

namespace lmzip::engine {

/// cut_by() with gathering::tensors: small neighbours of any type in one cut, whose parts are what
/// they would be cut into alone, and which tells of its tensors.
std::vector<cut> gathered_cuts(const tensors::tensor_layout& layout, std::uint64_t block_bytes);

}  // namespace lmzip::engine
