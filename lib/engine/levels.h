#pragma once

#include <cstdint>

#include "codec/brevis/leaf_coding.h"
#include "engine/router.h"
#include "lmzip/model.h"

namespace lmzip::engine {

/// What a level means.
struct level_plan {
  int level = 0;
  routing ways;
  std::uint64_t block_bytes = 0;  ///< default size of a block
  std::uint64_t window = 0;       ///< default for how far back blocks may refer
  /// How hard programs of tensors are looked for.
  codec::brevis::search_effort search = codec::brevis::search_effort::none;
  std::shared_ptr<const codec::brevis::leaf_coding> leaves{};  ///< of programs
  bool needs_codec_data = false;  ///< whether a block may need the codec data of this build
};

/// The levels from here on have a network.
inline constexpr int min_model_level = 8;

/// The plan of a level, min_level … max_level. Levels 8 and 9 take `model`, or the one shipped for
/// the level. Throws error(usage) for other levels, and for a model at a level that takes none.
level_plan plan_level(int level, model_handle model = nullptr);

}  // namespace lmzip::engine
