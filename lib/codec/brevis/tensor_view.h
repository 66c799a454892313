#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dtype.h"
#include "core/endian.h"

namespace lmzip::codec::brevis {

/// A tensor that somebody else owns, for detectors: whole elements of 1, 2, 4 or 8 bytes.
struct tensor_view {
  dtype type = dtype::bytes;
  std::span<const std::uint64_t> shape;
  std::span<const std::byte> bytes;

  unsigned element_bytes() const noexcept { return bits_of(type) / 8; }
  std::size_t elements() const noexcept { return bytes.size() / element_bytes(); }

  /// Elements of the last axis; all of them in a tensor of one axis, or of none.
  std::size_t columns() const noexcept {
    return shape.empty() ? elements() : static_cast<std::size_t>(shape.back());
  }
  /// The rows that the other axes make of it; 0 in a tensor without elements.
  std::size_t rows() const noexcept { return columns() == 0 ? 0 : elements() / columns(); }

  const std::byte* at(std::size_t element) const noexcept {
    return bytes.data() + element * element_bytes();
  }

  /// The bits of an element.
  std::uint64_t bits(std::size_t element) const noexcept {
    const std::byte* const from = at(element);
    switch (element_bytes()) {
      case 1:
        return static_cast<std::uint8_t>(*from);
      case 2:
        return load_le<std::uint16_t>(from);
      case 4:
        return load_le<std::uint32_t>(from);
      default:
        return load_le<std::uint64_t>(from);
    }
  }
};

/// Whether detectors can look at tensors of the type: whole bytes, and one number an element.
constexpr bool can_view(dtype type) noexcept {
  return type != dtype::c64 && type != dtype::c128 && type < dtype::f6_e2m3;
}

constexpr bool holds_integers(dtype type) noexcept {
  return type >= dtype::boolean && type <= dtype::i64;
}

constexpr bool holds_signed(dtype type) noexcept {
  return type == dtype::i8 || type == dtype::i16 || type == dtype::i32 || type == dtype::i64;
}

/// The floating-point types that programs calculate with.
constexpr bool holds_floats(dtype type) noexcept {
  return type >= dtype::f16 && type <= dtype::f64;
}

/// A fixed sequence of places in a tensor, which look arbitrary: the same for all tensors of a
/// size.
class sample_places {
 public:
  explicit sample_places(std::size_t elements, std::uint64_t seed = 1) noexcept
      : elements_(elements), state_(seed * 0x9e3779b97f4a7c15U | 1) {}

  /// Below `elements`, which is not 0.
  std::size_t next() noexcept {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    // The upper half times the count: without a division.
    const std::uint64_t upper = state_ >> 32;
    return static_cast<std::size_t>(elements_ <= 0xffffffffU ? upper * elements_ >> 32
                                                             : state_ % elements_);
  }

 private:
  std::uint64_t elements_;
  std::uint64_t state_;
};

}  // namespace lmzip::codec::brevis
