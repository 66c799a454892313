#pragma once

#include <cstdint>
#include <vector>

#include "engine/content.h"
#include "formats/tensors/layout.h"

namespace lmzip::engine {

/// Bytes that follow each other and become one block.
struct cut {
  std::uint64_t bytes = 0;  ///< never 0
  content holds;
};

/// Largest block of numbers: larger ones gain nothing, and hold up threads.
inline constexpr std::uint64_t max_numbers_bytes = std::uint64_t{4} << 20;

/// Cuts what a layout is about into blocks of at most `block_bytes` (4 KiB or more), so that none
/// holds numbers of more than one type. Large tensors have blocks of their own, which begin with a
/// row if rows are short; small neighbours of one type share one, as do the bytes between tensors
/// and what is too small for a block.
std::vector<cut> cut_by(const tensors::tensor_layout& layout, std::uint64_t block_bytes);

}  // namespace lmzip::engine
