#include "vocab/merge_table.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace lmzip::vocab {

void merge_table::add(token_id left, token_id right, token_id merged) noexcept {
  const std::uint32_t pair = pair_of(left, right);
  std::size_t at = home_of(pair);
  while (slots_[at].merged != 0) at = (at + 1) % slot_count;
  slots_[at] = {pair, merged};
}

std::size_t merge_table::encode(std::span<const std::uint8_t> bytes,
                                token_id* tokens) const noexcept {
  // Tokens stay at the position of their first byte; `starts` marks those positions. Every position
  // has the merge with its right neighbour, if any, as merged token << 6 | position, so that the
  // least of these numbers is the merge to make: a loop that compilers turn into vector code.
  static_assert(max_token_bytes <= 64 && max_tokens <= std::size_t{1} << 25);
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  const std::size_t size = bytes.size();
  token_id symbols[max_token_bytes];
  std::int32_t merges[max_token_bytes];
  const std::size_t padded = (size + 7) / 8 * 8;

  const auto merge_at = [&](std::size_t at, std::size_t next) {
    const token_id merged = find(symbols[at], symbols[next]);
    return merged == 0 ? none : static_cast<std::int32_t>(merged << 6 | at);
  };
  for (std::size_t i = 0; i < size; ++i) symbols[i] = bytes[i];
  for (std::size_t i = 0; i + 1 < size; ++i) merges[i] = merge_at(i, i + 1);
  for (std::size_t i = size - 1; i < padded; ++i) merges[i] = none;

  std::uint64_t starts = (std::uint64_t{1} << size) - 1;
  for (;;) {
    std::int32_t best = none;
    for (std::size_t i = 0; i < padded; ++i) best = std::min(best, merges[i]);
    if (best == none) break;
    const std::size_t at = static_cast<std::size_t>(best) & 63;
    const std::uint64_t after = starts & ~((std::uint64_t{2} << at) - 1);
    const std::size_t eaten = static_cast<std::size_t>(std::countr_zero(after));
    symbols[at] = static_cast<token_id>(best >> 6);
    merges[eaten] = none;
    starts &= ~(std::uint64_t{1} << eaten);

    const std::uint64_t beyond = after & (after - 1);
    merges[at] =
        beyond == 0 ? none : merge_at(at, static_cast<std::size_t>(std::countr_zero(beyond)));
    const std::uint64_t before = starts & ((std::uint64_t{1} << at) - 1);
    if (before != 0) {
      const auto previous = static_cast<std::size_t>(std::bit_width(before)) - 1;
      merges[previous] = merge_at(previous, at);
    }
  }

  std::size_t count = 0;
  for (; starts != 0; starts &= starts - 1) tokens[count++] = symbols[std::countr_zero(starts)];
  return count;
}

}  // namespace lmzip::vocab
