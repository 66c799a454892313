#include <algorithm>
#include <array>

#include "codec/ratio/element_kernels.h"
#include "codec/ratio/entropy_cost.h"
#include "codec/ratio/lane_stream.h"
#include "codec/ratio/layout_encoders.h"
#include "codec/ratio/row_column.h"

namespace lmzip::codec::ratio {
namespace {

constexpr unsigned max_levels = 1U << 13;
constexpr unsigned window = greatest_symbol - least_level + 1;
constexpr unsigned escape_bits = 16;

/// Runs of elements that are looked at for statistics: all of a small tensor, a third of others, a
/// sixth of large ones.
struct sampling {
  static constexpr std::size_t run = 512;
  std::size_t stride;

  explicit sampling(std::size_t elements)
      : stride(elements < 8 * run                ? run
               : elements < std::size_t{1} << 18 ? 3 * run
                                                 : 6 * run) {}

  template <class Visit>
  void each(std::size_t elements, Visit visit) const {
    for (std::size_t at = 0; at < elements; at += stride) visit(at, std::min(run, elements - at));
  }
};

struct level_counts {
  std::array<std::uint32_t, max_levels> of_level{}, of_odd_place{};
  std::uint16_t all_bits = 0;  ///< or of the upper halves
  std::size_t elements = 0;
};

void count_levels(layout which, std::span<const std::byte> plain, level_counts& counts) noexcept {
  const layout_facts facts = facts_of(which);
  const float_split how{facts.rest_bits};
  const std::size_t elements = plain.size() / facts.element_bytes;
  std::uint16_t tops[sampling::run];
  sampling(elements).each(elements, [&](std::size_t at, std::size_t some) {
    active_element_kernels().take_tops(facts.element_bytes, &plain[at * facts.element_bytes], some,
                                       tops);
    // By turns, so that equal neighbours do not wait for each other.
    std::uint16_t all_bits = 0;
    for (std::size_t i = 0; i < some; ++i) {
      auto& table = i % 2 == 0 ? counts.of_level : counts.of_odd_place;
      ++table[tops[i] >> how.rest_bits & how.level_mask()];
      all_bits |= tops[i];
    }
    counts.all_bits |= all_bits;
    counts.elements += some;
  });
  for (std::size_t level = 0; level <= how.level_mask(); ++level)
    counts.of_level[level] += counts.of_odd_place[level];
}

/// The offset whose symbols take in the most of what was counted; of several the middle one.
std::int16_t best_base(const level_counts& counts, unsigned levels) noexcept {
  std::uint32_t inside = 0;
  std::uint32_t best = 0;
  unsigned first_best = 0, last_best = 0;
  // The window is that of levels [end - window, end), without those that are symbols anyway.
  for (unsigned end = least_level + 1; end <= levels + window; ++end) {
    if (end <= levels) inside += counts.of_level[end - 1];
    if (end >= window + least_level + 1) inside -= counts.of_level[end - 1 - window];
    if (inside > best) {
      best = inside;
      first_best = last_best = end;
    } else if (inside == best) {
      last_best = end;
    }
  }
  const int middle = static_cast<int>(first_best + (last_best - first_best) / 2);
  return static_cast<std::int16_t>(middle - static_cast<int>(window + least_level));
}

/// Counts of symbols from those of levels.
std::vector<std::uint32_t> symbol_counts(const level_counts& counts, unsigned levels,
                                         std::int16_t base) {
  std::vector<std::uint32_t> of_symbol(lane_rans_model::max_symbols);
  for (unsigned level = 0; level < levels; ++level) {
    const int away = static_cast<int>(level) - base;
    const bool inside =
        away >= static_cast<int>(least_level) && away <= static_cast<int>(greatest_symbol);
    const unsigned told = inside ? static_cast<unsigned>(away) : escaped_level;
    of_symbol[level < least_level ? level : told] += counts.of_level[level];
  }
  return of_symbol;
}

bool any_sign(layout which, std::span<const std::byte> plain) noexcept {
  const std::size_t element = facts_of(which).element_bytes;
  std::byte all{};
  for (std::size_t at = element - 1; at < plain.size(); at += element) all |= plain[at];
  return (all & std::byte{0x80}) != std::byte{};
}

/// How a tensor is coded, and the counts of a sample of its symbols.
struct level_plan {
  std::int16_t base = 0;
  std::optional<row_column_model> predicted;
  std::vector<std::uint32_t> counts;
};

class level_coder {
 public:
  level_coder(layout which, std::span<const std::byte> plain)
      : layout_(which),
        facts_(facts_of(which)),
        how_{facts_.rest_bits},
        elements_(plain.size() / facts_.element_bytes),
        plain_(plain.first(elements_ * facts_.element_bytes)),
        tail_(plain.subspan(plain_.size())) {}

  level_plan plan(std::uint32_t columns) {
    const auto counts = std::make_unique<level_counts>();
    count_levels(layout_, plain_, *counts);
    no_sign_ = (counts->all_bits >> 15) == 0 && !any_sign(layout_, plain_);
    level_plan flat;
    const unsigned levels = how_.level_mask() + 1U;
    flat.base = best_base(*counts, levels);
    flat.counts = symbol_counts(*counts, levels, flat.base);
    if (columns < row_column_model::min_columns || columns > elements_ ||
        elements_ / columns < row_column_model::min_rows)
      return flat;
    level_plan predicted = plan_predicted(columns);
    const std::uint64_t bits_of_parts = predicted.predicted->stored_bytes() * 8 * one_bit;
    const std::uint64_t gain_counts = cost(predicted.counts, row_column_model::contexts);
    return scaled(gain_counts, counts->elements) + bits_of_parts <
                   scaled(cost(flat.counts, 1), counts->elements)
               ? predicted
               : flat;
  }

  std::optional<std::vector<std::byte>> encode(const level_plan& plan);

 private:
  /// Of the whole tensor from that of a sample.
  std::uint64_t scaled(std::uint64_t cost, std::size_t sampled) const noexcept {
    return cost / sampled * elements_;
  }

  static std::uint64_t cost(std::span<const std::uint32_t> counts, unsigned contexts) noexcept {
    std::uint64_t sum = 0;
    for (unsigned context = 0; context < contexts; ++context)
      sum += entropy_cost(counts.subspan(std::size_t{context} * lane_rans_model::max_symbols,
                                         lane_rans_model::max_symbols));
    return sum;
  }

  level_plan plan_predicted(std::uint32_t columns) {
    level_plan plan;
    plan.predicted = row_column_model::fit(how_, plain_, layout_, columns);
    plan.counts.resize(std::size_t{row_column_model::contexts} * lane_rans_model::max_symbols);
    sampling(elements_).each(elements_, [&](std::size_t at, std::size_t some) {
      split(plan, at, some);
      for (std::size_t i = 0; i < some; ++i)
        ++plan.counts[arrays_.contexts[i] * std::size_t{lane_rans_model::max_symbols} +
                      arrays_.symbols[i]];
    });
    return plan;
  }

  /// Symbols, contexts and rests of elements [first, first + count), in the arrays.
  void split(const level_plan& plan, std::size_t first, std::size_t count) noexcept {
    active_element_kernels().take_tops(facts_.element_bytes, &plain_[first * facts_.element_bytes],
                                       count, tops_);
    const std::size_t padded = (count + kernel_step - 1) / kernel_step * kernel_step;
    std::fill(tops_ + count, tops_ + padded, std::uint16_t{0});
    if (plan.predicted) {
      std::fill(offsets_ + count, offsets_ + padded, std::int16_t{0});
      plan.predicted->predict(first, count, offsets_, arrays_.contexts);
    }
    active_element_kernels().split(how_, tops_, plan.predicted ? offsets_ : nullptr, plan.base,
                                   padded, arrays_.symbols, rests_);
  }

  layout layout_;
  layout_facts facts_;
  float_split how_;
  std::size_t elements_;
  std::span<const std::byte> plain_, tail_;
  bool no_sign_ = false;
  block_arrays arrays_;
  std::uint16_t tops_[block_elements];
  std::int16_t offsets_[block_elements];
  std::uint8_t rests_[block_elements];
};

std::optional<std::vector<std::byte>> level_coder::encode(const level_plan& plan) {
  const lane_setup setup{lanes_for(elements_), plan.predicted ? 10U : 12U};
  lane_rans_model::shape alphabet;
  alphabet.precision = setup.precision;
  alphabet.contexts = plan.predicted ? row_column_model::contexts : 1;
  const auto model = lane_rans_model::fit(alphabet, plan.counts, escape_bits);

  std::vector<std::byte> head;
  head.push_back(static_cast<std::byte>(layout_));
  head.push_back(static_cast<std::byte>(setup.code() | (no_sign_ ? flag_no_sign : 0) |
                                        (plan.predicted ? flag_row_column : 0)));
  lane_writer::append_le(head, std::uint32_t{0});
  if (plan.predicted)
    plan.predicted->append_to(head);
  else
    lane_writer::append_le(head, static_cast<std::uint16_t>(plan.base));
  model.append_to(head);

  const unsigned rest_bits = facts_.rest_bits + (no_sign_ ? 0 : 1);
  const std::size_t planes_at = head.size() + std::size_t{4} * setup.lanes;
  const std::size_t padded = (elements_ + kernel_step - 1) / kernel_step;
  const std::size_t lows_at = planes_at + padded * 8 * rest_bits;
  const std::size_t fixed = lows_at + elements_ * facts_.low_bytes + tail_.size();
  const std::size_t plain_bytes = plain_.size() + tail_.size();
  if (fixed >= plain_bytes) return std::nullopt;

  std::vector<std::byte> payload(fixed - tail_.size());
  lane_writer writer(model, {}, setup.lanes, plain_bytes - fixed);
  std::vector<std::uint16_t> escapes;
  const lane_elements arrays{plan.predicted ? arrays_.contexts : nullptr, arrays_.symbols, nullptr};
  for (std::size_t blocks = (elements_ + block_elements - 1) / block_elements; blocks-- > 0;) {
    const std::size_t first = blocks * block_elements;
    const std::size_t count = std::min(block_elements, elements_ - first);
    split(plan, first, count);
    active_element_kernels().pack(rest_bits, rests_,
                                  (count + kernel_step - 1) / kernel_step * kernel_step,
                                  &payload[planes_at + first / kernel_step * 8 * rest_bits]);
    if (facts_.low_bytes != 0)
      active_element_kernels().take_lows(facts_.element_bytes,
                                         &plain_[first * facts_.element_bytes], count,
                                         &payload[lows_at + first * facts_.low_bytes]);
    if (!writer.prepend(arrays, count)) return std::nullopt;
    for_each_backwards(arrays_.symbols, count, escaped_level, [&](std::size_t i) {
      escapes.push_back(static_cast<std::uint16_t>(tops_[i] >> how_.rest_bits & how_.level_mask()));
    });
  }
  if (fixed + 2 * escapes.size() + writer.words_bytes() >= plain_bytes) return std::nullopt;
  store_le(&head[2], static_cast<std::uint32_t>(escapes.size()));
  writer.append_states_to(head);
  std::copy(head.begin(), head.end(), payload.begin());
  payload.reserve(fixed + 2 * escapes.size() + writer.words_bytes());
  payload.insert(payload.end(), tail_.begin(), tail_.end());
  for (std::size_t i = escapes.size(); i-- > 0;) lane_writer::append_le(payload, escapes[i]);
  writer.append_words_to(payload);
  return payload;
}

}  // namespace

std::optional<std::vector<std::byte>> encode_levels(layout which, std::uint32_t columns,
                                                    std::span<const std::byte> plain) {
  const auto coder = std::make_unique<level_coder>(which, plain);
  return coder->encode(coder->plan(columns));
}

std::uint64_t estimate_levels(layout which, std::span<const std::byte> sample) noexcept {
  const layout_facts facts = facts_of(which);
  const float_split how{facts.rest_bits};
  const std::size_t elements = sample.size() / facts.element_bytes;
  std::array<std::uint32_t, max_levels> counts{};
  std::uint16_t tops[sampling::run];
  std::uint16_t all_bits = 0;
  for (std::size_t at = 0; at < elements; at += sampling::run) {
    const std::size_t some = std::min(sampling::run, elements - at);
    active_element_kernels().take_tops(facts.element_bytes, &sample[at * facts.element_bytes], some,
                                       tops);
    for (std::size_t i = 0; i < some; ++i) {
      ++counts[tops[i] >> how.rest_bits & how.level_mask()];
      all_bits |= tops[i];
    }
  }
  const std::uint64_t raw = facts.rest_bits + (all_bits >> 15) + 8 * facts.low_bytes;
  return entropy_cost(std::span(counts).first(how.level_mask() + 1U)) + elements * raw * one_bit;
}

}  // namespace lmzip::codec::ratio
