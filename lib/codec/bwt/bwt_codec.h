#pragma once

#include <memory>

#include "codec/codec.h"

namespace lmzip::codec {

// Codec 5, version 0: the Burrows-Wheeler transform of the whole block, coded as runs of equal
// bytes and the ranks at which a byte comes back, each a sequence of binary decisions predicted by
// a mix of adaptive chances and coded by rANS. No parameters.

extern const decoder bwt_decoder_v0;

/// Larger blocks are not coded.
inline constexpr std::uint64_t max_bwt_block_bytes = std::uint64_t{1} << 24;

/// An encoder for blocks of up to max_bwt_block_bytes; throws error(internal) for larger ones.
std::unique_ptr<encoder> make_bwt_encoder();

}  // namespace lmzip::codec
