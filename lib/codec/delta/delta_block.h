#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "codec/codec.h"
#include "core/dtype.h"
#include "core/hash.h"

namespace lmzip::codec {

// Codec 9, version 0: the numbers of a block against tensors from outside the archive. The payload
// says segment by segment where the base of the block's bytes stands; cast to the type of the block
// and one after the other they are as many bytes as the block has. Parameters: bits 0 to 7 the
// dtype of the block, bits 8 and 9 how it comes from its base. formats/SPEC.md, 9.9.

extern const decoder delta_decoder_v0;

/// Whether blocks of this codec need a base.
constexpr bool needs_base(codec_id codec) noexcept { return codec == codec_id::delta; }

namespace delta {

/// How a block comes from its base.
enum class relation : std::uint8_t {
  equal = 0,       ///< it is the base
  cast = 1,        ///< it is the base after casting
  difference = 2,  ///< the payload of encode() follows the segments
};

/// A part of a tensor of the base.
struct tensor_part {
  dtype type = dtype::bytes;
  hash256 tensor{};  ///< SHA-256 of all its bytes
  std::uint64_t tensor_bytes = 0;
  std::uint32_t hint = 0;  ///< its place among the tensors of the base
  std::uint64_t offset = 0;
};

/// Some bytes of a block: whole numbers.
struct segment {
  std::uint32_t plain_bytes = 0;
  std::optional<tensor_part> base;  ///< none: zeros
};

inline constexpr std::size_t most_segments = 65535;

/// Bytes of a base of `from` for `plain_bytes` bytes of `to`.
std::uint64_t base_bytes(dtype from, dtype to, std::uint64_t plain_bytes) noexcept;

/// Fills bytes with those of a part of a tensor from an offset on.
using read_function = std::function<void(std::uint64_t offset, std::span<std::byte> out)>;

/// Fills `numbers` with a part of a tensor of type `from`, cast to `type`, which must be possible.
/// Takes 64 KiB of memory to cast.
void read_as(dtype type, dtype from, const read_function& read, std::span<std::byte> numbers);

/// Codes a block whose base is `base`, as many bytes, put together by `segments`: at most
/// most_segments, and as many bytes as the block. With relation::difference it is coded against it,
/// else it must be equal. May be longer than `plain`.
encoded encode_block(dtype type, std::span<const segment> segments, relation how,
                     std::span<const std::byte> base, std::span<const std::byte> plain);

/// Upper bound of decoder::memory for such blocks.
std::uint64_t block_decoding_memory(std::uint64_t plain_bytes) noexcept;

}  // namespace delta
}  // namespace lmzip::codec
