#pragma once

#include "codec/codec.h"
#include "core/hash.h"

namespace lmzip::codec {

/// Names the data (vocabulary, tree, parameters) that this build's codecs decode with: a hash over
/// all of it, or all zeros if no codec of this build needs any. An archive that may hold blocks
/// which depend on such data names it in its header, and they decode only where the ids are equal.
hash256 codec_data_id();

/// The id of archives that need no codec data.
inline constexpr hash256 no_codec_data{};

/// Whether blocks of this codec depend on codec data.
constexpr bool needs_codec_data(codec_id codec) noexcept {
  return codec == codec_id::text || codec == codec_id::tokens || codec == codec_id::bwt;
}

}  // namespace lmzip::codec
