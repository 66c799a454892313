#include "codec/codec_data.h"

namespace lmzip::codec {

// Store, fill and zstd decode without data.
hash256 codec_data_id() { return no_codec_data; }

}  // namespace lmzip::codec
