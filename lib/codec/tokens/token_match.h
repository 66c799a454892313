#pragma once

#include <algorithm>
#include <cstdint>

namespace lmzip::codec::tokens {

/// Expects the token that came after the last occurrence of the tokens before. After a wrong
/// expectation it goes on at its place for some tokens more. A small table knows every token of the
/// near past; a second one only one token of 16, but far more of the block.
class token_match {
 public:
  static constexpr int longest = 70;
  static constexpr int max_misses = 7;

  token_match() = default;

  /// `table` has 2^log2_size zeros, `far_table` 2^log2_far_size. `history` are the tokens of the
  /// block.
  token_match(std::uint32_t* table, unsigned log2_size, std::uint32_t* far_table,
              unsigned log2_far_size, const std::uint16_t* history) noexcept
      : table_(table),
        shift_(32 - log2_size),
        far_table_(far_table),
        far_shift_(64 - sampling_bits - log2_far_size),
        history_(history) {}

  bool active() const noexcept { return place_ != 0; }
  std::uint16_t expected() const noexcept { return history_[place_]; }
  int length() const noexcept { return length_; }
  int misses() const noexcept { return misses_; }

  /// Looks for a place if there is none; `count` tokens came so far.
  void find(std::uint32_t count) noexcept {
    if (place_ != 0 && misses_ <= max_misses) return;
    place_ = 0;
    const std::uint32_t entry = table_[slot_];
    if (entry == 0 || entry >> position_bits != hash_ >> position_bits) return;
    try_place(entry & position_mask, count, least_length);
  }

  /// Goes on after `token`, number `count` from 0, that came after `before`. The table is one token
  /// late, so that its line has time to come, and the far one knows only tokens before.
  void advance(std::uint16_t token, std::uint16_t before, std::uint32_t count) noexcept {
    if (far_hash_ >> (64 - sampling_bits) == 0) sample(count);
    if (place_ != 0) {
      if (history_[place_] == token) {
        length_ = std::min(length_ + 1, longest);
        if (length_ >= forgiven_after) misses_ = 0;
      } else {
        length_ = 0;
        ++misses_;
      }
      ++place_;
    }
    table_[slot_] = count > position_mask ? 0 : count | hash_ >> position_bits << position_bits;
    far_hash_ = far_hash_ * (11U << 4) + (token + 1U) * 0x9E3779B97F4A7C15U;
    // A token leaves the hashes by shifts, 5 and 4 bits a step.
    hash_ = hash_ * (5U << 5) + (before + 1U) * 0x2F0B4C47U;
    slot_ = (hash_ * 0x9E3779B1U) >> shift_;
    __builtin_prefetch(table_ + slot_);
  }

 private:
  /// Takes a place if at least so many tokens before it are those before token `count`.
  void try_place(std::uint32_t candidate, std::uint32_t count, std::uint32_t least) noexcept {
    const std::uint32_t most = std::min({compared, candidate, count});
    std::uint32_t length = 0;
    while (length < most && history_[candidate - 1 - length] == history_[count - 1 - length])
      ++length;
    if (length < least) return;
    place_ = candidate;
    length_ = static_cast<int>(length);
    misses_ = 0;
  }

  /// Looks up the tokens before token `count` in the far table and enters its place.
  void sample(std::uint32_t count) noexcept {
    std::uint32_t& entry = far_table_[far_hash_ >> far_shift_];
    const std::uint32_t candidate = entry;
    entry = count;
    if (candidate != 0 && (place_ == 0 || length_ < least_far_length))
      try_place(candidate, count, static_cast<std::uint32_t>(least_far_length));
  }

  static constexpr unsigned sampling_bits = 4;
  static constexpr int least_far_length = 16;
  static constexpr unsigned position_bits = 24;
  static constexpr std::uint32_t position_mask = (1U << position_bits) - 1;
  static constexpr std::uint32_t compared = 16;
  static constexpr std::uint32_t least_length = 4;
  static constexpr int forgiven_after = 8;

  std::uint32_t* table_ = nullptr;
  unsigned shift_ = 31;
  std::uint32_t* far_table_ = nullptr;
  unsigned far_shift_ = 0;
  const std::uint16_t* history_ = nullptr;
  std::uint64_t far_hash_ = 0;
  std::uint32_t hash_ = 0;
  std::uint32_t slot_ = 0;
  std::uint32_t place_ = 0;  ///< of the expected token; 0: none
  int length_ = 0;
  int misses_ = 0;
};

}  // namespace lmzip::codec::tokens
