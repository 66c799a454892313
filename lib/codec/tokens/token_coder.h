#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/tokens/token_setup.h"

namespace lmzip::codec::tokens {

/// The coder of token sequences. A table of functions, one for each instruction set; all give
/// equal results.
struct token_coder {
  /// Codes a sequence of leaves.
  std::vector<std::byte> (*encode)(const token_setup& setup, std::span<const std::uint16_t> leaves);

  /// Decodes tokens until their bytes fill `plain`. Throws error(damaged) if they do not fit, or
  /// the code ends elsewhere.
  void (*decode)(const token_setup& setup, std::span<const std::byte> coded,
                 std::span<std::byte> plain);

  /// Codes a sequence of leaves, overwrites `learned` by the values as they are then, and returns
  /// the size of the code.
  std::size_t (*train)(const token_setup& setup, std::span<const std::uint16_t> leaves,
                       std::span<std::byte> learned);
};

/// Memory that encode() and decode() need besides input, output and, for encode(), the leaves.
std::uint64_t encoder_memory(const token_setup& setup, std::uint64_t tokens);
std::uint64_t decoder_memory(const token_setup& setup, std::uint64_t plain_bytes);

/// The coder on the active instruction set (core/cpu.h).
const token_coder& active_token_coder();

namespace scalar {
extern const token_coder coder;
}
#if defined(__x86_64__)
namespace avx2 {
extern const token_coder coder;
}
#endif

}  // namespace lmzip::codec::tokens
