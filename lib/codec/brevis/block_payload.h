#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/brevis/program.h"

namespace lmzip::codec::brevis {

/// Reads a payload whole, its programs checked; payloads of leaves point into `coded`. Takes memory
/// for every node, so it is for telling what a block holds, not for decoding it. Throws
/// error(damaged).
block_program read_block(std::span<const std::byte> coded);

/// Decodes a payload into exactly plain.size() bytes. Any input is safe; throws error(damaged).
void decode_block(std::span<const std::byte> coded, std::span<std::byte> plain);

/// Memory that decode_block() takes at most besides its arguments.
std::uint64_t decoding_memory(std::uint64_t plain_bytes) noexcept;

/// Peaks and work that blocks keep to, or else they are damaged: evaluation_memory() of each
/// program and the decoded streams of which not all numbers follow each other in the block
/// together take at most max_block_memory(); evaluation_work() of a program is at most
/// max_work() of its tensor.
std::uint64_t max_block_memory(std::uint64_t plain_bytes) noexcept;
std::uint64_t max_work(std::uint64_t tensor_bytes) noexcept;

}  // namespace lmzip::codec::brevis
