#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "model/alphabet.h"
#include "model/hashing.h"

namespace lmzip::model {

/// What the next symbol may depend on. `last` is the symbol before it, `last2` the two before it
/// and so on; the others are named in context_tracker::hash.
enum class context : std::uint8_t {
  last,
  last2,
  last3,
  last4,
  last5,
  last6,
  before_last,
  before_last2,
  before_last3,
  last_and_third,
  third_and_fourth,
  fourth_and_eighth,
  first_fourth_eighth,
  word,
  word_pair,
  previous_word_and_last,
  word_and_line_start,
  line_start_and_field,
  above,
  above_and_column,
  above_and_last,
  record_above,
  record_above_and_last,
  record_above_and_last2,
  record_above_two,
  record_column_and_last,
  record_column,
};

/// Follows the coded symbols and names the contexts of the next one: words across symbols, the
/// field and column in a line of text, the symbol above in the line before, and the same within
/// fixed-size records. The history is owned by the caller: `end` points past the last symbol and
/// at least history_margin symbols (zeros at the start) stand before it.
class context_tracker {
 public:
  static constexpr std::uint32_t history_margin = 16;

  explicit context_tracker(const alphabet& symbols) : symbols_(&symbols) {}

  /// Hash of one context; contexts differ from each other by their own number.
  template <context Which>
  std::uint64_t hash(const std::uint16_t* end) const noexcept;

  /// Takes note of the symbol that was just appended to the history. `count` symbols precede
  /// `end`.
  template <bool Lines, bool Records>
  void advance(const std::uint16_t* end, std::uint64_t count) noexcept {
    const symbol_facts& facts = symbols_->facts(end[-1]);
    follow_word(facts);
    if constexpr (Lines) follow_line(end[-1], facts);
    if constexpr (Records) {
      if (count % record_interval == 0) find_record_length(end, count);
      if (++record_position_ >= record_length_) record_position_ = 0;
      record_start_reached_ = count >= 2 * record_length_;
    }
  }

  /// Number of non-letter symbols so far in this line.
  std::uint32_t field() const noexcept { return field_; }
  std::uint32_t record_position() const noexcept { return record_position_; }

 private:
  static constexpr std::uint32_t max_column = 4096;
  static constexpr std::uint32_t max_record = 1024;
  static constexpr std::uint32_t record_interval = 4096;
  static constexpr std::uint32_t default_record = 4;

  void follow_word(const symbol_facts& facts) noexcept {
    if (facts.word == word_part::all) {
      word_ = word_step(word_ + facts.word_hash, 0);
      return;
    }
    if (word_ != 0) previous_word_ = word_;
    word_ = facts.word_hash;
    if (facts.word == word_part::none) ++field_;
  }

  void follow_line(std::uint16_t leaf, const symbol_facts& facts) noexcept {
    const auto fill = [this, leaf](std::uint32_t bytes) {
      const std::uint32_t end = std::min(column_ + bytes, max_column);
      for (std::uint32_t c = column_; c < end; ++c) line_[c] = leaf;
      column_ = end;
    };
    if (facts.after_newline < 0) {
      fill(facts.length);
      if (line_start_ == 0) line_start_ = leaf + 1U;
      return;
    }
    const auto after = static_cast<std::uint32_t>(facts.after_newline);
    fill(facts.length - after);
    for (std::uint32_t c = column_; c < line_length_; ++c) line_[c] = 0;
    std::swap(line_, above_);
    line_length_ = column_;
    column_ = 0;
    field_ = 0;
    line_start_ = 0;
    fill(after);
  }

  void find_record_length(const std::uint16_t* end, std::uint64_t count) noexcept;

  std::uint16_t symbol_above() const noexcept { return above_[std::min(column_, max_column - 1)]; }
  std::uint16_t symbol_in_record(const std::uint16_t* end, std::uint32_t records) const noexcept {
    return record_start_reached_ ? *(end - records * record_length_) : std::uint16_t{0};
  }

  const alphabet* symbols_;
  std::uint32_t word_ = 0;
  std::uint32_t previous_word_ = 0;
  std::uint32_t field_ = 0;
  std::uint32_t line_start_ = 0;  ///< first symbol of the line + 1
  std::uint32_t column_ = 0;
  std::uint32_t line_length_ = 0;  ///< of the line above
  std::uint32_t record_length_ = default_record;
  std::uint32_t record_position_ = 0;
  bool record_start_reached_ = false;
  std::array<std::uint16_t, max_column> lines_[2]{};
  std::uint16_t* line_ = lines_[0].data();
  std::uint16_t* above_ = lines_[1].data();
};

template <context Which>
std::uint64_t context_tracker::hash(const std::uint16_t* end) const noexcept {
  const auto of = [](auto... values) {
    std::uint64_t h = static_cast<std::uint64_t>(Which) + 1;
    ((h = hash_step(h, values)), ...);
    return h;
  };
  // Symbols have 14 bits, so four of them fit one step.
  const auto pack = [end](auto... distances) {
    std::uint64_t packed = 0;
    ((packed = packed << 16 | end[-distances]), ...);
    return packed;
  };
  using enum context;
  if constexpr (Which == last) return of(pack(1));
  if constexpr (Which == last2) return of(pack(1, 2));
  if constexpr (Which == last3) return of(pack(1, 2, 3));
  if constexpr (Which == last4) return of(pack(1, 2, 3, 4));
  if constexpr (Which == last5) return of(pack(1, 2, 3, 4), pack(5));
  if constexpr (Which == last6) return of(pack(1, 2, 3, 4), pack(5, 6));
  if constexpr (Which == before_last) return of(pack(2));
  if constexpr (Which == before_last2) return of(pack(2, 3));
  if constexpr (Which == before_last3) return of(pack(2, 3, 4));
  if constexpr (Which == last_and_third) return of(pack(1, 3));
  if constexpr (Which == third_and_fourth) return of(pack(3, 4));
  if constexpr (Which == fourth_and_eighth) return of(pack(4, 8));
  if constexpr (Which == first_fourth_eighth) return of(pack(1, 4, 8));
  if constexpr (Which == word) return of(word_);
  if constexpr (Which == word_pair) return of(word_, previous_word_);
  if constexpr (Which == previous_word_and_last) return of(previous_word_, pack(1));
  if constexpr (Which == word_and_line_start) return of(word_, line_start_);
  if constexpr (Which == line_start_and_field)
    return of(line_start_, std::uint64_t{field_} << 8 | symbols_->facts(end[-1]).kind);
  if constexpr (Which == above) return of(symbol_above());
  if constexpr (Which == above_and_column) return of(std::uint64_t{symbol_above()} << 32 | column_);
  if constexpr (Which == above_and_last) return of(std::uint64_t{symbol_above()} << 16 | end[-1]);
  const auto up = [this, end](std::uint32_t records) {
    return std::uint64_t{symbol_in_record(end, records)};
  };
  if constexpr (Which == record_above) return of(up(1));
  if constexpr (Which == record_above_and_last) return of(up(1) << 16 | end[-1]);
  if constexpr (Which == record_above_and_last2) return of(up(1) << 32 | pack(1, 2));
  if constexpr (Which == record_above_two) return of(up(1) << 16 | up(2));
  if constexpr (Which == record_column_and_last) return of(up(1) << 16 | end[-1], record_position_);
  if constexpr (Which == record_column) return of(up(1), record_position_);
}

}  // namespace lmzip::model
