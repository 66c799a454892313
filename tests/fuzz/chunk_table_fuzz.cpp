// The reader of tables of chunks: what it accepts, the writer writes again, byte for byte.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "archive/chunks/chunk_table.h"
#include "lmzip/error.h"

using namespace lmzip;

// The first two bytes limit the length of a chunk and of all together, in units of 64 and 256
// bytes, 255 meaning without limit.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  archive::chunk_table_limits limits;
  if (data[0] != 255) limits.chunk_bytes = data[0] * 64U;
  if (data[1] != 255) limits.plain_bytes = data[1] * 256U;
  const auto table = std::as_bytes(std::span(data + 2, size - 2));
  try {
    const auto chunks = archive::read_chunk_table(table, limits);
    std::uint64_t sum = 0;
    for (const auto& chunk : chunks) {
      if (chunk.bytes == 0 || chunk.bytes > limits.chunk_bytes) __builtin_trap();
      sum += chunk.bytes;
    }
    if (sum > limits.plain_bytes) __builtin_trap();
    const auto again = archive::write_chunk_table(chunks);
    if (!std::equal(again.begin(), again.end(), table.begin(), table.end())) __builtin_trap();
  } catch (const error& e) {
    if (e.code() != errc::damaged && e.code() != errc::truncated) __builtin_trap();
  }
  return 0;
}
