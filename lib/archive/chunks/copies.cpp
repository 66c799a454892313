#include "archive/chunks/copies.h"

#include <algorithm>
#include <cstring>

#include "core/varint.h"

namespace lmzip::archive {
namespace {

constexpr std::uint64_t most_bytes = 0xffffffff;

/// Where the copies of a list would go on in the base; modulo 2^64, as false lists may lead
/// anywhere.
class expected_place {
 public:
  std::uint64_t after(std::uint32_t gap) const noexcept { return end_ + gap; }
  void move(const copy& c) noexcept { end_ = c.from + c.bytes; }

 private:
  std::uint64_t end_ = 0;
};

void put(std::span<const std::byte>& literals, std::size_t count, std::span<std::byte>& rest) {
  if (count > 0) std::memcpy(rest.data(), literals.data(), count);
  literals = literals.subspan(count);
  rest = rest.subspan(count);
}

}  // namespace

std::vector<std::byte> write_copies(std::span<const copy> copies) {
  std::vector<std::byte> list;
  write_varint(list, copies.size());
  expected_place expected;
  for (const copy& c : copies) {
    write_varint(list, c.gap);
    write_varint(list, c.bytes);
    write_varint(list, to_zigzag(static_cast<std::int64_t>(c.from - expected.after(c.gap))));
    expected.move(c);
  }
  return list;
}

std::vector<copy> read_copies(std::span<const std::byte> list, const copy_limits& limits,
                              std::uint64_t list_offset) {
  cursor in(list, list_offset);
  // Three numbers each.
  std::vector<copy> copies(static_cast<std::size_t>(read_varint(in, list.size() / 3)));
  std::uint64_t left = limits.plain_bytes;
  expected_place expected;
  for (copy& c : copies) {
    const std::uint64_t offset = in.offset();
    c.gap = static_cast<std::uint32_t>(read_varint(in, std::min(left, most_bytes)));
    left -= c.gap;
    c.bytes = static_cast<std::uint32_t>(read_varint(in, std::min(left, most_bytes)));
    if (c.bytes == 0) throw error(errc::damaged, "an empty copy", offset);
    left -= c.bytes;
    c.from = expected.after(c.gap) + static_cast<std::uint64_t>(from_zigzag(read_varint(in)));
    if (c.from > limits.base_bytes || c.bytes > limits.base_bytes - c.from)
      throw error(errc::damaged, "a copy from outside its base", offset);
    expected.move(c);
  }
  if (in.remaining() != 0)
    throw error(errc::damaged, "bytes behind the end of a list of copies", in.offset());
  return copies;
}

std::uint64_t literal_bytes(std::span<const copy> copies, std::uint64_t plain_bytes) noexcept {
  for (const copy& c : copies) plain_bytes -= c.bytes;
  return plain_bytes;
}

std::vector<std::byte> take_literals(std::span<const std::byte> plain,
                                     std::span<const copy> copies) {
  std::vector<std::byte> literals;
  literals.reserve(static_cast<std::size_t>(literal_bytes(copies, plain.size())));
  for (const copy& c : copies) {
    literals.insert(literals.end(), plain.begin(), plain.begin() + c.gap);
    plain = plain.subspan(std::size_t{c.gap} + c.bytes);
  }
  literals.insert(literals.end(), plain.begin(), plain.end());
  return literals;
}

void apply_copies(std::span<const copy> copies, std::span<const std::byte> literals,
                  const base_reader& read_base, std::span<std::byte> plain) {
  if (literals.size() != literal_bytes(copies, plain.size()))
    throw error(errc::damaged, "copies and literals do not make up a block");
  for (const copy& c : copies) {
    put(literals, c.gap, plain);
    read_base(c.from, plain.first(c.bytes));
    plain = plain.subspan(c.bytes);
  }
  put(literals, literals.size(), plain);
}

}  // namespace lmzip::archive
