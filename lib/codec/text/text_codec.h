#pragma once

#include <memory>

#include "codec/codec.h"

namespace lmzip::codec {

// Codec 3, version 0: symbols predicted by a context-mixing model and coded by a binary arithmetic
// coder. Parameters: bits 0-3 the strength (3), bit 4 set if the symbols are bytes and not tokens,
// bit 5 set if the x86 filter was applied before, bits 8-15 log2 of the model's lines a context;
// the other bits are 0. The payload is the arithmetic code.

extern const decoder text_decoder_v0;

inline constexpr int min_text_strength = 3;
inline constexpr int max_text_strength = 3;

/// An encoder of the given strength. Codes as tokens or as bytes, whichever a trial finds smaller.
/// Throws error(usage) if the strength is out of range.
std::unique_ptr<encoder> make_text_encoder(int strength);

}  // namespace lmzip::codec
