#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/codec.h"
#include "core/dtype.h"

namespace lmzip::codec {

// Codec 7, version 0: the numbers of a tensor, each as a symbol of what is not random in it (of a
// floating-point number the exponent and the two upper bits of the mantissa, of an integer its
// magnitude) and bits as they are; symbols by static range ANS in interleaved lanes
// (entropy/lane_rans.h). Parameters: the number of the dtype (core/dtype.h), for information.

extern const decoder ratio_decoder_v0;

/// Larger blocks are not coded.
inline constexpr std::uint64_t max_ratio_block_bytes = std::uint64_t{1} << 30;

/// An encoder for blocks of a tensor of that type whose innermost dimension is `columns` (0: not
/// known); blocks begin at a row.
std::unique_ptr<encoder> make_ratio_encoder(dtype type, std::uint32_t columns);

namespace ratio {

/// What encode() may use besides the bytes.
struct tensor_form {
  dtype type = dtype::bytes;
  std::uint32_t columns = 0;  ///< of a row, 0 or 1: no rows
};

/// Codes `plain`, the numbers of a tensor or of some of its rows; what is left after the last whole
/// number is kept too. At most max_ratio_block_bytes, else throws error(internal). The result is at
/// most one byte longer than `plain`.
std::vector<std::byte> encode(const tensor_form& form, std::span<const std::byte> plain);

/// Decodes what encode() made of plain.size() bytes. Any input is safe; throws error(damaged).
void decode(std::span<const std::byte> coded, std::span<std::byte> plain);

/// Memory that they take besides arguments and results.
std::uint64_t encoding_memory(std::uint64_t plain_bytes) noexcept;
std::uint64_t decoding_memory(std::uint64_t plain_bytes) noexcept;

/// Bits that encode() would take for `sample`, numbers of a tensor of that type, as a part of much
/// larger data, in units of 2^-16 bits. Does not see rows and columns. Takes a few microseconds for
/// 4096 numbers.
std::uint64_t estimate(dtype type, std::span<const std::byte> sample);

}  // namespace ratio
}  // namespace lmzip::codec
