#pragma once

#include <cstdint>
#include <span>

#include "engine/byte_buffer.h"
#include "engine/threads.h"
#include "formats/container/reader.h"
#include "lmzip/base.h"
#include "lmzip/model.h"

namespace lmzip::engine {

/// What decoding the blocks of a member takes.
memory_need decoding_need(const container::member_begin& member, const model_handle& model);

/// What the blocks of a member may need from outside.
struct block_needs {
  model_handle model;  ///< of the member; nullptr if it has none or it was not found
  base_handle base;    ///< nullptr: none was given
};

/// Throws error(missing) if the blocks of a member may need a base and there is none.
void check_base(const container::member_begin& member, const base_handle& base);

/// Decodes a block into the front of `into` and checks its hashes. `memory_limit` counts only where the member's
/// header was lost and does not limit the block; 0: none. Safe to call from several threads with
/// distinct `into`. Throws error:
///   damaged      the payload is no valid code or gives other bytes than it should
///   unsupported  a codec, codec version or codec data that this build does not have
///   missing      the model of a block that needs it, or a base
///   memory_limit
std::span<const std::byte> decode_block(const container::block& coded,
                                        const container::member_begin& member,
                                        const block_needs& needs, std::uint64_t memory_limit,
                                        byte_buffer& into);

}  // namespace lmzip::engine
