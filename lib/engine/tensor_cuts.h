#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/content.h"
#include "formats/tensors/layout.h"

namespace lmzip::engine {

/// A tensor, or a part of one.
struct tensor_slice {
  std::size_t tensor = 0;     ///< of the layout
  std::uint64_t offset = 0;   ///< in the tensor
  std::uint64_t bytes = 0;    ///< never 0
  std::uint64_t columns = 0;  ///< as content::columns
  /// As programs see it; nothing for a part that is not made of whole rows.
  std::optional<codec::brevis::tensor_part> part{};
};

/// Bytes that follow each other and become one block, or one of two lists of blocks: `parts`, or
/// one of the first `lead` bytes and one of the tensors that follow them.
struct cut {
  std::uint64_t bytes = 0;  ///< never 0
  content holds;
  std::uint64_t lead = 0;              ///< bytes before the tensors that `holds` tells of
  std::vector<cut> parts{};            ///< empty: one block
  std::vector<tensor_slice> slices{};  ///< of cut_for_base(): the tensors of a block of numbers
};

/// How tensors are cut.
enum class gathering {
  none,     ///< by type and size alone
  tensors,  ///< small neighbours of any type together, so that programs see them
};

/// Largest block of numbers: larger ones gain nothing, and hold up threads.
inline constexpr std::uint64_t max_numbers_bytes = std::uint64_t{4} << 20;

/// Cuts what a layout is about into blocks of at most `block_bytes` (4 KiB or more), so that none
/// holds numbers of more than one type. Large tensors have blocks of their own, which begin with a
/// row if rows are short; small neighbours of one type share one, as do the bytes between tensors
/// and what is too small for a block. Where small tensors are gathered, those blocks are the parts
/// of cuts of up to max_numbers_bytes, which tell of their tensors.
std::vector<cut> cut_by(const tensors::tensor_layout& layout, std::uint64_t block_bytes,
                        gathering gather = gathering::none);

/// The same for ranges of the layout that follow each other, without gathering.
std::vector<cut> cut_ranges(const tensors::tensor_layout& layout,
                            std::span<const tensors::range> ranges, std::uint64_t block_bytes);

/// The same for coding against a base, where all tensors but very large ones share blocks with
/// neighbours of their type: differences have one distribution.
std::vector<cut> cut_for_base(const tensors::tensor_layout& layout, std::uint64_t block_bytes);

/// Cuts slices of one type that follow each other, which are not coded against the base after all,
/// as cut_by() does.
std::vector<cut> cut_slices(dtype type, std::span<const tensor_slice> slices,
                            std::uint64_t block_bytes);

}  // namespace lmzip::engine
