#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lmzip::vocab {

/// Number of a token; also its rank: of two merges, that of the lower number is made first.
using token_id = std::uint16_t;

/// A vocabulary has byte_tokens ... max_tokens tokens. The first byte_tokens are the single bytes.
inline constexpr std::size_t byte_tokens = 256;
inline constexpr std::size_t max_tokens = 16384;

/// Longest token in bytes.
inline constexpr std::size_t max_token_bytes = 48;

/// Deepest leaf that a token tree can have.
inline constexpr unsigned max_tree_depth = 32;

/// The vocabulary file, as SPEC.md defines it: magic, version (u16), number of tokens (u16), the
/// tokens (u8 length, bytes), the depths of the leaves (u8 each), SHA-256 of all that.
inline constexpr std::array<std::uint8_t, 8> file_magic = {0x8b, 'L',  'M',  'V',
                                                           '\r', '\n', 0x1a, '\n'};
inline constexpr std::uint16_t file_version = 0;

/// Size of the largest vocabulary file.
inline constexpr std::size_t max_file_bytes =
    file_magic.size() + 2 * sizeof(std::uint16_t) + max_tokens * (1 + max_token_bytes + 1) + 32;

}  // namespace lmzip::vocab
