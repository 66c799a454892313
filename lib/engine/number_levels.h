#pragma once

#include <cstdint>

#include "engine/content.h"
#include "engine/router.h"

namespace lmzip::engine {

/// What a block of `plain_bytes` bytes that holds numbers may be coded with at a level, where
/// `general` is for other blocks of the level.
routing routing_of_numbers(int level, const content& holds, std::uint64_t plain_bytes,
                           const routing& general);

/// Upper bounds of routing_memory() and decoding_memory() for all blocks of numbers of at most that
/// size.
std::uint64_t memory_to_route_numbers(int level, std::uint64_t plain_bytes, const routing& general);
std::uint64_t memory_to_decode_numbers(int level, std::uint64_t plain_bytes,
                                       const routing& general);

}  // namespace lmzip::engine
