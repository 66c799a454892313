#pragma once

#include <cstdint>

namespace lmzip::model {

/// log2 of a positive number in units of 2^-16, by integers only: the same on every machine.
/// Exact for powers of two, else below the true value by less than 0.0015.
std::int32_t log2_fixed(std::uint64_t value) noexcept;

}  // namespace lmzip::model
