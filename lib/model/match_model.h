#pragma once

#include <algorithm>
#include <cstdint>

#include "model/hashing.h"
#include "model/logistic.h"

namespace lmzip::model {

/// Finds where the last symbols occurred before and expects the symbol that followed there. After
/// a wrong guess it stays at its place for some symbols more ("recovery").
class match_model {
 public:
  static constexpr std::uint32_t no_symbol = 0xffffffff;
  static constexpr int max_length = 32;
  static constexpr int max_misses = 7;
  /// Adaptive probabilities that the expected decision is right, by length, misses and place.
  static constexpr int length_buckets = 20;
  static constexpr int miss_buckets = 4;
  static constexpr int places = 8;  ///< four classes of depth, then guess flag: expected or not
  static constexpr int map_size = length_buckets * miss_buckets * places;

  match_model() = default;

  /// `table` has 2^log2_size zeros; `map` has map_size probabilities.
  match_model(std::uint32_t* table, unsigned log2_size, int context_symbols, std::uint16_t* map)
      : table_(table), shift_(64 - log2_size), context_symbols_(context_symbols), map_(map) {}

  /// Brings the entry that find() needs into the cache. `history` holds `count` symbols.
  void prefetch(const std::uint16_t* history, std::uint32_t count) noexcept {
    std::uint64_t hash = 0;
    for (int back = 1; back <= context_symbols_; ++back)
      hash = hash_step(hash, history[count - static_cast<std::uint32_t>(back)]);
    entry_ = table_ + (hash_finish(hash) >> shift_);
    __builtin_prefetch(entry_);
  }

  /// Starts on the next symbol, after prefetch(). The first `margin` symbols are no text.
  void find(const std::uint16_t* history, std::uint32_t count, std::uint32_t margin) noexcept {
    if ((!following_ || length_ < 16) && *entry_ != 0) adopt(history, *entry_, count, margin);
    *entry_ = count;
    expected_ = following_ ? history[place_] : no_symbol;
  }

  /// The symbol that is expected next, as long as no decision ruled it out; else no_symbol.
  std::uint32_t expected() const noexcept { return expected_; }
  bool active() const noexcept { return expected_ != no_symbol; }
  int length() const noexcept { return length_; }

  /// Mixer input for a decision whose expected outcome is `bit` (call only while active).
  int input(bool bit, int place) noexcept {
    const int bucket = length_ < 16   ? length_
                       : length_ < 24 ? 16 + (length_ - 16) / 4
                       : length_ < 32 ? 18
                                      : 19;
    used_ = map_ + (bucket * miss_buckets + std::min(misses_, miss_buckets - 1)) * places + place;
    const int confidence = stretch(*used_);
    return bit ? confidence : -confidence;
  }

  /// Learns from the decision that the last input() was for; `right` if it came as expected.
  void learn(bool right) noexcept { adapt(*used_, right, 7); }

  void rule_out() noexcept { expected_ = no_symbol; }

  /// Moves on behind the coded symbol.
  void advance(const std::uint16_t* history, std::uint16_t symbol) noexcept {
    if (!following_) return;
    if (history[place_] == symbol) {
      length_ = std::min(length_ + 1, max_length);
      if (length_ > 8) misses_ = 0;
    } else {
      length_ = 0;
      if (++misses_ > max_misses) following_ = false;
    }
    ++place_;
  }

  /// How sure the match is: 0 none … 4 long.
  int confidence_class() const noexcept {
    if (!active()) return 0;
    return length_ >= 32 ? 4 : length_ >= 12 ? 3 : length_ > 0 ? 2 : 1;
  }

 private:
  void adopt(const std::uint16_t* history, std::uint32_t candidate, std::uint32_t count,
             std::uint32_t margin) noexcept {
    int length = 0;
    while (length < max_length && candidate > margin + static_cast<std::uint32_t>(length) &&
           history[candidate - 1 - static_cast<std::uint32_t>(length)] ==
               history[count - 1 - static_cast<std::uint32_t>(length)])
      ++length;
    if (length < context_symbols_ - 1 || (following_ && length <= length_)) return;
    place_ = candidate;
    length_ = length;
    misses_ = 0;
    following_ = true;
  }

  std::uint32_t* table_ = nullptr;
  unsigned shift_ = 63;
  int context_symbols_ = 1;
  std::uint16_t* map_ = nullptr;
  std::uint16_t* used_ = nullptr;
  std::uint32_t* entry_ = nullptr;  ///< of the last symbols in the table
  std::uint32_t place_ = 0;         ///< in the history, of the expected symbol
  std::uint32_t expected_ = no_symbol;
  int length_ = 0;  ///< symbols that matched so far, up to max_length
  int misses_ = 0;
  bool following_ = false;
};

}  // namespace lmzip::model
