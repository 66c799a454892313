#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/step_tree.h"

namespace lmzip::codec::tokens {

// Numbers that the model, its learned values and their files agree on.

inline constexpr int lines = 4;                  ///< contexts with candidate lines
inline constexpr int line_cells = 256;           ///< per context and bank
inline constexpr int cell_banks = 2;             ///< for the first guess and for later ones
inline constexpr int max_guesses = 3;            ///< per token
inline constexpr int guess_inputs = 8;           ///< of the mixer: lines, match, guess, pair, bias
inline constexpr int guess_sources = lines + 1;  ///< the last one is the match
inline constexpr int match_classes = 4;
inline constexpr int match_lengths = 24;
inline constexpr int match_misses = 8;
inline constexpr unsigned log2_pairs = 14;       ///< counters of (last token, guess)
inline constexpr unsigned log2_last_group = 10;  ///< tokens in a group that shares rows
inline constexpr unsigned log2_mixer_group = 5;  ///< tokens in a group that shares mixer weights
inline constexpr std::uint32_t max_group_nodes = 256;  ///< nodes with rows by group: the upper ones
inline constexpr int step_classes = 5;                 ///< depths 0, 1 and more with rows by group,
                                                       ///< 2 and more without
inline constexpr int count_classes = 4;

/// What the model learns apart from its hash tables: it starts every block from a trained image of
/// it. The image is a sequence of sections in host byte order, each aligned to 64 bytes.
class value_layout {
 public:
  enum section : std::size_t {
    rows,            ///< distribution_row: of all nodes for any last token, then by its group
    cells,           ///< u16, by line context, bank, weights against and for the guess
    match_right,     ///< u16, by length and misses
    guess_right,     ///< u16 a token: chance that it comes when it is the guess
    run_right,       ///< u16 a token: chance that it comes when a long match expects it
    pair_right,      ///< u16, by a hash of last token and guess
    source_weights,  ///< i32: vectors by number of the guess, source, match
    last_weights,    ///< i32: vectors by group of the last token
    step_weights,    ///< mixture_weights by step class and count of the slot
    section_count,
  };

  explicit value_layout(const model::step_tree& tree);

  std::size_t offset(section which) const noexcept { return offset_[which]; }
  /// Numbers in a section; of rows and step_weights the number of rows.
  std::size_t count(section which) const noexcept { return count_[which]; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Where numbers of 32 bits begin; all before have 16.
  std::size_t wide_begin() const noexcept { return offset_[source_weights]; }
  std::uint32_t nodes() const noexcept { return nodes_; }
  std::uint32_t group_nodes() const noexcept { return group_nodes_; }

  /// The image of an untrained model.
  std::vector<std::byte> untrained() const;

  /// Number of bytes that quantise() makes.
  std::size_t quantised_values() const noexcept;

  /// One byte a value: of rows the chances' logarithms (groups as differences from the row for any
  /// last token), probabilities as stretches, weights by the square root of their size.
  std::vector<std::uint8_t> quantise(std::span<const std::byte> image) const;

  /// The image of quantised values. Throws error(damaged) if their number is wrong.
  std::vector<std::byte> restore(std::span<const std::uint8_t> values) const;

  /// Overwrites the rows by group with those for any last token.
  void spread_rows(std::span<std::byte> image) const;

 private:
  /// The node that a row is for.
  std::size_t node_of_row(std::size_t row) const noexcept {
    return row < nodes_ ? row : (row - nodes_) % group_nodes_;
  }

  std::vector<std::uint8_t> ways_;
  std::uint32_t nodes_;
  std::uint32_t group_nodes_;
  std::array<std::size_t, section_count> offset_{};
  std::array<std::size_t, section_count> count_{};
  std::size_t bytes_ = 0;
};

}  // namespace lmzip::codec::tokens
