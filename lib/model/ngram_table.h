#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
  const row* row_of(std::uint32_t before_last, std::uint32_t last) const noexcept;

  /// Number of the entry at or after `choice`, which is a leaf for the row of a single symbol, and
  /// the number of an entry of the last symbol's row for that of two.
  std::uint32_t position(const row& history, std::uint32_t choice) const noexcept;

  /// Sum of the masses of all leaves below `leaf` <= symbols(), in units of 2^-31, without a
  /// history.
  std::uint32_t mass_below(std::uint32_t leaf) const noexcept { return below_[leaf]; }

  /// The same with a history, up to the entry at `position`, where the next shorter history gives
  /// `lower`.
  std::uint32_t mass_below(const row& history, std::uint32_t position,
                           std::uint32_t lower) const noexcept {
    const std::uint32_t entries = position == 0 ? 0 : sums_[history.first + position - 1];
    return (entries << 15) + static_cast<std::uint32_t>(std::uint64_t{lower} * history.rest >> 16);
  }

  void prefetch(const row& history) const noexcept;

 private:
  friend class ngram_reader;

  std::vector<std::uint32_t> below_;        ///< by leaf; one more for the total
  std::vector<row> rows_;                   ///< of single symbols by leaf, then those of two
  std::vector<std::uint16_t> choices_;      ///< of the entries, ascending in a row
  std::vector<std::uint16_t> sums_;         ///< masses of a row up to and with the entry, 2^-16
  std::vector<std::uint64_t> has_row_;      ///< bit by entry of a single symbol's row
  std::vector<std::uint32_t> rows_before_;  ///< bits set before each word of has_row_
};

/// The distribution of the coming symbol by a table, which outlives it.
class ngram_distribution final : public symbol_distribution {
 public:
  explicit ngram_distribution(const ngram_table& table) noexcept : table_(&table) {}

  std::uint64_t mass_below(std::uint32_t leaf) const override;
  void advance(std::uint32_t leaf) override;

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  const ngram_table* table_;
  std::uint32_t last_ = none;
  const ngram_table::row* one_ = nullptr;  ///< of the last symbol
  const ngram_table::row* two_ = nullptr;  ///< of the last two
};

}  // namespace lmzip::model
