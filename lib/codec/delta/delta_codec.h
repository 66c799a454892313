#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/dtype.h"

namespace lmzip::codec::delta {

// A tensor against another one of the same shape: the difference of each number from that of the
// base, in the order of the numbers (word_kernels.h), as a magnitude stream
// (codec/ratio/magnitude_stream.h) whose keys are the exponents of the base. A base of another
// floating-point type is cast first (cast.h).

/// Numbers of the base of a tensor, as many as the tensor has.
struct base_numbers {
  dtype type;
  std::span<const std::byte> bytes;
};

/// Whether a tensor of `type` can have a base of `base`.
bool can_be_base(dtype base, dtype type) noexcept;

/// Codes `plain`, whole numbers of a tensor, against its base. Throws error(internal) if that
/// cannot be its base. The result is at most one byte longer than `plain`.
std::vector<std::byte> encode(dtype type, const base_numbers& base,
                              std::span<const std::byte> plain);

/// Decodes what encode() made of plain.size() bytes with that base. Any input is safe; throws
/// error(damaged) for what encode() does not make, and for a base of another type or size.
void decode(std::span<const std::byte> coded, const base_numbers& base, std::span<std::byte> plain);

/// Memory that they take besides arguments and results.
std::uint64_t encoding_memory(std::uint64_t plain_bytes) noexcept;
std::uint64_t decoding_memory() noexcept;

/// Bits that encode() would take for such a sample of numbers and the base's numbers at the same
/// places, as a part of much larger data, in units of 2^-16 bits. Takes some ten microseconds for
/// 4096 numbers.
std::uint64_t estimate(dtype type, const base_numbers& base, std::span<const std::byte> sample);

}  // namespace lmzip::codec::delta
