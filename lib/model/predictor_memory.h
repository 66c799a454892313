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
  std::size_t parameters = 0, context_map = 0, lines = 0, slots = 0, guess_counters = 0,
              matches = 0, history = 0;
  std::size_t bytes = 0;
};

/// Rows of the map that refines by context. It starts untrained: a trained one gained 0.05 %.
inline constexpr unsigned log2_context_map_rows = 12;

memory_plan make_memory_plan(const parameter_layout& layout, unsigned line_contexts,
                             unsigned slot_contexts, unsigned matches, unsigned log2_lines,
                             unsigned log2_slots, std::uint64_t symbols);

}  // namespace lmzip::model
