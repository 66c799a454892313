// Programs of tensors: payloads as they come, and tensors there and back.

#include <algorithm>
#include <cstdlib>
#include <span>
#include <vector>

#include "codec/brevis/block_payload.h"
#include "codec/brevis/brevis_encoder.h"
#include "lmzip/error.h"

namespace {

using namespace lmzip;
using namespace lmzip::codec::brevis;
using bytes = std::vector<std::byte>;

void check(bool condition) {
  if (!condition) std::abort();
}

void decode(std::span<const std::byte> coded, std::size_t size) {
  bytes plain(size);
  try {
    decode_block(coded, plain);
  } catch (const error& cause) {
    check(cause.code() == errc::damaged);
  }
  try {
    read_block(coded);
  } catch (const error& cause) {
    check(cause.code() == errc::damaged);
  }
}

// Tensors of the input's numbers, of which every second one is the one before again.
void encode(std::span<const std::byte> input, dtype type, std::size_t columns) {
  const std::size_t width = std::max(1U, bits_of(type) / 8);
  const std::size_t numbers = input.size() / width;
  if (bits_of(type) % 8 != 0 || numbers < columns) return;
  const std::size_t size = numbers / columns * columns * width;
  bytes plain(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(size));
  plain.insert(plain.end(), input.begin(), input.begin() + static_cast<std::ptrdiff_t>(size));
  const tensor_part part{{type, {numbers / columns, columns}}, {}, 0};
  const std::vector<tensor_part> parts = {part, part};
  const leaf_coding leaves(search_effort::fast);
  const auto coded =
      encode(parts, plain, {.nodes = 24}, leaves, without_structure::code_all_the_same);
  bytes again(plain.size());
  decode_block(coded->payload, again);
  check(again == plain);
}

}  // namespace

// The first byte says what is done, the next three are sizes; the rest is a payload or numbers.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 5) return 0;
  const auto rest = std::as_bytes(std::span(data, size)).subspan(4);
  if ((data[0] & 0x80) == 0)
    decode(rest, (data[1] | data[2] << 8 | data[3] << 16) % (std::size_t{1} << 18));
  else
    encode(rest.first(std::min<std::size_t>(rest.size(), 4096)),
           static_cast<dtype>(data[0] % dtype_count), 1 + data[1] % 64U);
  return 0;
}
