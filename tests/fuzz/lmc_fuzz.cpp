// The tensor codec: payloads as they come, by all instruction sets, and numbers there and back.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "codec/lmc/lmc.h"
#include "codec/lmc/lmc_encoder.h"
#include "core/cpu.h"
#include "lmzip/error.h"

namespace {

using namespace lmzip;
using bytes = std::vector<std::byte>;

constexpr std::array all_isas{isa::scalar, isa::avx2, isa::avx512};

void check(bool condition) {
  if (!condition) std::abort();
}

std::optional<bytes> decode(dtype type, std::span<const std::byte> coded, std::size_t size) {
  bytes plain(size);
  try {
    codec::lmc::decode(type, coded, plain);
  } catch (const error& cause) {
    check(cause.code() == errc::damaged);
    return std::nullopt;
  }
  return plain;
}

void decode_everywhere(dtype type, std::span<const std::byte> coded, std::size_t size) {
  select_isa(isa::scalar);
  const auto reference = decode(type, coded, size);
  for (const isa which : all_isas) {
    select_isa(which);
    check(decode(type, coded, size) == reference);
  }
}

// The input over and over, so that there is enough for many lanes.
void encode_everywhere(dtype type, std::span<const std::byte> input, std::size_t size) {
  bytes plain(size);
  for (std::size_t i = 0; i < size; ++i) plain[i] = input[i % input.size()];
  select_isa(isa::scalar);
  const bytes reference = codec::lmc::encode(type, plain);
  check(reference.size() <= plain.size() + 1);
  for (const isa which : all_isas) {
    select_isa(which);
    check(codec::lmc::encode(type, plain) == reference);
    check(decode(type, reference, size) == plain);
  }
}

}  // namespace

// The first byte is the type, the next three the plain size, of which the two highest bits say what
// is done; the rest is a payload or numbers.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 5) return 0;
  const auto type = static_cast<dtype>(data[0] % dtype_count);
  const std::size_t plain_bytes =
      (data[1] | data[2] << 8 | (data[3] & 0x3f) << 16) % (std::size_t{1} << 19);
  const auto rest = std::as_bytes(std::span(data, size)).subspan(4);
  if ((data[3] & 0x80) == 0)
    decode_everywhere(type, rest, plain_bytes);
  else if ((data[3] & 0x40) == 0)
    encode_everywhere(type, rest, rest.size());
  else
    encode_everywhere(type, rest, plain_bytes);
  return 0;
}
