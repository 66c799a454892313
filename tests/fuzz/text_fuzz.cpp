#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "codec/text/text_codec.h"
#include "lmzip/error.h"

// The first four bytes are the codec parameters, the next two the plain size; the rest is coded.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 6) return 0;
  std::uint32_t parameters = 0;
  for (int i = 0; i < 4; ++i) parameters |= std::uint32_t{data[i]} << (8 * i);
  parameters &= 0xffff0fff;  // hash tables of at most 2^15 lines, for speed
  std::vector<std::byte> plain(data[4] | (data[5] << 8 & 0x0f00));
  try {
    lmzip::codec::text_decoder_v0.memory(parameters, plain.size());
    lmzip::codec::text_decoder_v0.decode(parameters, std::as_bytes(std::span(data + 6, size - 6)),
                                         plain);
  } catch (const lmzip::error& e) {
    const bool lacks_model = (parameters & 128) != 0 && e.code() == lmzip::errc::missing;
    if (e.code() != lmzip::errc::damaged && !lacks_model) __builtin_trap();
  }
  return 0;
}
