#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/codec.h"
#include "core/dtype.h"

namespace lmzip::codec {

// Codec 6, version 0: numbers of a tensor, cut into fields; exponents and the like are coded with
// the short prefix codes of entropy/lane_code.h in many lanes, the other bits kept as they are
// (after "LMC: Byte Grouping and Huffman Coding", arXiv 2505.09810, 2025). The parameters are the
// dtype. The payload, described in formats/SPEC.md, is also what other codecs use for a part of
// theirs, by the functions below and those of lmc_encoder.h.

extern const decoder lmc_decoder_v0;

namespace lmc {

/// Numbers of a chunk; the last chunk of a payload may have fewer. Chunks decode independently.
inline constexpr std::size_t chunk_numbers = std::size_t{1} << 20;

/// Chunks of fewer numbers are coded in few lanes, which takes a twelfth of the room and is slower.
inline constexpr std::size_t many_lanes_from = std::size_t{1} << 15;

/// Bytes of memory that decode() needs besides its input and output.
inline constexpr std::uint64_t decoding_memory = std::uint64_t{1} << 16;

/// Decodes a payload of numbers of `type` into exactly `plain.size()` bytes, which need not be a
/// whole number of numbers. Any input is safe; one that is no valid encoding throws error(damaged).
/// Needs no memory from the heap. Safe to call from several threads.
void decode(dtype type, std::span<const std::byte> coded, std::span<std::byte> plain);

}  // namespace lmc
}  // namespace lmzip::codec
