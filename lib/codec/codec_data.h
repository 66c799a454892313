#pragma once

#include "core/hash.h"

namespace lmzip::codec {

/// Names the data (vocabulary, tree, parameters) that this build's codecs decode with: a hash over
/// all of it, or all zeros if no codec of this build needs any. An archive that holds blocks which
/// depend on such data names it in its header, and decodes only where the ids are equal.
hash256 codec_data_id();

/// The id of archives that need no codec data.
inline constexpr hash256 no_codec_data{};

}  // namespace lmzip::codec
