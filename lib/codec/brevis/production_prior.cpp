#include "codec/brevis/production_prior.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "codec/brevis/tensor_view.h"

namespace lmzip::codec::brevis {
namespace {

constexpr std::uint32_t one = 1U << 16;

// How many tensors of a context weigh as much as those of the context that says less.
constexpr std::uint32_t trust = 4;

// The shipped table, in 1/1000, by kind of numbers: what tensors that are worth a program begin
// with, in the order of the productions. Counted over checkpoints and buffers of models, with a
// floor so that nothing is impossible.
enum class kind_of_numbers : unsigned { floating, integer, boolean, raw };
constexpr unsigned kinds = 4;

using table_row = std::array<std::uint16_t, production_count>;
constexpr std::array<table_row, kinds> shipped = {{
    // const ramp related gathered sum near band tile bcast formula narrow palette sparse grid
    // planes
    // leaf
    {90, 10, 110, 40, 5, 5, 20, 20, 10, 60, 20, 20, 10, 10, 30, 540},
    {120, 160, 60, 10, 1, 1, 10, 20, 20, 5, 160, 20, 10, 1, 40, 362},
    {200, 1, 60, 10, 1, 1, 300, 40, 20, 1, 1, 60, 40, 1, 1, 263},
    {120, 20, 60, 20, 1, 1, 10, 20, 10, 1, 1, 30, 10, 1, 1, 694},
}};

kind_of_numbers kind_of(dtype type) noexcept {
  if (type == dtype::boolean) return kind_of_numbers::boolean;
  if (holds_integers(type)) return kind_of_numbers::integer;
  return holds_floats(type) ? kind_of_numbers::floating : kind_of_numbers::raw;
}

}  // namespace

std::uint64_t cost_of_probability(std::uint32_t share) noexcept {
  // log2 between powers of two by a parabola that is exact at both ends and at most 0.01 off.
  share = std::clamp<std::uint32_t>(share, 1, one);
  const auto whole = static_cast<unsigned>(std::bit_width(share)) - 1;
  const std::uint64_t fraction = (std::uint64_t{share} << (16 - whole)) - one;
  const std::uint64_t bend = fraction * (one - fraction) / one * 22545 / one;
  return std::uint64_t{one} * (16 - whole) - fraction - bend;
}

std::uint32_t production_prior::key_of(const production_context& c, unsigned level) noexcept {
  std::uint32_t key = static_cast<std::uint32_t>(c.type) << 2 | level;
  key = key << 8 | (level < 3 ? c.rank + 1 : 0);
  key = key << 8 | (level < 2 ? c.size + 1 : 0);
  return key << 8 | (level < 1 ? static_cast<std::uint32_t>(c.name) + 1 : 0);
}

production_prior::probabilities production_prior::of(const production_context& context) const {
  const table_row& row = shipped[static_cast<unsigned>(kind_of(context.type))];
  const auto sum = std::accumulate(row.begin(), row.end(), std::uint32_t{0});
  probabilities result;
  for (unsigned i = 0; i < production_count; ++i) result[i] = row[i] * one / sum;
  if (!learned_) return result;
  for (unsigned level = levels; level-- > 0;) {
    const auto found = seen_.find(key_of(context, level));
    if (found == seen_.end()) continue;
    const counts& count = found->second;
    const std::uint64_t total = std::accumulate(count.begin(), count.end(), std::uint64_t{0});
    for (unsigned i = 0; i < production_count; ++i)
      result[i] = static_cast<std::uint32_t>(
          (std::uint64_t{count[i]} * one + std::uint64_t{trust} * result[i]) / (total + trust));
  }
  return result;
}

std::uint64_t production_prior::cost(const production_context& context, production what) const {
  return cost_of_probability(of(context)[static_cast<unsigned>(what)]);
}

std::array<production, production_count> production_prior::order(
    const production_context& context) const {
  const probabilities p = of(context);
  std::array<production, production_count> all;
  for (unsigned i = 0; i < production_count; ++i) all[i] = static_cast<production>(i);
  std::stable_sort(all.begin(), all.end(), [&](production a, production b) {
    return p[static_cast<unsigned>(a)] > p[static_cast<unsigned>(b)];
  });
  return all;
}

void production_prior::learn(const production_context& context, production winner) {
  for (unsigned level = 0; level < levels; ++level)
    ++seen_[key_of(context, level)][static_cast<unsigned>(winner)];
}

bool production_prior::has_seen(const production_context& context) const {
  return seen_.contains(key_of(context, 0));
}

}  // namespace lmzip::codec::brevis
