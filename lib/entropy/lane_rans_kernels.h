#pragma once

#include "entropy/lane_rans.h"

namespace lmzip::lane_rans {

// The loops of lane_rans.h on the instruction sets. Units of lanes are worked on whole by the
// vector loops; what they leave (fewer elements, or fewer words than a unit may take) the scalar
// ones do.

/// Words that a unit may take: one for the symbol and one for the raw bits of each lane.
inline constexpr std::size_t unit_words_bytes = std::size_t{2} * 2 * lane_unit;

inline constexpr std::uint32_t lowest_state = std::uint32_t{1} << 15;

/// Where the parts of an entry of lane_decode_table lie.
template <bool Raw>
struct decode_entry {
  static constexpr unsigned frequency_at = 8;
  static constexpr unsigned frequency_bits = Raw ? 10 : 12;
  static constexpr unsigned place_at = frequency_at + frequency_bits;
  static constexpr unsigned place_bits = Raw ? 10 : 12;
  static constexpr unsigned raw_at = 28;
};

/// Where the parts of the upper half of an entry of lane_encode_table lie.
template <bool Raw>
struct encode_entry {
  static constexpr unsigned frequency_bits = 12;
  static constexpr unsigned bias_at = 12;
  static constexpr unsigned bias_bits = Raw ? 12 : 13;
  static constexpr unsigned shift_at = bias_at + bias_bits;
  static constexpr unsigned raw_at = 28;
};

struct decode_position {
  const std::byte* next;
  const std::byte* end;
  std::size_t missing;
};

struct kernels {
  /// Decodes elements [first, …) of `count`, as far as it can, and returns where it stopped.
  /// `first` is a multiple of lane_unit, as is the place it stops at if that is not `count`.
  std::size_t (*decode)(const lane_decode_table& table, lane_states& states, decode_position& at,
                        const lane_elements& elements, std::size_t first, std::size_t count);

  /// Codes elements [0, count), last ones first, as far as it can, and returns how many are left.
  /// Words go before `first`, which is moved.
  std::size_t (*encode)(const lane_encode_table& table, lane_states& states, std::byte*& first,
                        const lane_elements& elements, std::size_t count);
};

namespace scalar {
extern const kernels table;
}
#if defined(__x86_64__)
namespace avx2 {
extern const kernels table;
}
namespace avx512 {
extern const kernels table;
}
#endif

}  // namespace lmzip::lane_rans
