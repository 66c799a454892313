#pragma once

#include <cstddef>
#include <cstdint>

#include "model/candidate_set.h"
#include "model/ngram_table.h"

namespace lmzip::model {

/// The likeliest successors of one and of two symbols by an n-gram table, as candidate lines: what
/// the table knows for the price of two more contexts, where its exact masses would cost a search
/// at every decision. A line depends on nothing but the table; it is made when it is first asked
/// for, and made again if another one took its place. Not thread-safe.
class ngram_candidates {
 public:
  /// Lines that the cache takes for a table of `symbols` symbols, 2^log2_pairs of them for two.
  static constexpr std::size_t lines(std::uint32_t symbols, unsigned log2_pairs) noexcept {
    return symbols + (std::size_t{1} << log2_pairs);
  }
  static constexpr unsigned min_log2_pairs = 13;  ///< the rest of a key must fit into a check
  static constexpr unsigned max_log2_pairs = 15;

  ngram_candidates() = default;

  /// `cache` has lines(...) zeroed lines, aligned to 16 bytes. The table, of at most 2^14 symbols,
  /// outlives this.
  ngram_candidates(const ngram_table& table, candidate_line* cache, unsigned log2_pairs) noexcept
      : table_(&table),
        singles_(cache),
        pairs_(cache + table.symbols()),
        rest_bits_(key_bits - log2_pairs) {}

  const candidate_line& after(std::uint32_t last) noexcept {
    candidate_line& line = singles_[last];
    if (line.check != known) make(line, last);
    return line;
  }
  const candidate_line& after(std::uint32_t before_last, std::uint32_t last) noexcept {
    const std::uint32_t key = mixed_key(before_last, last);
    candidate_line& line = pairs_[key >> rest_bits_];
    const auto check = static_cast<std::uint16_t>(known | (key & ((1U << rest_bits_) - 1)));
    if (line.check != check) make(line, before_last, last, check);
    return line;
  }

  /// Brings the lines of a history into the cache of the processor.
  void prefetch(std::uint32_t before_last, std::uint32_t last) const noexcept {
    __builtin_prefetch(singles_ + last);
    __builtin_prefetch(pairs_ + (mixed_key(before_last, last) >> rest_bits_));
  }

 private:
  static constexpr unsigned key_bits = 28;
  static constexpr std::uint16_t known = 0x8000;

  /// Different for all pairs: an odd factor loses nothing.
  static std::uint32_t mixed_key(std::uint32_t before_last, std::uint32_t last) noexcept {
    return (before_last << 14 | last) * 0x9E3779B1U & ((1U << key_bits) - 1);
  }
  void make(candidate_line& line, std::uint32_t last) const noexcept;
  void make(candidate_line& line, std::uint32_t before_last, std::uint32_t last,
            std::uint16_t check) const noexcept;

  const ngram_table* table_ = nullptr;
  candidate_line* singles_ = nullptr;
  candidate_line* pairs_ = nullptr;
  unsigned rest_bits_ = 0;
};

}  // namespace lmzip::model
