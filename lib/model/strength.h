#pragma once

#include <array>
#include <cstdint>

#include "model/context_tracker.h"

namespace lmzip::model {

// A strength of the predictor is data: which contexts it uses, and a few numbers. The predictor is
// compiled once for each. Order matters: the learned parameters of a context belong to its place.
//
//   lines       contexts with candidate lines, at most 16
//   slots       contexts with counters for the nodes of the tree
//   confirming  places in `lines` whose candidates tell the mixer how far the context is known,
//               weakest first

/// How a strength uses n-grams of the shipped table.
enum class ngram_use : std::uint8_t {
  none,
  candidates,  ///< two lanes more, see ngram_candidates.h: fast
  masses,      ///< an input of the mixer: 2 % smaller, for a quarter of the time
};

/// What all strengths have in common.
struct any_strength {
  static constexpr ngram_use ngrams = ngram_use::none;
  static constexpr bool network = false;
  /// Symbols that each match model looks back.
  static constexpr std::array match_symbols{7, 4};
  /// A guess is made if its chance, in units of 2^-16, is above this.
  static constexpr std::uint32_t guess_threshold = 56000;
  /// Mixer step in units of 2^-18 per input and error.
  static constexpr int learning_rate = 2;
};

/// Text as tokens of the shipped vocabulary.
struct token_strength : any_strength {
  static constexpr bool uses_lines = true;
  static constexpr bool uses_records = false;
  /// The mixer sees the last symbol and the one before in groups of 2^4 and 2^6 neighbours in the
  /// tree.
  static constexpr int last_group = 4;
  static constexpr int before_last_group = 6;
  static constexpr std::uint32_t max_symbols = 1U << 14;
  static constexpr ngram_use ngrams = ngram_use::masses;
  static constexpr unsigned max_log2_lines = 16;
  static constexpr unsigned max_log2_slots = 17;
};

struct token_strength2 : token_strength {
  static constexpr ngram_use ngrams = ngram_use::candidates;
  static constexpr std::array match_symbols{6};
  static constexpr std::uint32_t guess_threshold = 5000;
  static constexpr std::array lines{context::last3, context::line_start_and_field, context::last,
                                    context::before_last, context::word_and_line_start};
  static constexpr std::array slots{context::last, context::word, context::above};
  static constexpr std::array<int, 3> confirming{1, 2, 0};
};

struct token_strength3 : token_strength {
  static constexpr std::array lines{context::last2,
                                    context::last3,
                                    context::last,
                                    context::word_pair,
                                    context::line_start_and_field,
                                    context::before_last,
                                    context::word_and_line_start,
                                    context::above_and_column};
  static constexpr std::array slots{context::last, context::last2, context::word, context::above,
                                    context::previous_word_and_last};
  static constexpr std::array<int, 3> confirming{0, 1, 3};
};

struct token_strength4 : token_strength {
  static constexpr unsigned max_log2_lines = 17;
  static constexpr unsigned max_log2_slots = 18;
  static constexpr std::array lines{context::last2,
                                    context::last3,
                                    context::last,
                                    context::word_pair,
                                    context::line_start_and_field,
                                    context::before_last,
                                    context::word_and_line_start,
                                    context::above_and_column,
                                    context::last4,
                                    context::last5,
                                    context::last6,
                                    context::before_last2,
                                    context::last_and_third,
                                    context::before_last3,
                                    context::above_and_last,
                                    context::third_and_fourth};
  static constexpr std::array slots{context::last,
                                    context::last2,
                                    context::word,
                                    context::above,
                                    context::previous_word_and_last,
                                    context::last3,
                                    context::before_last,
                                    context::line_start_and_field};
  static constexpr std::array<int, 3> confirming{0, 1, 3};
};

/// A strength with a network (neural/network_distribution.h) as one input more.
template <class Base>
struct with_network : Base {
  static constexpr bool network = true;
  /// The network is not asked about the guess of a match that has followed so many tokens.
  static constexpr int trusted_match = 8;
};

/// Anything as bytes: the alphabet is learned fast, and every byte string is as good as another.
struct byte_strength : any_strength {
  static constexpr int last_group = 0;
  static constexpr int before_last_group = 2;
  static constexpr std::uint32_t max_symbols = 256;
  static constexpr unsigned max_log2_lines = 18;
  static constexpr unsigned max_log2_slots = 18;
};

/// Writing in scripts and languages of which the vocabulary knows little.
struct letter_strength : byte_strength {
  static constexpr bool uses_lines = true;
  static constexpr bool uses_records = false;
};

struct letter_strength2 : letter_strength {
  static constexpr std::array match_symbols{6};
  static constexpr std::array lines{context::last3, context::last4, context::last5, context::last6,
                                    context::word_pair};
  static constexpr std::array slots{context::last2, context::last3, context::last4, context::word};
  static constexpr std::array<int, 3> confirming{0, 1, 3};
};

struct letter_strength3 : letter_strength {
  static constexpr std::array lines{
      context::last2, context::last3,     context::last4,          context::last5,
      context::last6, context::word_pair, context::above_and_last, context::word_and_line_start};
  static constexpr std::array slots{context::last,      context::last2, context::last3,
                                    context::last4,     context::last5, context::word,
                                    context::word_pair, context::last6};
  static constexpr std::array<int, 3> confirming{1, 2, 4};
};

struct letter_strength4 : letter_strength {
  static constexpr std::array lines{context::last2,
                                    context::last3,
                                    context::last4,
                                    context::last5,
                                    context::last6,
                                    context::word_pair,
                                    context::above_and_last,
                                    context::word_and_line_start,
                                    context::line_start_and_field,
                                    context::above_and_column,
                                    context::before_last2,
                                    context::before_last3,
                                    context::previous_word_and_last,
                                    context::word,
                                    context::last_and_third,
                                    context::above};
  static constexpr std::array slots{context::last,
                                    context::last2,
                                    context::last3,
                                    context::last4,
                                    context::last5,
                                    context::word,
                                    context::word_pair,
                                    context::last6,
                                    context::above_and_last,
                                    context::line_start_and_field,
                                    context::previous_word_and_last};
  static constexpr std::array<int, 3> confirming{1, 2, 4};
};

/// Records, columns, machine code.
struct record_strength : byte_strength {
  static constexpr unsigned max_log2_lines = 17;
  static constexpr unsigned max_log2_slots = 17;
  static constexpr bool uses_lines = false;
  static constexpr bool uses_records = true;
};

struct record_strength2 : record_strength {
  static constexpr std::array match_symbols{6};
  static constexpr std::array lines{context::last2, context::last3, context::last4,
                                    context::record_column_and_last, context::record_above_two};
  static constexpr std::array slots{context::last, context::last2, context::last3,
                                    context::record_column, context::record_above_and_last};
  static constexpr std::array<int, 3> confirming{0, 1, 2};
};

struct record_strength3 : record_strength {
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
};

struct record_strength4 : record_strength {
  static constexpr std::array lines{context::last2,
                                    context::last3,
                                    context::last4,
                                    context::last6,
                                    context::record_column_and_last,
                                    context::before_last3,
                                    context::record_above_two,
                                    context::first_fourth_eighth,
                                    context::last5,
                                    context::word_pair,
                                    context::record_above_and_last2,
                                    context::before_last2,
                                    context::last_and_third,
                                    context::fourth_and_eighth,
                                    context::third_and_fourth,
                                    context::record_above_and_last};
  static constexpr std::array slots{context::last,
                                    context::last2,
                                    context::last3,
                                    context::last4,
                                    context::record_column,
                                    context::before_last2,
                                    context::record_above_and_last,
                                    context::last6};
  static constexpr std::array<int, 3> confirming{0, 1, 3};
};

}  // namespace lmzip::model
