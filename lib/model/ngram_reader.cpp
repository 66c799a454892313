#include <algorithm>
#include <bit>

#include "core/cursor.h"
#include "lmzip/error.h"
#include "model/ngram_format.h"
#include "model/ngram_table.h"

namespace lmzip::model {
namespace {

[[noreturn]] void fail() { throw error(errc::damaged, "the n-gram table is corrupt"); }

}  // namespace

/// Builds a table from its section.
class ngram_reader {
 public:
  ngram_reader(std::span<const std::uint8_t> section, std::uint32_t symbols)
      : in_(std::as_bytes(section)), symbols_(symbols) {}

  ngram_table read() {
    const std::uint32_t pairs = in_.u32();
    const std::uint32_t histories = in_.u32();
    const std::uint32_t triples = in_.u32();
    if (in_.u32() != symbols_) fail();
    const std::size_t entries = std::size_t{pairs} + triples;
    const std::size_t rows = std::size_t{symbols_} + histories;
    if (entries > in_.remaining() || rows > in_.remaining()) fail();
    table_.reserve(entries, rows);
    read_single_symbols();
    read_rows(std::vector<std::uint32_t>(symbols_, symbols_), pairs);
    read_rows(choices_of_histories(pairs, histories), triples);
    if (in_.remaining() != 0) fail();
    return std::move(table_);
  }

 private:
  std::span<const std::uint8_t> values(std::size_t count) {
    const auto bytes = in_.bytes(count);
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  }

  /// Numbers of two bytes: the low bytes of all, then the high ones.
  class wide_values {
   public:
    wide_values(ngram_reader& from, std::size_t count)
        : low_(from.values(count)), high_(from.values(count)) {}
    std::uint32_t operator[](std::size_t i) const { return low_[i] | std::uint32_t{high_[i]} << 8; }

   private:
    std::span<const std::uint8_t> low_, high_;
  };

  void read_single_symbols() {
    const auto levels = values(symbols_);
    std::uint64_t total = 0;
    for (const std::uint8_t level : levels) total += share(level);
    if (total < ngram_share(0)) fail();
    table_.below_.reserve(symbols_ + 1);
    // Shares have 41 bits at most and the sum 55, so that these 24 bits more leave no overflow.
    std::uint64_t below = 0;
    for (const std::uint8_t level : levels) {
      // The divisor is rounded down, so that the last sums could pass the total.
      table_.below_.push_back(static_cast<std::uint32_t>(
          std::min<std::uint64_t>((below << 8) / (total >> 23), ngram_table::total)));
      below += share(level);
    }
    table_.below_.push_back(ngram_table::total);
  }

  static std::uint64_t share(std::uint32_t level) {
    if (level > max_ngram_level) fail();
    return ngram_share(level);
  }

  /// The rows of the second level belong to entries of the first; each has the successors of the
  /// entry's symbol to choose from. Returns their numbers.
  std::vector<std::uint32_t> choices_of_histories(std::uint32_t pairs, std::uint32_t histories) {
    const auto bits = values((std::size_t{pairs} + 7) / 8);
    table_.has_row_.resize((std::size_t{pairs} + 63) / 64);
    std::vector<std::uint32_t> choices;
    choices.reserve(histories);
    for (std::size_t i = 0; i < bits.size(); ++i)
      table_.has_row_[i / 8] |= std::uint64_t{bits[i]} << (i % 8 * 8);
    if (pairs % 64 != 0) table_.has_row_.back() &= (std::uint64_t{1} << (pairs % 64)) - 1;
    std::uint32_t before = 0;
    for (std::size_t w = 0; w < table_.has_row_.size(); ++w) {
      table_.rows_before_.push_back(before);
      for (std::uint64_t left = table_.has_row_[w]; left != 0; left &= left - 1, ++before) {
        const std::size_t entry = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
        choices.push_back(table_.rows_[table_.entries_[entry].choice].count);
      }
    }
    if (before != histories) fail();
    return choices;
  }

  /// Rows that have `choices[r]` successors to choose from.
  void read_rows(const std::vector<std::uint32_t>& choices, std::uint32_t entries) {
    const std::size_t rows = choices.size();
    const wide_values counts(*this, rows);
    const auto levels = values(rows);
    const wide_values gaps(*this, entries);
    const auto octaves = values(entries);
    const std::size_t first = entries_read_;
    entries_read_ += entries;
    std::size_t at = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::uint32_t count = counts[r];
      if (count > entries - at) fail();
      std::uint32_t choice = 0;
      ngram_table::stored_entry* out = table_.entries_ + first + at;
      for (std::uint32_t i = 0; i < count; ++i, ++choice) {
        choice += gaps[at + i];
        if (choice >= choices[r]) fail();
        out[i].choice = static_cast<std::uint16_t>(choice);
      }
      const auto rest = set_masses(first + at, octaves.subspan(at, count), levels[r]);
      table_.rows_[rows_read_++] = {static_cast<std::uint32_t>(first + at),
                                    static_cast<std::uint16_t>(count), rest};
      at += count;
    }
    if (at != entries) fail();
  }

  /// Shares out the mass of a row's entries; returns the rest.
  std::uint16_t set_masses(std::size_t first, std::span<const std::uint8_t> octaves,
                           std::uint32_t level) {
    if (octaves.empty()) return 0xffff;
    const std::uint64_t part =
        level >= small_part ? share(level - small_part) >> 24 : 65536 - (share(level) >> 24);
    if (octaves.size() == 1) {  // as most histories of two symbols have it
      table_.entries_[first].sum =
          static_cast<std::uint16_t>(std::clamp<std::uint64_t>(part, 1, 0xffff));
      return static_cast<std::uint16_t>(65536 - table_.entries_[first].sum);
    }
    std::uint64_t total = 0;
    std::uint32_t lightest = 0;
    for (const std::uint8_t octave : octaves) {
      lightest = std::max<std::uint32_t>(lightest, octave);
      total += std::uint64_t{1} << (max_entry_octave - (octave & max_entry_octave));
    }
    if (lightest > max_entry_octave) fail();
    // Division takes long, and there are a million entries.
    const std::uint64_t unit = (part << (max_entry_octave + 16)) / total;
    std::uint64_t sum = 0;
    ngram_table::stored_entry* out = table_.entries_ + first;
    for (std::size_t i = 0; i < octaves.size(); ++i) {
      sum += std::max<std::uint64_t>(1, unit >> (octaves[i] + 16));
      out[i].sum = static_cast<std::uint16_t>(sum);
    }
    if (sum > 0xffff) fail();
    return static_cast<std::uint16_t>(65536 - sum);
  }

  cursor in_;
  std::uint32_t symbols_;
  std::size_t entries_read_ = 0;
  std::size_t rows_read_ = 0;
  ngram_table table_;
};

ngram_table ngram_table::parse(std::span<const std::uint8_t> section, std::uint32_t symbols) {
  return ngram_reader(section, symbols).read();
}

}  // namespace lmzip::model
