#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "codec/tokens/tokens_codec.h"
#include "lmzip/error.h"

// The first byte is the codec parameter, the next two the plain size; the rest is coded. Whatever
// decodes is encoded, and has to come back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lmzip::codec;
  if (size < 3) return 0;
  const std::uint32_t parameters = data[0];
  std::vector<std::byte> plain(data[1] | (data[2] << 8 & 0x0f00));
  try {
    tokens_decoder_v0.memory(parameters, plain.size());
    tokens_decoder_v0.decode(parameters, std::as_bytes(std::span(data + 3, size - 3)), plain);
  } catch (const lmzip::error& e) {
    if (e.code() != lmzip::errc::damaged) __builtin_trap();
    return 0;
  }
  static const auto encoder = make_tokens_encoder();
  const encoded again = encoder->encode(plain);
  std::vector<std::byte> decoded(plain.size());
  tokens_decoder_v0.decode(again.how.parameters, again.coded, decoded);
  if (decoded != plain) __builtin_trap();
  return 0;
}
