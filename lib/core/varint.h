#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cursor.h"
#include "lmzip/error.h"

namespace lmzip {

/// Appends `number` in groups of 7 bits, the lowest first; all but the last byte have the high bit.
inline void write_varint(std::vector<std::byte>& out, std::uint64_t number) {
  for (; number > 127; number >>= 7) out.push_back(static_cast<std::byte>(number | 128));
  out.push_back(static_cast<std::byte>(number));
}

/// Reads such a number. Throws error(damaged) for one longer than needed or above `limit`.
inline std::uint64_t read_varint(cursor& in, std::uint64_t limit = ~std::uint64_t{0}) {
  const std::uint64_t offset = in.offset();
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = in.u8();
    const std::uint64_t bits = byte & 127U;
    if (shift == 63 && bits > 1) break;
    number |= bits << shift;
    if (byte >= 128) continue;
    if ((byte == 0 && shift > 0) || number > limit) break;
    return number;
  }
  throw error(errc::damaged, "number out of range", offset);
}

/// Maps numbers near zero to small ones: 0, -1, 1, -2, …
constexpr std::uint64_t to_zigzag(std::int64_t number) noexcept {
  return static_cast<std::uint64_t>(number) << 1 ^ (number < 0 ? ~std::uint64_t{0} : 0);
}

constexpr std::int64_t from_zigzag(std::uint64_t number) noexcept {
  return static_cast<std::int64_t>(number >> 1 ^ ((number & 1) != 0 ? ~std::uint64_t{0} : 0));
}

}  // namespace lmzip
