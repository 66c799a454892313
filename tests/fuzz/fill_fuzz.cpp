// The fill decoder, and the search for periods.

#include <cstdlib>
#include <vector>

#include "codec/fill/fill.h"
#include "lmzip/error.h"

namespace {

using namespace lmzip;

void check(bool condition) {
  if (!condition) std::abort();
}

void decode(std::span<const std::byte> coded, std::size_t plain_bytes) {
  std::vector<std::byte> plain(plain_bytes);
  try {
    codec::fill_decoder_v0.decode(0, coded, plain);
  } catch (const error& cause) {
    check(cause.code() == errc::damaged);
    return;
  }
  for (std::size_t i = 0; i < plain.size(); ++i) check(plain[i] == coded[i % coded.size()]);
}

void encode(std::span<const std::byte> plain) {
  const auto code = codec::fill_block(plain);
  if (!code) return;
  std::vector<std::byte> again(plain.size());
  codec::fill_decoder_v0.decode(code->how.parameters, code->coded, again);
  check(std::equal(plain.begin(), plain.end(), again.begin()));
}

}  // namespace

// The first byte is the plain size; the rest is a payload and a block.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  if (input.empty()) return 0;
  decode(input.subspan(1), 5 * std::to_integer<std::size_t>(input[0]));
  encode(input.subspan(1));
  return 0;
}
