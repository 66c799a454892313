// The reader of lists of copies, and the search for them.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "archive/chunks/copies.h"
#include "archive/chunks/copy_finder.h"
#include "lmzip/error.h"

using namespace lmzip;

namespace {

using view = std::span<const std::byte>;

std::vector<std::byte> apply(std::span<const archive::copy> copies, view literals, view base,
                             std::size_t plain_bytes) {
  std::vector<std::byte> plain(plain_bytes);
  const auto read_base = [base](std::uint64_t from, std::span<std::byte> out) {
    if (from > base.size() || out.size() > base.size() - from) __builtin_trap();
    std::memcpy(out.data(), base.data() + from, out.size());
  };
  archive::apply_copies(copies, literals, read_base, plain);
  return plain;
}

void read(view list, view base, std::size_t plain_bytes) {
  try {
    const auto copies = archive::read_copies(list, {plain_bytes, base.size()});
    const auto again = archive::write_copies(copies);
    if (!std::equal(again.begin(), again.end(), list.begin(), list.end())) __builtin_trap();
    const std::vector<std::byte> literals(
        static_cast<std::size_t>(archive::literal_bytes(copies, plain_bytes)));
    apply(copies, literals, base, plain_bytes);
  } catch (const error& e) {
    if (e.code() != errc::damaged && e.code() != errc::truncated) __builtin_trap();
  }
}

void search(view base, view plain) {
  const auto copies = archive::copy_finder(base, 16).find(plain);
  const auto again = apply(copies, archive::take_literals(plain, copies), base, plain.size());
  if (!std::equal(again.begin(), again.end(), plain.begin(), plain.end())) __builtin_trap();
}

}  // namespace

// The first byte cuts the others into a list, which is the new bytes too, and a base; the second is
// how many new bytes the list is about.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto rest = std::as_bytes(std::span(data + 2, size - 2));
  const std::size_t list_bytes = std::min<std::size_t>(data[0], rest.size());
  read(rest.first(list_bytes), rest.subspan(list_bytes), data[1]);
  search(rest.subspan(list_bytes), rest.first(list_bytes));
  return 0;
}
