#pragma once

#include <memory>

#include "codec/codec.h"

namespace lmzip::codec {

// Codec 3, version 0: symbols predicted by a context-mixing model and coded by a binary arithmetic
// coder. Parameters: bits 0-3 the strength (2 … 4), bits 4-5 the kind of the symbols (0 tokens, 1
// letters, 2 records), bit 6 set if the x86 filter was applied before, bits 8-15 log2 of the
// model's lines a context; the other bits are 0. The payload is the arithmetic code.

extern const decoder text_decoder_v0;

inline constexpr int min_text_strength = 2;
inline constexpr int max_text_strength = 4;

/// An encoder of the given strength. Codes as tokens, letters or records, whichever a trial finds
/// smallest.
/// Throws error(usage) if the strength is out of range.
std::unique_ptr<encoder> make_text_encoder(int strength);

}  // namespace lmzip::codec
