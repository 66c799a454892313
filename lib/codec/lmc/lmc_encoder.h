#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/codec.h"
#include "core/dtype.h"

namespace lmzip::codec {

/// An encoder for blocks of numbers of `type`.
std::unique_ptr<encoder> make_lmc_encoder(dtype type);

namespace lmc {

/// Most bytes that encode_into() writes for `plain_bytes` of any type, and those behind its output
/// that it uses meanwhile.
std::size_t encoded_bound(std::size_t plain_bytes) noexcept;

/// Bytes of memory that encoding needs besides input and output.
std::uint64_t encoding_memory(std::size_t plain_bytes) noexcept;

/// Codes `plain`, numbers of `type` and perhaps a part of one at the end, to the beginning of
/// `coded`, which has room for encoded_bound(). Returns how many bytes were written. The same for
/// all instruction sets. Throws std::bad_alloc. Safe to call from several threads.
std::size_t encode_into(dtype type, std::span<const std::byte> plain, std::span<std::byte> coded);

/// The same to bytes of its own.
std::vector<std::byte> encode(dtype type, std::span<const std::byte> plain);

/// About how many bytes encode() makes of `sample`, without coding it: counts up to 16384 of its
/// numbers.
std::size_t estimate(dtype type, std::span<const std::byte> sample);

}  // namespace lmc
}  // namespace lmzip::codec
