#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/content.h"
#include "engine/levels.h"
#include "engine/router.h"

namespace lmzip::engine {

/// What a block of `plain_bytes` bytes that holds numbers may be coded with at a level, where
/// `general` is for other blocks of the level.
routing routing_of_numbers(int level, const content& holds, std::uint64_t plain_bytes,
                           const routing& general);

/// The tensors of a block as programs.
struct program_block {
  routed block;
  bool clearly = false;  ///< so much smaller that other codecs need not be tried
};

/// Codes the tensors that `holds` tells of, `plain`, as programs, and decodes them again to be
/// sure. Nothing where that is not worthwhile; `parts` is into how many blocks they fall otherwise.
std::optional<program_block> code_programs(const level_plan& plan, const content& holds,
                                           std::span<const std::byte> plain, std::size_t parts);

/// Upper bounds of routing_memory() and decoding_memory() for all blocks of numbers of at most that
/// size.
std::uint64_t memory_to_route_numbers(const level_plan& plan, std::uint64_t plain_bytes);
std::uint64_t memory_to_decode_numbers(const level_plan& plan, std::uint64_t plain_bytes);

}  // namespace lmzip::engine
