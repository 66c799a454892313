#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/ratio/ratio_codec.h"
#include "lmzip/error.h"

// The first two bytes are the plain size, up to 2^14 - 1; the rest is coded.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  std::vector<std::byte> plain(data[0] | (data[1] & 63) << 8);
  try {
    lmzip::codec::ratio_decoder_v0.memory(0, plain.size());
    lmzip::codec::ratio_decoder_v0.decode(0, std::as_bytes(std::span(data + 2, size - 2)), plain);
  } catch (const lmzip::error& e) {
    if (e.code() != lmzip::errc::damaged) __builtin_trap();
  }
  return 0;
}
