#include "vocab/merge_table.h"

namespace lmzip::vocab {

void merge_table::add(token_id left, token_id right, token_id merged) noexcept {
  const std::uint32_t pair = pair_of(left, right);
  std::size_t at = home_of(pair);
  while (slots_[at].merged != 0) at = (at + 1) % slot_count;
  slots_[at] = {pair, merged};
}

std::size_t merge_table::encode(std::span<const std::uint8_t> bytes,
                                token_id* tokens) const noexcept {
  std::size_t count = bytes.size();
  token_id merges[max_token_bytes] = {};  // what token i and its right neighbour make
  for (std::size_t i = 0; i < count; ++i) tokens[i] = bytes[i];
  for (std::size_t i = 0; i + 1 < count; ++i) merges[i] = find(tokens[i], tokens[i + 1]);

  while (count > 1) {
    token_id best = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      if (merges[i] != 0 && (best == 0 || merges[i] < best)) {
        best = merges[i];
        at = i;
      }
    }
    if (best == 0) break;
    tokens[at] = best;
    --count;
    for (std::size_t i = at + 1; i < count; ++i) {
      tokens[i] = tokens[i + 1];
      merges[i] = merges[i + 1];
    }
    if (at > 0) merges[at - 1] = find(tokens[at - 1], tokens[at]);
    if (at + 1 < count) merges[at] = find(tokens[at], tokens[at + 1]);
  }
  return count;
}

}  // namespace lmzip::vocab
