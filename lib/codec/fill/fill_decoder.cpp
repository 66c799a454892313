#include <algorithm>
#include <cstring>

#include "codec/fill/fill.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace {

std::uint64_t memory(std::uint32_t parameters, std::uint64_t, const shared_model*) {
  if (parameters != 0) throw error(errc::damaged, "a fill block has unknown parameters");
  return 0;
}

void decode(std::uint32_t, std::span<const std::byte> coded, std::span<std::byte> plain,
            const decoding_context&) {
  if (coded.empty() || coded.size() > max_fill_period || coded.size() > plain.size())
    throw error(errc::damaged, "a fill block's period has an impossible length");
  if (coded.size() == 1) {
    std::memset(plain.data(), std::to_integer<int>(coded[0]), plain.size());
    return;
  }
  std::memcpy(plain.data(), coded.data(), coded.size());
  // What is filled already holds whole periods, so it can be copied behind itself.
  for (std::size_t filled = coded.size(); filled < plain.size();) {
    const std::size_t count = std::min(filled, plain.size() - filled);
    std::memcpy(plain.data() + filled, plain.data(), count);
    filled += count;
  }
}

std::string describe(std::uint32_t) { return {}; }

}  // namespace

constinit const decoder fill_decoder_v0{codec_id::fill, 0,        "fill",        memory,
                                        decode,         describe, needs_no_model};

}  // namespace lmzip::codec
