#pragma once

#include <cstddef>
#include <cstdint>

#include "model/parameters.h"

namespace lmzip::model {

/// Where the tables of a predictor lie in its memory. All offsets are multiples of 128.
struct memory_plan {
  unsigned log2_lines = 0;           ///< candidate lines a context
  unsigned log2_slots = 0;           ///< counter slots a context
  unsigned log2_guess_counters = 0;  ///< counters of the guess flag a context
  unsigned log2_match = 0;           ///< entries of each match model's table
  unsigned log2_usual_pairs = 0;     ///< see ngram_candidates.h
  std::size_t parameters = 0, lines = 0, slots = 0, guess_counters = 0, matches = 0, usual = 0,
              history = 0;
  std::size_t bytes = 0;
};

/// How many contexts have tables.
struct context_counts {
  unsigned lines = 0;
  unsigned slots = 0;
  unsigned matches = 0;
  bool usual = false;  ///< whether there are candidates from n-grams
};

memory_plan make_memory_plan(const parameter_layout& layout, const context_counts& contexts,
                             unsigned log2_lines, unsigned log2_slots, std::uint64_t symbols);

}  // namespace lmzip::model
