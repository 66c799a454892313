#pragma once

#include "codec/ratio/element_kernels.h"
#include "core/dtype.h"

namespace lmzip::codec::ratio {

/// How elements are cut into symbols and bits as they are: the first byte of a payload.
enum class layout : std::uint8_t {
  stored = 0,      ///< the plain bytes follow
  bytes = 1,       ///< a byte is a symbol
  halves = 2,      ///< f16: exponent and three bits of the mantissa are a symbol
  bf16 = 3,        ///< level of the upper half, rest in planes
  f32 = 4,         ///< the same, and 16 bits as they are
  f64 = 5,         ///< the same, and 48 bits as they are
  integers16 = 6,  ///< magnitudes of integers, signed if flag_signed
  integers32 = 7,
  integers64 = 8,
};

/// Bits of the second byte of a payload, above the code of lane_setup.
inline constexpr unsigned flag_no_sign = 16;     ///< levels: no element has its sign set
inline constexpr unsigned flag_row_column = 32;  ///< levels: predicted by row and column
inline constexpr unsigned flag_signed = 16;      ///< integers

struct layout_facts {
  unsigned element_bytes;
  unsigned rest_bits;  ///< of float_split; 0: no levels
  unsigned low_bytes;  ///< kept as they are
};

constexpr layout_facts facts_of(layout which) noexcept {
  switch (which) {
    case layout::stored:
      break;
    case layout::bytes:
      break;
    case layout::halves:
      return {2, 0, 1};
    case layout::bf16:
      return {2, 5, 0};
    case layout::f32:
      return {4, 5, 2};
    case layout::f64:
      return {8, 2, 6};
    case layout::integers16:
      return {2, 0, 0};
    case layout::integers32:
      return {4, 0, 0};
    case layout::integers64:
      return {8, 0, 0};
  }
  return {1, 0, 0};
}

constexpr layout layout_of(dtype type) noexcept {
  switch (type) {
    case dtype::f16:
      return layout::halves;
    case dtype::bf16:
      return layout::bf16;
    case dtype::f32:
    case dtype::c64:
      return layout::f32;
    case dtype::f64:
    case dtype::c128:
      return layout::f64;
    case dtype::u16:
    case dtype::i16:
      return layout::integers16;
    case dtype::u32:
    case dtype::i32:
      return layout::integers32;
    case dtype::u64:
    case dtype::i64:
      return layout::integers64;
    default:
      return layout::bytes;
  }
}

constexpr bool is_signed(dtype type) noexcept {
  return type == dtype::i8 || type == dtype::i16 || type == dtype::i32 || type == dtype::i64;
}

}  // namespace lmzip::codec::ratio
