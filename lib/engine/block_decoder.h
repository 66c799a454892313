#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/byte_buffer.h"
#include "engine/long_range/repeats.h"
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

/// The plain bytes of a block, where `repeats` are still to be filled in.
struct decoded_block {
  std::span<std::byte> plain;
  std::vector<repeat> repeats;
};

/// Decodes a block into the front of `into`. Unless it has repeats, its hashes are checked; else
/// complete_block() has to follow. `memory_limit` counts only where the member's header was lost
/// and does not limit the block; 0: none. Safe to call from several threads with distinct `into`.
/// Throws error:
///   damaged      the payload is no valid code or gives other bytes than it should
///   unsupported  a codec, codec version or codec data that this build does not have
///   missing      the model of a block that needs it, or a base
///   memory_limit
decoded_block decode_block(const container::block& coded, const container::member_begin& member,
                           const block_needs& needs, std::uint64_t memory_limit, byte_buffer& into);

/// Fills `out` with earlier plain bytes of the member, from `offset` on.
using earlier_bytes = std::function<void(std::uint64_t offset, std::span<std::byte> out)>;

/// Fills in the repeats of a block, if it has some, and checks its hashes. Throws error(damaged),
/// and what `earlier` throws.
void complete_block(const container::block& coded, const decoded_block& decoded,
                    const earlier_bytes& earlier);

}  // namespace lmzip::engine
