#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "engine/base_match.h"
#include "engine/byte_buffer.h"
#include "engine/levels.h"
#include "engine/router.h"

namespace lmzip::engine {

/// How numbers may be coded against a base, and without one.
struct based_routing {
  const level_plan& plan;
  base_pool& base;
};

/// The way of some bytes that become one block.
struct routed_part {
  routed way;
  std::uint64_t bytes = 0;
};

/// Codes a cut of cut_for_base(), numbers of `type`, as one or more blocks: what costs less as
/// differences from the base so, the rest as programs or by itself. Depends on the bytes, the
/// routing and the base only. Throws what route() throws, and what reading the base throws.
std::vector<routed_part> route_against_base(const based_routing& ways, dtype type,
                                            std::span<const based_part> parts,
                                            std::span<const std::byte> plain, byte_buffer& scratch);

/// Upper bounds for blocks of up to so many bytes: what route_against_base() needs besides what
/// coding without a base does, and what decoding needs.
std::uint64_t memory_to_route_against_base(std::uint64_t plain_bytes, bool verify);
std::uint64_t memory_to_decode_against_base(std::uint64_t plain_bytes);

}  // namespace lmzip::engine
