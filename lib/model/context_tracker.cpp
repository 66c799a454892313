#include "model/context_tracker.h"

namespace lmzip::model {

/// The record length is the distance at which most of the sampled byte pairs of the last 2 KiB
/// come again.
void context_tracker::find_record_length(const std::uint16_t* end, std::uint64_t count) noexcept {
  constexpr std::uint32_t window = 2048;
  constexpr std::uint32_t sampling = 8;
  constexpr std::uint32_t inertia = 4;
  constexpr std::uint32_t threshold = 12;
  if (count < window + max_record + history_margin) return;
  std::uint32_t best_length = record_length_;
  std::uint32_t best_matches = 0;
  for (std::uint32_t length = 2; length <= max_record; ++length) {
    std::uint32_t matches = length == record_length_ ? inertia : 0;
    for (std::uint32_t back = sampling; back <= window; back += sampling) {
      const std::uint16_t* at = end - back;
      matches += at[0] == *(at - length) && at[1] == *(at - length + 1);
    }
    if (matches > best_matches) {
      best_matches = matches;
      best_length = length;
    }
  }
  const std::uint32_t found = best_matches > threshold ? best_length : default_record;
  if (found == record_length_) return;
  record_length_ = found;
  record_position_ = static_cast<std::uint32_t>(count % found);
}

}  // namespace lmzip::model
