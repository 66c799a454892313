// The zstd decoder.

#include <cstdlib>
#include <vector>

#include "codec/zstd/zstd_codec.h"
#include "core/endian.h"
#include "lmzip/error.h"

// Two bytes of plain size, then a payload.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto input = std::as_bytes(std::span(data, size));
  std::vector<std::byte> plain(4 * lmzip::load_le<std::uint16_t>(data));
  try {
    lmzip::codec::zstd_decoder_v0.decode(1, input.subspan(2), plain);
  } catch (const lmzip::error& cause) {
    if (cause.code() != lmzip::errc::damaged) std::abort();
  }
  return 0;
}
