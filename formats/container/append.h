#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "core/endian.h"

namespace lmzip::container {

inline void append_bytes(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const std::size_t at = out.size();
  out.resize(at + bytes.size());
  std::memcpy(out.data() + at, bytes.data(), bytes.size());
}

/// Appends `value` little-endian.
template <std::unsigned_integral T>
void append_le(std::vector<std::byte>& out, T value) {
  std::byte bytes[sizeof(T)];
  store_le(bytes, value);
  append_bytes(out, bytes);
}

}  // namespace lmzip::container
