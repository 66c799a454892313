#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/io/zeroed_memory.h"
#include "model/symbol_distribution.h"

namespace lmzip::model {

/// Which symbols usually follow the last one or two, by the counts of a training text: a trie of
/// two levels, whose histories leave a part of their mass to the next shorter one (F. Jelinek and
/// R. Mercer, "Interpolated estimation of Markov source parameters from sparse data", 1980).
/// Immutable.
///
/// A row holds the likely successors of one history in the order of their leaves. The row of a
/// single symbol is numbered by it; that of two is found at the second one's entry in the row of
/// the first.
class ngram_table {
 public:
  struct row {
    std::uint32_t first = 0;  ///< of its entries
    std::uint16_t count = 0;
    std::uint16_t rest = 0;  ///< mass that its entries leave, in units of 2^-16; never 0
  };

  /// Reads an n-gram section (vocab/SPEC.md) for `symbols` symbols. Throws error: damaged,
  /// truncated.
  static ngram_table parse(std::span<const std::uint8_t> section, std::uint32_t symbols);

  std::uint32_t symbols() const noexcept { return static_cast<std::uint32_t>(below_.size() - 1); }
  const row& row_of(std::uint32_t leaf) const noexcept { return rows_[leaf]; }

  /// The row of a history of two symbols, or nullptr if it has none.
  const row* row_of(std::uint32_t before_last, std::uint32_t last) const noexcept {
    const row& first = rows_[before_last];
    return row_at(first, last, position(first, last, 0, first.count));
  }

  /// The same where position() of `last` in the row of the symbol before it is known.
  const row* row_at(const row& before_last, std::uint32_t last, std::uint32_t at) const noexcept;

  struct entry {
    std::uint32_t choice;
    std::uint32_t mass;  ///< in units of 2^-16
  };

  /// Calls `visit` with each entry of a row in order.
  template <class Visitor>
  void for_each_entry(const row& history, const Visitor& visit) const {
    std::uint32_t below = 0;
    for (std::uint32_t i = history.first; i < history.first + history.count; ++i) {
      visit(entry{entries_[i].choice, entries_[i].sum - below});
      below = entries_[i].sum;
    }
  }

  /// The choice of one of a row's entries.
  std::uint32_t choice(const row& history, std::uint32_t position) const noexcept {
    return entries_[history.first + position].choice;
  }

  /// Number of the entry at or after `choice` in entries [first, last) of a row. Choices are leaves
  /// in the row of a single symbol, and numbers of entries in the last symbol's row in that of two.
  std::uint32_t position(const row& history, std::uint32_t choice, std::uint32_t first,
                         std::uint32_t last) const noexcept {
    const stored_entry* const entries = entries_ + history.first;
    const stored_entry* at = entries + first;
    std::uint32_t count = last - first;
    while (count > 1) {  // without branches that could be mispredicted
      const std::uint32_t half = count / 2;
      at += at[half - 1].choice < choice ? half : 0;
      count -= half;
    }
    at += count == 1 && at->choice < choice ? 1 : 0;
    return static_cast<std::uint32_t>(at - entries);
  }

  static constexpr std::uint32_t total = std::uint32_t{1} << 31;

  /// Sum of the masses of all leaves below `leaf` <= symbols(), of `total`, without a history.
  std::uint32_t mass_below(std::uint32_t leaf) const noexcept { return below_[leaf]; }

  /// The same with a history, up to the entry at `position`, where the next shorter history gives
  /// `lower`.
  std::uint32_t mass_below(const row& history, std::uint32_t position,
                           std::uint32_t lower) const noexcept {
    const std::uint32_t entries = position == 0 ? 0 : entries_[history.first + position - 1].sum;
    return (entries << 15) + static_cast<std::uint32_t>(std::uint64_t{lower} * history.rest >> 16);
  }

  void prefetch(const row& history) const noexcept;

 private:
  friend class ngram_reader;

  /// Side by side, since who has found a choice needs the sum.
  struct stored_entry {
    std::uint16_t choice;  ///< ascending in a row
    std::uint16_t sum;     ///< masses of the row up to and with this entry, in units of 2^-16
  };

  /// Makes room. The largest arrays lie in one piece of memory, for the sake of huge pages.
  void reserve(std::size_t entries, std::size_t rows);

  std::vector<std::uint32_t> below_;  ///< by leaf; one more for the total
  std::unique_ptr<io::zeroed_memory> memory_;
  row* rows_ = nullptr;  ///< of single symbols by leaf, then those of two
  stored_entry* entries_ = nullptr;
  std::vector<std::uint64_t> has_row_;      ///< bit by entry of a single symbol's row
  std::vector<std::uint32_t> rows_before_;  ///< bits set before each word of has_row_
};

/// The distribution of the coming symbol by a table, which outlives it.
class ngram_distribution final : public symbol_distribution {
 public:
  explicit ngram_distribution(const ngram_table& table) noexcept : table_(&table) {}

  std::uint64_t total() override { return ngram_table::total; }
  std::uint64_t mass_below(std::uint32_t leaf) override;
  void keep(bool above) override;
  void advance(std::uint32_t leaf) override;

 private:
  /// The row of a history and the entries of it that are left.
  struct level {
    const ngram_table::row* row = nullptr;
    std::uint32_t first = 0, last = 0;
    std::uint32_t at = 0;  ///< where the last search ended

    void reset(const ngram_table::row* to) noexcept;
    void keep(bool above) noexcept { (above ? first : last) = at; }
  };

  const ngram_table* table_;
  level one_;  ///< of the last symbol
  level two_;  ///< of the last two
};

}  // namespace lmzip::model
