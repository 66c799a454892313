#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/bwt/bwt_codec.h"
#include "lmzip/error.h"

// The first three bytes are the plain size, up to 2^18 - 1; the rest is coded. Sizes from 2^16 on
// have segments.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  std::vector<std::byte> plain(data[0] | data[1] << 8 | (data[2] & 3) << 16);
  try {
    lmzip::codec::bwt_decoder_v0.memory(0, plain.size());
    lmzip::codec::bwt_decoder_v0.decode(0, std::as_bytes(std::span(data + 3, size - 3)), plain);
  } catch (const lmzip::error& e) {
    if (e.code() != lmzip::errc::damaged) __builtin_trap();
  }
  return 0;
}
