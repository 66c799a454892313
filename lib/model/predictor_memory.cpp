#include "model/predictor_memory.h"

#include <algorithm>

#include "model/adaptive_map.h"
#include "model/candidate_set.h"
#include "model/context_tracker.h"
#include "model/counter_slots.h"

namespace lmzip::model {

memory_plan make_memory_plan(const parameter_layout& layout, unsigned line_contexts,
                             unsigned slot_contexts, unsigned matches, unsigned log2_lines,
                             unsigned log2_slots, std::uint64_t symbols) {
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
  plan.context_map = place((sizeof(std::uint16_t) * adaptive_map::points) << log2_context_map_rows);
  plan.lines = place((sizeof(candidate_line) * line_contexts) << plan.log2_lines);
  plan.slots = place((sizeof(counter_slot) * slot_contexts) << plan.log2_slots);
  plan.guess_counters = place((sizeof(bit_counter) * slot_contexts) << plan.log2_guess_counters);
  plan.matches = place((sizeof(std::uint32_t) * matches) << plan.log2_match);
  plan.history = place(sizeof(std::uint16_t) * (symbols + context_tracker::history_margin + 1));
  return plan;
}

}  // namespace lmzip::model
