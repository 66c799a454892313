#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lmzip {

/// Reads a little-endian unsigned integer from `at`, which need not be aligned.
template <std::unsigned_integral T>
T load_le(const void* at) noexcept {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::endian::native == std::endian::big && sizeof(T) > 1) {
    T swapped = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      swapped = static_cast<T>(swapped << 8 | (value & 0xff));
      value = static_cast<T>(value >> 8);
    }
    value = swapped;
  }
  return value;
}

/// Writes `value` little-endian to `at`, which need not be aligned.
template <std::unsigned_integral T>
void store_le(void* at, T value) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(at, &value, sizeof value);
    return;
  }
  unsigned char bytes[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[i] = static_cast<unsigned char>(value & 0xff);
    if constexpr (sizeof(T) > 1) value = static_cast<T>(value >> 8);
  }
  std::memcpy(at, bytes, sizeof(T));
}

}  // namespace lmzip
