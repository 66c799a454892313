#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/endian.h"
#include "lmzip/error.h"

namespace lmzip {

/// Reads a byte string from front to back and never past its end: every read that would do so
/// throws error(truncated) with the offset of the read. All untrusted bytes are parsed through it.
class cursor {
 public:
  /// `base` is the position of `bytes` in the file, for error offsets.
  explicit cursor(std::span<const std::byte> bytes, std::uint64_t base = 0)
      : bytes_(bytes), base_(base) {}

  std::size_t remaining() const noexcept { return bytes_.size() - position_; }
  std::size_t position() const noexcept { return position_; }
  std::uint64_t offset() const noexcept { return base_ + position_; }

  std::span<const std::byte> bytes(std::size_t count) {
    if (count > remaining()) throw error(errc::truncated, "ends too early", offset());
    const auto part = bytes_.subspan(position_, count);
    position_ += count;
    return part;
  }

  std::uint8_t u8() { return read<std::uint8_t>(); }
  std::uint16_t u16() { return read<std::uint16_t>(); }
  std::uint32_t u32() { return read<std::uint32_t>(); }
  std::uint64_t u64() { return read<std::uint64_t>(); }

 private:
  template <std::unsigned_integral T>
  T read() {
    return load_le<T>(bytes(sizeof(T)).data());
  }

  std::span<const std::byte> bytes_;
  std::uint64_t base_;
  std::size_t position_ = 0;
};

}  // namespace lmzip
