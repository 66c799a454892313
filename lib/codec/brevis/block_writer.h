#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/brevis/program.h"

namespace lmzip::codec::brevis {

/// The payload of a block: the inverse of read_block(). Checks all programs as a reader does;
/// throws error(internal) where it would refuse them. Does not evaluate.
std::vector<std::byte> write_block(const block_program& block);

/// Bytes of a program in a payload, with those of its leaves; a run of tensors that are leaves
/// leaf_coder::rest takes fewer. For estimates: `program` need not be checked.
std::size_t program_bytes(const node& program);

/// What the shared streams of a block hold, for programs that are nothing but leaves
/// leaf_coder::rest: the bytes of the tensors of `type`, of `plain`, the block's plain bytes.
/// Programs with such leaves inside give their numbers by what made them.
std::vector<std::byte> gather_rest(const block_program& block, dtype type,
                                   std::span<const std::byte> plain);

}  // namespace lmzip::codec::brevis
