#include "engine/levels.h"

#include <string>

#include "codec/fast_text/fast_text_encoder.h"
#include "codec/shipped_models.h"
#include "codec/text/text_codec.h"
#include "codec/zstd/zstd_codec.h"
#include "lmzip/compress.h"
#include "lmzip/error.h"

namespace lmzip::engine {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

// Long-range matching wants large blocks.
constexpr std::uint64_t zstd_block_bytes = 64 * mebibyte;

// Blocks of 4 MiB cost the text codec 4 % of its size, blocks of 1 MiB 11 %.
constexpr std::uint64_t text_block_bytes = 16 * mebibyte;

// Decoders keep as much. Levels 1 to 3 have zstd's own long-range matching, within a block.
constexpr std::uint64_t window_of(int level) noexcept {
  return level <= 5 ? 64 * mebibyte : level <= 7 ? 128 * mebibyte : 256 * mebibyte;
}

// Each of zstd's levels 1, 3 and 9 takes two to four times as long as the one before it and saves
// another 9 to 10 % on a mixed corpus; what lies between saves less for its time.
constexpr int zstd_levels[] = {1, 3, 9};
constexpr int strongest_zstd = 9;

// Strengths of the text codec at levels 5 to 9; level 4 has codecs of its own.
constexpr int text_strengths[] = {2, 3, 4, 3, 4};

std::unique_ptr<codec::encoder> text_encoder_for(int level, const model_handle& model) {
  if (level == 4) return codec::make_fast_text_encoder();
  return codec::make_text_encoder(text_strengths[level - 5], model);
}

}  // namespace

level_plan plan_level(int level, model_handle model) {
  if (level < min_level || level > max_level)
    throw error(errc::usage, "no level " + std::to_string(level) + " (1 to 9)");
  if (model != nullptr && level < min_model_level)
    throw error(errc::usage, "level " + std::to_string(level) + " takes no model (8 and 9 do)");
  if (model == nullptr) model = model_of_level(level);
  level_plan plan;
  plan.level = level;
  if (level <= 3) {
    plan.ways.candidates = {codec::make_zstd_encoder(zstd_levels[level - 1])};
    plan.block_bytes = zstd_block_bytes;
    return plan;
  }
  plan.search = level < min_model_level ? codec::brevis::search_effort::fast
                                        : codec::brevis::search_effort::full;
  plan.ways.model = model;
  plan.ways.candidates = {text_encoder_for(level, model), codec::make_zstd_encoder(strongest_zstd)};
  plan.ways.fallback = plan.ways.candidates.back();
  plan.needs_codec_data = true;
  plan.block_bytes = text_block_bytes;
  plan.window = window_of(level);
  return plan;
}

}  // namespace lmzip::engine
