#pragma once

#include <cstddef>

#include "core/dtype.h"

namespace lmzip::codec::delta {

/// Whether cast() knows both types: equal ones of whole bytes, or f16, bf16, f32 and f64.
bool can_cast(dtype from, dtype to) noexcept;

/// Casts `count` numbers, to the nearest number, of two to the one whose last bit is 0; what is too
/// large becomes infinite, what is no number stays so. From f64 to the 16-bit types by way of f32.
/// By integers only. Arrays are little-endian and do not overlap; can_cast(from, to) holds.
void cast(dtype from, const std::byte* numbers, std::size_t count, dtype to, std::byte* cast);

}  // namespace lmzip::codec::delta
