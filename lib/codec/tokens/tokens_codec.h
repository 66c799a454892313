#pragma once

#include <memory>

#include "codec/codec.h"

namespace lmzip::codec {

// Codec 4, version 0: tokens of the shipped vocabulary, guessed from the contexts in which they
// came before or found in steps of up to 16 ways, and coded by range ANS. The parameters are log2
// of the model's lines a context. The payload is the code.

extern const decoder tokens_decoder_v0;

std::unique_ptr<encoder> make_tokens_encoder();

}  // namespace lmzip::codec
