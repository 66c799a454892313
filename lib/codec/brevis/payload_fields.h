#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cursor.h"

namespace lmzip::codec::brevis {

// Numbers of a payload: seven bits a byte, the lowest first, all bytes but the last with the high
// bit set; signed ones with their sign in the lowest bit.

inline std::uint64_t read_count(cursor& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = in.u8();
    if (shift == 63 && byte > 1) break;
    value |= std::uint64_t{byte & 127U} << shift;
    if (byte < 128) return value;
  }
  throw error(errc::damaged, "a number of a program is too long");
}

inline void write_count(std::vector<std::byte>& to, std::uint64_t value) {
  for (; value > 127; value >>= 7)
    to.push_back(static_cast<std::byte>(value & 127) | std::byte{128});
  to.push_back(static_cast<std::byte>(value));
}

constexpr std::uint64_t fold(std::uint64_t value) noexcept {
  return value << 1 ^ (0 - (value >> 63));
}
constexpr std::uint64_t unfold(std::uint64_t value) noexcept {
  return value >> 1 ^ (0 - (value & 1));
}

/// Bytes of an operator at and above this are leaves, with the coder below.
inline constexpr unsigned leaf_mark = 128;

/// Mark of a tensor whose type is that of the one before.
inline constexpr unsigned same_type = 255;

}  // namespace lmzip::codec::brevis
