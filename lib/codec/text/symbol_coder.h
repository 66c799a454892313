#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/alphabet.h"
#include "model/parameters.h"
#include "model/symbol_distribution.h"

namespace lmzip::codec::text {

/// What encoder and decoder of a block have in common.
struct coding_setup {
  const model::alphabet* symbols = nullptr;
  std::span<const std::byte> parameters;  ///< image of the strength's layout
  unsigned log2_lines = 0;                ///< min_log2_lines … max_log2_lines of the strength
  std::uint64_t plain_bytes = 0;          ///< of the block; no more symbols than that
  model::symbol_distribution* external = nullptr;  ///< one more predictor, or nullptr
};

inline constexpr unsigned min_log2_lines = 8;

/// The predictor at one strength, for one kind of symbols. A table of functions: one for each
/// strength and instruction set, all of the same strength giving equal results.
struct symbol_coder {
  model::predictor_shape shape;
  unsigned max_log2_lines;

  std::uint64_t (*memory)(const coding_setup& setup);

  /// Codes a sequence of leaves.
  std::vector<std::byte> (*encode)(const coding_setup& setup,
                                   std::span<const std::uint16_t> leaves);

  /// Decodes symbols until their bytes fill `plain`. Throws error(damaged) if they do not fit or
  /// coded bytes are left over.
  void (*decode)(const coding_setup& setup, std::span<const std::byte> coded,
                 std::span<std::byte> plain);

  /// Codes a sequence of leaves and overwrites `learned` by the parameters as they are then.
  void (*train)(const coding_setup& setup, std::span<const std::uint16_t> leaves,
                std::span<std::byte> learned);
};

/// The coders on the active instruction set (core/cpu.h).
const symbol_coder& token_coder();
const symbol_coder& byte_coder();

namespace scalar {
extern const symbol_coder tokens, bytes;
}
#if defined(__x86_64__)
namespace avx2 {
extern const symbol_coder tokens, bytes;
}
namespace avx512 {
extern const symbol_coder tokens, bytes;
}
#endif

}  // namespace lmzip::codec::text
