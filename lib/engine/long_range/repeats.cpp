#include "engine/long_range/repeats.h"

#include <cstring>

#include "core/cursor.h"
#include "lmzip/error.h"

namespace lmzip::engine {
namespace {

// The shortest entry takes three bytes.
constexpr std::size_t least_entry_bytes = 3;

void put_varint(std::vector<std::byte>& out, std::uint64_t number) {
  for (; number >= 128; number >>= 7) out.push_back(std::byte((number & 127) | 128));
  out.push_back(std::byte(number));
}

[[noreturn]] void refuse() { throw error(errc::damaged, "repeats outside of their place"); }

std::uint64_t read_varint(cursor& in) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    const std::uint64_t part = in.u8();
    number |= (part & 127) << shift;
    if (part < 128) return number;
  }
  refuse();
}

template <typename Copy>
void for_each_literal(std::span<const repeat> repeats, std::size_t plain_bytes, Copy copy) {
  std::size_t at = 0;
  for (const repeat& r : repeats) {
    copy(at, r.position - at);
    at = r.position + r.bytes;
  }
  copy(at, plain_bytes - at);
}

}  // namespace

std::uint64_t bytes_of(std::span<const repeat> repeats) noexcept {
  std::uint64_t sum = 0;
  for (const repeat& r : repeats) sum += r.bytes;
  return sum;
}

std::vector<std::byte> write_repeats(std::span<const repeat> repeats) {
  std::vector<std::byte> out;
  put_varint(out, repeats.size());
  std::uint64_t at = 0;
  for (const repeat& r : repeats) {
    put_varint(out, r.position - at);
    put_varint(out, r.bytes);
    put_varint(out, r.distance);
    at = std::uint64_t{r.position} + r.bytes;
  }
  return out;
}

repeat_list read_repeats(std::span<const std::byte> payload, std::uint64_t plain_bytes,
                         std::uint64_t plain_offset, std::uint64_t window) {
  cursor in(payload);
  repeat_list list;
  try {
    const std::uint64_t count = read_varint(in);
    if (count > in.remaining() / least_entry_bytes) refuse();
    list.repeats.reserve(static_cast<std::size_t>(count));
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t gap = read_varint(in), bytes = read_varint(in),
                          distance = read_varint(in);
      if (gap > plain_bytes - at || bytes == 0 || bytes > plain_bytes - at - gap) refuse();
      at += gap;
      // The source ends where the block begins, or before.
      if (distance < at + bytes || distance > plain_offset + at || distance - at > window) refuse();
      list.repeats.push_back(
          {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(bytes), distance});
      at += bytes;
    }
  } catch (const error& cause) {
    if (cause.code() != errc::truncated) throw;
    refuse();
  }
  list.coded_bytes = in.position();
  return list;
}

void gather_literals(std::span<const std::byte> plain, std::span<const repeat> repeats,
                     std::span<std::byte> literals) noexcept {
  std::byte* to = literals.data();
  for_each_literal(repeats, plain.size(), [&](std::size_t at, std::size_t count) {
    if (count > 0) std::memcpy(to, plain.data() + at, count);
    to += count;
  });
}

void spread_literals(std::span<const std::byte> literals, std::span<const repeat> repeats,
                     std::span<std::byte> plain) noexcept {
  const std::byte* from = literals.data();
  for_each_literal(repeats, plain.size(), [&](std::size_t at, std::size_t count) {
    if (count > 0) std::memcpy(plain.data() + at, from, count);
    from += count;
  });
}

}  // namespace lmzip::engine
