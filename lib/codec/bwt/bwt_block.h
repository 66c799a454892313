#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/bwt/run_tables.h"

namespace lmzip::codec::bwt {

// A block with any start tables. The payload is the places of the transform (transform.h), 24 bits
// each, little-endian, and the coded last column. That of an empty block is empty.

/// Name of the section of the parameter file that holds what train_run_tables() returns.
inline constexpr const char* start_section = "bwt1";

/// The tables that shipped blocks start from, read at the first call. Safe to call from several
/// threads.
const run_tables& shipped_run_tables();

/// Codes up to max_block_bytes. Throws error(internal) or std::bad_alloc.
std::vector<std::byte> encode_block(std::span<const std::byte> plain, const run_tables& start);

/// Decodes a block. Any input is safe; throws error(damaged).
void decode_block(std::span<const std::byte> coded, const run_tables& start,
                  std::span<std::byte> plain);

/// Working memory of the two for a block.
std::uint64_t encoding_memory(std::uint64_t plain_bytes) noexcept;
std::uint64_t decoding_memory(std::uint64_t plain_bytes) noexcept;

/// Codes blocks spread over the text, carrying the tables over from block to block, and returns
/// what they are then, one byte a value (run_tables.h). Zeros between documents are left out. The
/// result depends on the text only.
std::vector<std::uint8_t> train_run_tables(std::span<const std::byte> text);

}  // namespace lmzip::codec::bwt
