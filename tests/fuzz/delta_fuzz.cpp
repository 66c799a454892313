#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/delta/delta_codec.h"
#include "lmzip/error.h"

// The first two bytes are the plain size, up to 2^13 - 1, the next the type of the base, the next
// the size of its elements; the base is made up from its places. The rest is coded.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4 || data[2] >= lmzip::dtype_count) return 0;
  std::vector<std::byte> plain(data[0] | (data[1] & 31) << 8);
  std::vector<std::byte> base(plain.size() * data[3] / 8);
  for (std::size_t i = 0; i < base.size(); ++i)
    base[i] = static_cast<std::byte>(i % 2 == 1 ? 0x3c + i / 64 % 4 : i * 37);
  try {
    lmzip::codec::delta::decode(std::as_bytes(std::span(data + 4, size - 4)),
                                {static_cast<lmzip::dtype>(data[2]), base}, plain);
  } catch (const lmzip::error& e) {
    if (e.code() != lmzip::errc::damaged) __builtin_trap();
  }
  return 0;
}
