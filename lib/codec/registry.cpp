#include <array>

#include "codec/brevis/brevis_codec.h"
#include "codec/bwt/bwt_codec.h"
#include "codec/codec.h"
#include "codec/delta/delta_block.h"
#include "codec/fill/fill.h"
#include "codec/lmc/lmc.h"
#include "codec/ratio/ratio_codec.h"
#include "codec/store/store.h"
#include "codec/text/text_codec.h"
#include "codec/tokens/tokens_codec.h"
#include "codec/zstd/zstd_codec.h"

namespace lmzip::codec {
namespace {

// Every codec version that this build decodes.
constexpr std::array known = {
    &store_decoder_v0,  &fill_decoder_v0, &zstd_decoder_v0, &text_decoder_v0,
    &tokens_decoder_v0, &bwt_decoder_v0,  &lmc_decoder_v0,  &ratio_decoder_v0,
    &brevis_decoder_v0, &delta_decoder_v0,
};

}  // namespace

const decoder* find_decoder(codec_id codec, std::uint8_t version) noexcept {
  for (const decoder* candidate : known)
    if (candidate->codec == codec && candidate->version == version) return candidate;
  return nullptr;
}

}  // namespace lmzip::codec
