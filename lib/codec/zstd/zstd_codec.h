#pragma once

#include <memory>

#include "codec/codec.h"

namespace lmzip::codec {

// Codec 2, version 0: one Zstandard frame (RFC 8878) without content size, checksum and dictionary,
// whose window is no larger than the plain size rounded up to a power of two. The parameters are
// the level it was made with, 1 … 22, for information only.

extern const decoder zstd_decoder_v0;

inline constexpr std::uint32_t zstd_max_level = 22;

/// An encoder at zstd's own `level`, which is 1, 3, 9 or 19 (for little data), with the whole block as window and
/// long-distance matching where a sample shows distant repeats. Throws error(usage) for other
/// levels. The output depends on the version of libzstd.
std::unique_ptr<encoder> make_zstd_encoder(int level);

/// Whether no codec will make `plain` noticeably smaller: zstd's fastest level saves nothing on
/// samples spread over it, and nothing in it repeats over a long distance. Takes about a tenth of
/// the time that zstd needs to find out; blocks under 4 MiB are never called so.
bool looks_incompressible(std::span<const std::byte> plain);

}  // namespace lmzip::codec
