#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/ratio/key_contexts.h"
#include "codec/ratio/lane_stream.h"
#include "core/cursor.h"
#include "entropy/lane_rans_model.h"

namespace lmzip::codec::ratio {

/// Numbers that are left out together if all are 0.
inline constexpr std::size_t zero_group = 256;

constexpr std::size_t map_bytes(std::size_t elements) noexcept {
  return ((elements + zero_group - 1) / zero_group + 7) / 8;
}

/// More lower bytes would leave nothing of a number of 64 bits.
inline constexpr unsigned max_low_bytes = 6;

/// How a magnitude stream is coded.
struct magnitude_plan {
  lane_setup setup{lane_unit, 10};
  unsigned low_bytes = 0;    ///< kept as they are
  bool zero_groups = false;  ///< groups of zeros are left out
  key_contexts contexts;
  std::vector<std::uint32_t> counts;  ///< of symbols of a sample by context; the encoder's only
  unsigned escape_bits = 32;

  lane_rans_model::shape alphabet() const noexcept;
  lane_rans_model fit_model() const;

  /// Reads what append_to() wrote; throws error(damaged) or error(truncated).
  static magnitude_plan read(cursor& in);
  void append_to(std::vector<std::byte>& bytes) const;
};

/// What a sample tells.
class magnitude_statistics {
 public:
  magnitude_statistics();

  /// Counts a number of so many bits.
  void add_width(unsigned bits) noexcept { ++widths_[bits]; }

  /// The most lower bytes of numbers of `number_bits` that are hardly ever less than random.
  unsigned best_low_bytes(unsigned number_bits) const noexcept;

  /// Counts symbols by key.
  void add_group(const std::uint8_t* symbols, const std::uint8_t* keys, std::size_t count,
                 bool zeros) noexcept;

  /// The best plan for so many elements.
  magnitude_plan plan(std::size_t elements, unsigned low_bytes, unsigned number_bits) const;

  /// Bits (2^-16) of what was counted, coded by the best plan as a part of much more.
  std::uint64_t cost(unsigned low_bytes) const;

 private:
  static constexpr std::size_t symbols = 72;  ///< of a key; magnitude_symbols and padding

  std::span<const std::uint32_t> of_key(std::size_t key) const noexcept {
    return std::span(counts_).subspan(key * symbols, symbols);
  }

  std::array<std::uint32_t, 65> widths_{};
  std::vector<std::uint32_t> counts_;  ///< by key
  std::vector<std::uint32_t> zeros_;   ///< numbers in groups of zeros, by key
  std::size_t elements_ = 0;
  std::size_t zero_elements_ = 0;
};

}  // namespace lmzip::codec::ratio
