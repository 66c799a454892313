#include "codec/codec_data.h"

#include "codec/text/text_data.h"

namespace lmzip::codec {

hash256 codec_data_id() { return text::shipped_text_data().id; }

}  // namespace lmzip::codec
