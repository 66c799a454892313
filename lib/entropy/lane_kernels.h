#pragma once

#include <cstddef>
#include <cstdint>

#include "entropy/lane_huffman.h"

namespace lmzip {

/// The inner loops of lane_decoder and lane_encoder for one instruction set and number of lanes.
/// All give equal results.
struct lane_kernels {
  /// Decodes up to `groups` groups, escapes left as escape_value, while `word` is not past `last`
  /// at the start of one. Returns how many. Reads up to 320 bytes from there on.
  std::size_t (*decode)(const lane_decoding_tables& tables, lane_states& states,
                        const std::uint8_t*& word, const std::uint8_t* last, std::uint8_t* values,
                        std::size_t groups) noexcept;

  /// Puts the escapes in their places. False if there are too few. `count` is a multiple of 16
  /// in few lanes, of 64 in many.
  bool (*resolve)(std::uint8_t escape_value, std::uint8_t* values, std::size_t count,
                  const std::uint8_t*& escape, const std::uint8_t* escapes_end) noexcept;

  /// Encodes groups, the last first; writes below `word` and `escape`.
  void (*encode)(const lane_encoding_tables& tables, lane_states& states,
                 const std::uint8_t* values, std::size_t groups, std::uint8_t*& word,
                 std::uint8_t*& escape) noexcept;

  /// Whether decode() looks up pairs in the tables.
  bool needs_pairs;
};

namespace lanes_scalar {
extern const lane_kernels many;
extern const lane_kernels few;
}  // namespace lanes_scalar

#if defined(__x86_64__)
namespace lanes_avx2 {
extern const lane_kernels many;
}  // namespace lanes_avx2
namespace lanes_avx512 {  // where active_has_byte_permutes() (core/cpu.h)
extern const lane_kernels many;
}  // namespace lanes_avx512
#endif

}  // namespace lmzip
