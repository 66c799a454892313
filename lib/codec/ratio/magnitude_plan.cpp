#include "codec/ratio/magnitude_plan.h"

#include <algorithm>
#include <optional>

#include "codec/ratio/element_kernels.h"
#include "codec/ratio/entropy_cost.h"
#include "lmzip/error.h"

namespace lmzip::codec::ratio {
namespace {

// A frequency takes about so much in a stored model.
constexpr std::uint64_t bits_of_frequency = 4 * one_bit;

/// Neighbouring keys that share a context.
struct interval {
  std::uint8_t first;
  std::array<std::uint32_t, 72> counts;
  std::uint64_t cost;  ///< of all elements and of the model

  void add(const interval& other) noexcept {
    for (std::size_t s = 0; s < counts.size(); ++s) counts[s] += other.counts[s];
  }
};

/// Costs of counts of a sample, every element of which stands for `weight` / 16 of all.
struct cost_of_counts {
  std::uint64_t weight;

  std::uint64_t operator()(std::span<const std::uint32_t> counts) const noexcept {
    const auto present = static_cast<std::uint64_t>(
        std::count_if(counts.begin(), counts.end(), [](std::uint32_t n) { return n != 0; }));
    return entropy_cost(counts) * weight / 16 + present * bits_of_frequency;
  }
};

/// Joins neighbours as long as that saves something, or there are too many: the pair that saves
/// most first.
void merge(std::vector<interval>& intervals, const cost_of_counts& cost) {
  const auto joined_cost = [&](std::size_t i) {
    interval joined = intervals[i];
    joined.add(intervals[i + 1]);
    return cost(joined.counts);
  };
  const auto loss = [&](std::size_t i, std::uint64_t joined) {
    return static_cast<std::int64_t>(joined) -
           static_cast<std::int64_t>(intervals[i].cost + intervals[i + 1].cost);
  };
  std::vector<std::uint64_t> joined;
  for (std::size_t i = 0; i + 1 < intervals.size(); ++i) joined.push_back(joined_cost(i));
  while (intervals.size() > 1) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < joined.size(); ++i)
      if (loss(i, joined[i]) < loss(best, joined[best])) best = i;
    if (loss(best, joined[best]) > 0 && intervals.size() <= key_contexts::max_count) break;
    intervals[best].add(intervals[best + 1]);
    intervals[best].cost = joined[best];
    intervals.erase(intervals.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(best));
    if (best < joined.size()) joined[best] = joined_cost(best);
    if (best > 0) joined[best - 1] = joined_cost(best - 1);
  }
}

std::vector<interval> intervals_of(std::span<const std::uint32_t> counts, std::size_t stride,
                                   const cost_of_counts& cost) {
  std::vector<interval> intervals;
  for (std::size_t key = 0; key < 256; ++key) {
    const auto of_key = counts.subspan(key * stride, stride);
    if (std::all_of(of_key.begin(), of_key.end(), [](std::uint32_t n) { return n == 0; })) continue;
    interval next;
    next.first = static_cast<std::uint8_t>(key);
    std::copy(of_key.begin(), of_key.end(), next.counts.begin());
    next.cost = cost(next.counts);
    intervals.push_back(next);
  }
  merge(intervals, cost);
  return intervals;
}

}  // namespace

key_contexts key_contexts::read(unsigned count, cursor& in) {
  key_contexts contexts;
  for (unsigned i = 1; i < count; ++i) {
    const std::uint8_t first = in.u8();
    if (first <= (i == 1 ? 0 : contexts.firsts_.back()))
      throw error(errc::damaged, "contexts are out of order");
    contexts.firsts_.push_back(first);
  }
  return contexts;
}

void key_contexts::append_to(std::vector<std::byte>& bytes) const {
  for (const std::uint8_t first : firsts_) bytes.push_back(static_cast<std::byte>(first));
}

void key_contexts::of(const std::uint8_t* keys, std::size_t count,
                      std::uint8_t* contexts) const noexcept {
  active_element_kernels().find_intervals(firsts_.data(), firsts_.size(), keys,
                                          (count + kernel_step - 1) / kernel_step * kernel_step,
                                          contexts);
}

lane_rans_model::shape magnitude_plan::alphabet() const noexcept {
  return {setup.precision, contexts.count(), magnitude_symbols, escaped_magnitude};
}

lane_rans_model magnitude_plan::fit_model() const {
  return lane_rans_model::fit(alphabet(), counts, escape_bits);
}

magnitude_plan magnitude_plan::read(cursor& in) {
  magnitude_plan plan;
  const unsigned first = in.u8(), second = in.u8();
  plan.setup = lane_setup::of_code(first & 15);
  plan.low_bytes = first >> 4 & 7;
  plan.zero_groups = (first & 128) != 0;
  if (plan.setup.precision > max_raw_precision || plan.low_bytes > max_low_bytes || second >= 16)
    throw error(errc::damaged, "a stream of magnitudes has an impossible form");
  plan.contexts = key_contexts::read(second + 1, in);
  return plan;
}

void magnitude_plan::append_to(std::vector<std::byte>& bytes) const {
  bytes.push_back(static_cast<std::byte>(setup.code() | low_bytes << 4 | (zero_groups ? 128 : 0)));
  bytes.push_back(static_cast<std::byte>(contexts.count() - 1));
  contexts.append_to(bytes);
}

magnitude_statistics::magnitude_statistics() : counts_(256 * symbols), zeros_(256) {}

unsigned magnitude_statistics::best_low_bytes(unsigned number_bits) const noexcept {
  std::uint64_t total = 0;
  for (const std::uint32_t count : widths_) total += count;
  // Nine of ten numbers must have three bits above what is left away, or one byte more to code than
  // the symbols reach.
  unsigned best = 0;
  for (unsigned bytes = 1; 8 * bytes < number_bits && bytes <= max_low_bytes; ++bytes) {
    std::uint64_t narrow = 0;
    for (unsigned bits = 0; bits < 8 * bytes + 4; ++bits) narrow += widths_[bits];
    if (narrow * 10 < total) best = bytes;
  }
  return best;
}

void magnitude_statistics::add_group(const std::uint8_t* of, const std::uint8_t* keys,
                                     std::size_t count, bool zeros) noexcept {
  elements_ += count;
  if (zeros) {
    zero_elements_ += count;
    for (std::size_t i = 0; i < count; ++i) ++zeros_[keys[i]];
    return;
  }
  for (std::size_t i = 0; i < count; ++i) ++counts_[keys[i] * symbols + of[i]];
}

magnitude_plan magnitude_statistics::plan(std::size_t elements, unsigned low_bytes,
                                          unsigned number_bits) const {
  magnitude_plan plan;
  plan.setup.lanes = lanes_for(elements);
  plan.low_bytes = low_bytes;
  plan.escape_bits = number_bits;
  // A bit a group; a zero among others takes at least a fiftieth of one.
  plan.zero_groups = zero_elements_ * 5 > elements_;
  std::vector<std::uint32_t> counts = counts_;
  if (!plan.zero_groups)
    for (std::size_t key = 0; key < 256; ++key) counts[key * symbols] += zeros_[key];
  const cost_of_counts cost{elements_ == 0 ? 16 : elements * 16 / elements_};
  const auto intervals = intervals_of(counts, symbols, cost);
  plan.counts.resize(std::max<std::size_t>(intervals.size(), 1) * lane_rans_model::max_symbols);
  std::vector<std::uint8_t> firsts;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    if (i > 0) firsts.push_back(intervals[i].first);
    std::copy_n(
        intervals[i].counts.begin(), magnitude_symbols,
        plan.counts.begin() + static_cast<std::ptrdiff_t>(i * lane_rans_model::max_symbols));
  }
  plan.contexts = key_contexts(std::move(firsts));
  return plan;
}

std::uint64_t magnitude_statistics::cost(unsigned low_bytes) const {
  std::uint64_t bits = 0;
  for (std::size_t key = 0; key < 256; ++key) {
    const auto counts = of_key(key);
    bits += entropy_cost(counts);
    for (std::size_t symbol = 8; symbol < escaped_magnitude; ++symbol)
      bits += std::uint64_t{counts[symbol]} * magnitude_raw_bits[symbol] * one_bit;
    bits += std::uint64_t{counts[escaped_magnitude]} * 32 * one_bit;
  }
  return bits + (elements_ - zero_elements_) * 8 * low_bytes * one_bit;
}

}  // namespace lmzip::codec::ratio
