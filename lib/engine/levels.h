#pragma once

#include <cstdint>

#include "engine/router.h"

namespace lmzip::engine {

/// What a level means.
struct level_plan {
  routing ways;
  std::uint64_t block_bytes = 0;  ///< default size of a block
  bool needs_codec_data = false;  ///< whether a block may need the codec data of this build
};

/// The plan of a level, min_level … max_level; throws error(usage) for others.
level_plan plan_level(int level);

}  // namespace lmzip::engine
