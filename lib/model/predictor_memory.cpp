#include "model/predictor_memory.h"

#include <algorithm>

#include "model/candidate_set.h"
#include "model/context_tracker.h"
#include "model/counter_slots.h"
#include "model/ngram_candidates.h"

namespace lmzip::model {

memory_plan make_memory_plan(const parameter_layout& layout, const context_counts& contexts,
                             unsigned log2_lines, unsigned log2_slots, std::uint64_t symbols) {
  memory_plan plan;
  plan.log2_lines = log2_lines;
  plan.log2_slots = log2_slots;
  plan.log2_guess_counters = std::min(log2_lines, 16U);
  plan.log2_match = std::min(log2_lines + 1, 18U);
  const auto place = [&plan](std::size_t bytes) {
    const std::size_t offset = plan.bytes;
    plan.bytes += (bytes + 127) / 128 * 128;
    return offset;
  };
  plan.parameters = place(layout.bytes());
  plan.lines = place((sizeof(candidate_line) * contexts.lines) << plan.log2_lines);
  plan.slots = place((sizeof(counter_slot) * contexts.slots) << plan.log2_slots);
  plan.guess_counters = place((sizeof(bit_counter) * contexts.slots) << plan.log2_guess_counters);
  plan.matches = place((sizeof(std::uint32_t) * contexts.matches) << plan.log2_match);
  plan.log2_usual_pairs =
      std::clamp(log2_lines, ngram_candidates::min_log2_pairs, ngram_candidates::max_log2_pairs);
  if (contexts.usual)
    plan.usual = place(sizeof(candidate_line) *
                       ngram_candidates::lines(layout.shape().symbols, plan.log2_usual_pairs));
  plan.history = place(sizeof(std::uint16_t) * (symbols + context_tracker::history_margin + 1));
  return plan;
}

}  // namespace lmzip::model
