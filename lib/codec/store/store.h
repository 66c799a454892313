#pragma once

#include "codec/codec.h"

namespace lmzip::codec {

// Codec 0, version 0: the plain bytes as they are. Parameters are 0.

extern const decoder store_decoder_v0;

/// Stores a block; cannot fail but for lack of memory.
encoded store_block(std::span<const std::byte> plain);

}  // namespace lmzip::codec
