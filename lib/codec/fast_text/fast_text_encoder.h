#pragma once

#include <memory>

#include "codec/codec.h"

namespace lmzip::codec {

/// The fast end of the text levels: an encoder that codes a block as tokens (tokens_codec.h) or by
/// sorting it (bwt_codec.h), whichever promises to be smaller. Text with a rich vocabulary of its
/// own, such as books and languages other than English, gains from sorting; code, logs and tables
/// from tokens.
std::unique_ptr<encoder> make_fast_text_encoder();

}  // namespace lmzip::codec
