#pragma once

#include <cstdint>

#include "model/row_mixture.h"

namespace lmzip::codec::tokens {

/// The rows of step nodes after the last token: a hash table of slots in pairs. A slot's tag is a
/// check of its key and how often it was used, up to most_uses.
class slot_table {
 public:
  using row = model::distribution_row;
  static constexpr std::uint32_t most_uses = 15;

  struct place {
    row* slot;
    std::uint32_t check;  ///< its tag with a count of 0
    std::uint32_t count;  ///< how often it was used; 0: it is for another node so far

    /// Its tag once it is used again.
    std::uint16_t next_tag() const noexcept {
      return static_cast<std::uint16_t>(check + (count < most_uses ? count + 1 : most_uses));
    }
  };

  slot_table() = default;
  /// `slots` has 2^log2_size zeroed rows, at least two.
  slot_table(row* slots, unsigned log2_size) noexcept : slots_(slots), shift_(32 - log2_size) {}

  void prefetch(std::uint32_t last, std::uint32_t node) const noexcept {
    __builtin_prefetch(slots_ + index(hash(last, node)));
  }

  /// The slot of a node after a token. The less used of two places is given up for a new one.
  place find(std::uint32_t last, std::uint32_t node) const noexcept {
    const std::uint32_t h = hash(last, node);
    const std::uint32_t check = (h ^ h >> 16) << 4 & 0xffff;
    row& first = slots_[index(h)];
    row& second = slots_[index(h) ^ 1];
    // What is more than a count belongs to another check.
    const auto holds = [check](const row& r) { return r.tag - check - 1U < most_uses; };
    if (holds(first)) return {&first, check, first.tag - check};
    if (holds(second)) return {&second, check, second.tag - check};
    const bool second_less = (second.tag & most_uses) < (first.tag & most_uses);
    return {second_less ? &second : &first, check, 0};
  }

 private:
  static std::uint32_t hash(std::uint32_t last, std::uint32_t node) noexcept {
    return (last + 1) * 0x2F0B4C47U + node * 0x3C6EF372U;
  }
  std::uint32_t index(std::uint32_t h) const noexcept { return h * 0x9E3779B1U >> shift_; }

  row* slots_ = nullptr;
  unsigned shift_ = 31;
};

}  // namespace lmzip::codec::tokens
