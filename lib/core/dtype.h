#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lmzip {

/// Types of the numbers of a tensor, by the names of the safetensors format. The numbers are stored
/// in archives and never reused. All are little-endian in memory.
enum class dtype : std::uint8_t {
  bytes = 0,  ///< no numbers, or a type that is not known: one byte an element
  boolean = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  u32 = 6,
  i32 = 7,
  u64 = 8,
  i64 = 9,
  f16 = 10,
  bf16 = 11,
  f32 = 12,
  f64 = 13,
  c64 = 14,   ///< two f32
  c128 = 15,  ///< two f64
  f8_e5m2 = 16,
  f8_e4m3 = 17,
  f8_e5m2fnuz = 18,
  f8_e4m3fnuz = 19,
  f8_e8m0 = 20,
  f6_e2m3 = 21,
  f6_e3m2 = 22,
  f4 = 23,
};

inline constexpr unsigned dtype_count = 24;

/// Bits of one element.
unsigned bits_of(dtype type) noexcept;

/// The name in the header of a safetensors file, such as "BF16"; "bytes" for dtype::bytes.
std::string_view name_of(dtype type) noexcept;

/// The type of that exact name; nothing for a name that is not known, and for "bytes".
std::optional<dtype> dtype_named(std::string_view name) noexcept;

}  // namespace lmzip
