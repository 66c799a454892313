// The reader of roots of snapshots: what it accepts, the writer writes again, byte for byte.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "archive/snapshots/root_record.h"
#include "lmzip/error.h"

using namespace lmzip;

// The first two bytes are the plain bytes of the member.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::uint64_t plain_bytes = data[0] | std::uint64_t{data[1]} << 8;
  const auto stored = std::as_bytes(std::span(data + 2, size - 2));
  try {
    const auto root = archive::read_root(stored, plain_bytes);
    const auto again = archive::write_root(root);
    if (!std::equal(again.begin(), again.end(), stored.begin(), stored.end())) std::abort();
  } catch (const error& cause) {
    if (cause.code() != errc::damaged && cause.code() != errc::truncated &&
        cause.code() != errc::unsupported)
      std::abort();
  }
  return 0;
}
