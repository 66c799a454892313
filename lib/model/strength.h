#pragma once

#include <array>

#include "model/context_tracker.h"

namespace lmzip::model {

// A strength of the predictor is data: which contexts it uses, and a few numbers. The predictor is
// compiled once for each. Order matters: the learned parameters of a context belong to its place.

/// Text as tokens of the shipped vocabulary, strength 3.
struct token_strength {
  /// Contexts with candidate lines, at most 16.
  static constexpr std::array lines{context::last2,
                                    context::last3,
                                    context::last,
                                    context::word_pair,
                                    context::line_start_and_field,
                                    context::before_last,
                                    context::word_and_line_start,
                                    context::above_and_column};
  /// Contexts with counters for the nodes of the tree.
  static constexpr std::array slots{context::last, context::last2, context::word, context::above,
                                    context::previous_word_and_last};
  /// Places in `lines` whose candidates tell the mixer how far the context is known, weakest
  /// first.
  static constexpr std::array<int, 3> confirming{0, 1, 3};
  /// Symbols that each match model looks back.
  static constexpr std::array match_symbols{7, 4};
  static constexpr bool uses_lines = true;
  static constexpr bool uses_records = false;
  /// A guess is made if its chance, in units of 2^-16, is above this.
  static constexpr std::uint32_t guess_threshold = 56000;
  /// Mixer step in units of 2^-18 per input and error.
  static constexpr int learning_rate = 2;
  /// The mixer sees the last symbol but one in groups of 2^4 and 2^6 neighbours in the tree.
  static constexpr int last_group = 4;
  static constexpr int before_last_group = 6;
  static constexpr std::uint32_t max_symbols = 1U << 14;
  static constexpr unsigned max_log2_lines = 17;
  static constexpr unsigned max_log2_slots = 18;
};

/// Anything as bytes: records, columns, machine code, and text in scripts of which the
/// vocabulary knows little.
struct byte_strength {
  static constexpr std::array lines{context::last2,
                                    context::last3,
                                    context::last4,
                                    context::last6,
                                    context::record_column_and_last,
                                    context::before_last3,
                                    context::record_above_two,
                                    context::first_fourth_eighth};
  static constexpr std::array slots{context::last,
                                    context::last2,
                                    context::last3,
                                    context::last4,
                                    context::record_column,
                                    context::before_last2,
                                    context::record_above_and_last,
                                    context::last6};
  static constexpr std::array<int, 3> confirming{0, 1, 3};
  static constexpr std::array match_symbols{7, 4};
  static constexpr bool uses_lines = false;
  static constexpr bool uses_records = true;
  static constexpr std::uint32_t guess_threshold = 56000;
  static constexpr int learning_rate = 2;
  static constexpr int last_group = 0;
  static constexpr int before_last_group = 2;
  static constexpr std::uint32_t max_symbols = 256;
  static constexpr unsigned max_log2_lines = 18;
  static constexpr unsigned max_log2_slots = 18;
};

}  // namespace lmzip::model
