#include <cstring>

#include "codec/store/store.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace {

std::uint64_t memory(std::uint32_t parameters, std::uint64_t, const shared_model*) {
  if (parameters != 0) throw error(errc::damaged, "a stored block has unknown parameters");
  return 0;
}

void decode(std::uint32_t, std::span<const std::byte> coded, std::span<std::byte> plain,
            const decoding_context&) {
  if (coded.size() != plain.size()) throw error(errc::damaged, "a stored block's two sizes differ");
  if (!plain.empty()) std::memcpy(plain.data(), coded.data(), plain.size());
}

std::string describe(std::uint32_t) { return {}; }

}  // namespace

constinit const decoder store_decoder_v0{codec_id::store, 0,        "store",       memory,
                                         decode,          describe, needs_no_model};

}  // namespace lmzip::codec
