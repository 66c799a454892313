#include "codec/brevis/brevis_codec.h"

#include "codec/brevis/block_payload.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace {

std::uint64_t memory_of(std::uint32_t parameters, std::uint64_t plain_bytes, const shared_model*) {
  if (parameters != 0) throw error(errc::damaged, "programs of tensors have no parameters");
  return brevis::decoding_memory(plain_bytes);
}

void decode(std::uint32_t parameters, std::span<const std::byte> coded, std::span<std::byte> plain,
            const decoding_context&) {
  memory_of(parameters, plain.size(), nullptr);
  brevis::decode_block(coded, plain);
}

std::string describe(std::uint32_t) { return {}; }

}  // namespace

const decoder brevis_decoder_v0 = {codec_id::brevis, 0,        "brevis",      memory_of,
                                   decode,           describe, needs_no_model};

}  // namespace lmzip::codec
