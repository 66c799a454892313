// Any bytes must give entries or an lmzip::error, and what was read must be written as it was. The
// first byte says whether they are a stream, entries in any order, or stamps; or a pattern to leave
// something out, then a NUL, and a path.

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "archive/tree/entry_reader.h"
#include "archive/tree/entry_writer.h"
#include "archive/tree/exclusions.h"
#include "lmzip/error.h"

namespace {

using namespace lmzip;
using namespace lmzip::tree;
using bytes = std::vector<std::byte>;

void check(bool condition) {
  if (!condition) std::abort();
}

void check_same(const bytes& again, std::span<const std::byte> stored) {
  check(again == bytes(stored.begin(), stored.end()));
}

void read_stream(std::span<const std::byte> stored) {
  entry_stream stream(stored);
  bytes again;
  while (const auto found = stream.next()) write_entry(again, *found);
  check_same(again, stored);
}

void read_entries(std::span<const std::byte> stored) {
  cursor in(stored);
  while (in.remaining() > 0) {
    const std::size_t begin = in.position();
    const entry found = read_entry(in);
    check(is_entry_path(found.path));
    bytes again;
    write_entry(again, found);
    check_same(again, stored.subspan(begin, in.position() - begin));
  }
}

void read_stamps(std::span<const std::byte> stored) {
  cursor in(stored);
  bytes again;
  while (in.remaining() > 0) write_stamp(again, read_stamp(in));
  check_same(again, stored);
}

void match(std::span<const std::byte> stored) {
  const std::string_view text(reinterpret_cast<const char*>(stored.data()), stored.size());
  const auto border = text.find('\0');
  const auto path = border == text.npos ? std::string_view() : text.substr(border + 1);
  try {
    exclusions all;
    all.add(text.substr(0, border));
    check(all.excludes(path, true) || !all.excludes(path, false));
  } catch (const error& cause) {
    check(cause.code() == errc::usage);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto stored = std::as_bytes(std::span(data, size)).subspan(1);
  try {
    if (data[0] % 4 == 0) read_stream(stored);
    if (data[0] % 4 == 1) read_entries(stored);
    if (data[0] % 4 == 2) read_stamps(stored);
    if (data[0] % 4 == 3) match(stored);
  } catch (const error& cause) {
    check(cause.code() == errc::damaged || cause.code() == errc::truncated ||
          cause.code() == errc::unsupported);
  }
  return 0;
}
