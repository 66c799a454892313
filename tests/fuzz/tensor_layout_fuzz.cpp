// Any bytes must give a layout that covers all of them, read as a file and as a stream of unknown
// length; the stream's layout may end earlier, and the rest is probed anew. Inputs are files of the
// formats themselves. A small limit on headers is tried too.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "formats/tensors/detect.h"
#include "formats/tensors/zip_tensors.h"
#include "formats/tensors/zip_walk.h"

namespace {

using namespace lmzip::tensors;

void check(bool condition) {
  if (!condition) std::abort();
}

void check_layout(const tensor_layout& layout) {
  std::uint64_t at = 0;
  for (const range& r : ranges_of(layout)) {
    check(r.offset == at && r.bytes > 0);
    at += r.bytes;
  }
  check(at == layout.bytes);
  for (const tensor& t : layout.tensors) check(t.record_bytes > 0);
  for (const char c : layout.reason) check(c >= ' ' && c <= '~');
  check(layout.format != format_kind::none || layout.tensors.empty());
}

void read_file(std::span<const std::byte> bytes, const read_limits& limits) {
  const tensor_layout layout = read_layout(input_of(bytes), limits);
  check_layout(layout);
  check(layout.bytes == bytes.size());
}

void walk_zip(std::span<const std::byte> bytes, const read_limits& limits) {
  zip_walk walk(limits);
  const auto peek = [&bytes](std::size_t count) {
    return bytes.first(count < bytes.size() ? count : bytes.size());
  };
  while (const auto layout = walk.next(peek)) {
    check_layout(*layout);
    check(layout->bytes > 0);
    if (layout->bytes >= bytes.size()) return;
    bytes = bytes.subspan(static_cast<std::size_t>(layout->bytes));
  }
}

void read_stream(std::span<const std::byte> bytes, const read_limits& limits) {
  // An array of no elements still takes its header, so that this ends.
  while (!bytes.empty()) {
    const auto peek = [bytes](std::size_t count) {
      return bytes.first(count < bytes.size() ? count : bytes.size());
    };
    const probe_result seen = probe_with(peek, {}, limits);
    check(seen.is != probe_result::verdict::more);
    if (seen.is == probe_result::verdict::needs_the_end) return walk_zip(bytes, limits);
    check_layout(seen.layout);
    if (seen.layout.format == format_kind::none) return;
    if (seen.layout.bytes >= bytes.size()) return;
    bytes = bytes.subspan(static_cast<std::size_t>(seen.layout.bytes));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  for (const read_limits& limits : {read_limits{}, read_limits{.header_bytes = 200}}) {
    read_file(bytes, limits);
    read_stream(bytes, limits);
  }
  // The directory of a zip archive is looked for at the end, whatever stands at the beginning.
  const tensor_layout zip = read_tensor_zip(input_of(bytes));
  check_layout(zip);
  check(zip.bytes == bytes.size());
  return 0;
}
