#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/dtype.h"

namespace lmzip::codec::brevis {

/// Most dimensions of a tensor, and most bytes.
inline constexpr std::size_t max_rank = 16;
inline constexpr std::uint64_t max_tensor_bytes = std::uint64_t{1} << 40;

/// The type of a tensor: that of its numbers and its shape, outermost dimension first.
struct tensor_type {
  dtype type = dtype::bytes;
  std::vector<std::uint64_t> shape;  ///< empty: one number

  /// Both hold only of valid() types.
  std::uint64_t elements() const noexcept;
  std::uint64_t bytes() const noexcept;

  friend bool operator==(const tensor_type&, const tensor_type&) = default;
};

/// Whether rank and bytes keep to the limits, and the numbers fill whole bytes.
bool valid(const tensor_type& type) noexcept;

/// The type of `count` numbers in one dimension.
inline tensor_type vector_of(dtype type, std::uint64_t count) { return {type, {count}}; }

/// Whether numbers of `type` are whole bytes: all but those of 4 and 6 bits.
inline bool whole_bytes(dtype type) noexcept { return bits_of(type) % 8 == 0; }

/// Bytes of a number of a type of whole bytes.
inline std::size_t bytes_of(dtype type) noexcept { return bits_of(type) / 8; }

}  // namespace lmzip::codec::brevis
