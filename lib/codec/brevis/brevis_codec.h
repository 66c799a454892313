#pragma once

#include <cstdint>

#include "codec/codec.h"

namespace lmzip::codec {

// Codec 8, version 0: tensors, each made by a program of a small language (brevis/program.h) that
// ends in coded numbers, tables of formulas or earlier tensors (after "Brevis", programs of
// invertible operators for tensors). Parameters: 0. formats/SPEC.md has the payload.

extern const decoder brevis_decoder_v0;

/// Larger blocks are not coded.
inline constexpr std::uint64_t max_brevis_block_bytes = std::uint64_t{1} << 30;

}  // namespace lmzip::codec
