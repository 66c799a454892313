#pragma once

#include <memory>

#include "codec/codec.h"

namespace lmzip::codec {

// Codec 3, version 0: symbols predicted by a context-mixing model and coded by a binary arithmetic
// coder. Parameters: bits 0-3 the strength (2 … 4), bits 4-5 the kind of the symbols (0 tokens, 1
// letters, 2 records), bit 6 set if the x86 filter was applied before, bit 7 if the network of the
// member's model is one input more, bits 8-15 log2 of the lines a context, bits 16-31 the first two
// bytes of the model's id, if it is used; the other bits are 0. The payload is the arithmetic code.

extern const decoder text_decoder_v0;

inline constexpr int min_text_strength = 2;
inline constexpr int max_text_strength = 4;

/// An encoder of the given strength. Codes as tokens, letters or records, whichever a trial finds
/// smallest; with a model, which strengths 3 and 4 can take, also as tokens with its network.
/// Throws error(usage) if the strength is out of range.
std::unique_ptr<encoder> make_text_encoder(int strength,
                                           std::shared_ptr<const shared_model> model = nullptr);

}  // namespace lmzip::codec
