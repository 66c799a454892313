#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vocab/format.h"

namespace lmzip::vocab {

/// The merges of a byte-pair encoding: which two tokens make which token. A hash table with open
/// addressing. Reading is safe from several threads.
class merge_table {
 public:
  merge_table() : slots_(slot_count) {}

  /// Declares that `left` and `right` make `merged`, which must be at least 256. The pair must be
  /// new; at most max_tokens pairs.
  void add(token_id left, token_id right, token_id merged) noexcept;

  /// The token that `left` and `right` make, or 0 if they are not merged.
  token_id find(token_id left, token_id right) const noexcept {
    const std::uint32_t pair = pair_of(left, right);
    for (std::size_t at = home_of(pair);; at = (at + 1) % slot_count) {
      const slot& s = slots_[at];
      if (s.merged == 0 || s.pair == pair) return s.merged;
    }
  }

  /// Encodes 1 ... max_token_bytes bytes: as long as neighbours can be merged, the merge of the
  /// lowest rank is made, leftmost first. `tokens` has room for one token a byte. Returns their
  /// number. Time is bounded by the square of the length.
  std::size_t encode(std::span<const std::uint8_t> bytes, token_id* tokens) const noexcept;

 private:
  struct slot {
    std::uint32_t pair = 0;
    token_id merged = 0;
  };
  // Half full at most, and small enough for a second-level cache.
  static constexpr std::size_t slot_count = 2 * max_tokens;

  static std::uint32_t pair_of(token_id left, token_id right) noexcept {
    return std::uint32_t{left} << 16 | right;
  }
  static std::size_t home_of(std::uint32_t pair) noexcept { return pair * 0x9e3779b1u >> 17; }
  static_assert(slot_count == 1u << 15);

  std::vector<slot> slots_;
};

}  // namespace lmzip::vocab
