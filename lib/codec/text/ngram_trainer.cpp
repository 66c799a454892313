#include "codec/text/ngram_trainer.h"

#include <algorithm>

#include "codec/text/ngram_counts.h"
#include "core/endian.h"
#include "model/fixed_log.h"
#include "model/ngram_format.h"

namespace lmzip::codec::text {
namespace {

// Masses are in units of 2^-32, logarithms in units of 2^-16.
constexpr unsigned mass_bits = 32;
constexpr std::uint64_t all = std::uint64_t{1} << mass_bits;
constexpr std::uint64_t discount =
    ngram_unit / 2;  // of each weight: the text overrates what it has
constexpr std::uint64_t least_weight = 2 * ngram_unit;
constexpr std::int64_t one_bit = 65536;
// log2 of the part that single symbols have left of the mass where rows are not known yet.
constexpr std::int64_t assumed_rest = -113836;

struct entry {
  std::uint16_t leaf;
  std::uint16_t choice;  // its number among those that the row may choose from
  std::uint64_t mass;
};

struct row {
  std::vector<entry> entries;
  std::uint64_t rest = all;

  void add(const entry& e) {
    entries.push_back(e);
    rest -= e.mass;
  }
  const entry* find(std::uint64_t leaf) const {
    const auto at = std::lower_bound(entries.begin(), entries.end(), leaf,
                                     [](const entry& e, std::uint64_t l) { return e.leaf < l; });
    return at == entries.end() || at->leaf != leaf ? nullptr : &*at;
  }
};

struct history_row {
  std::uint64_t leaves;
  row successors;
};

using ngram_iterator = std::vector<weighted_ngram>::const_iterator;

/// Calls action(history, first, last, total weight) for the n-grams of each history.
template <class Action>
void for_each_history(const std::vector<weighted_ngram>& ngrams, Action action) {
  for (auto first = ngrams.begin(); first != ngrams.end();) {
    const std::uint64_t history = first->leaves >> leaf_bits;
    std::uint64_t total = 0;
    auto last = first;
    for (; last != ngrams.end() && last->leaves >> leaf_bits == history; ++last)
      total += last->weight;
    action(history, first, last, total);
    first = last;
  }
}

class table_trainer {
 public:
  table_trainer(const ngram_limits& limits, std::uint32_t symbols)
      : limits_(limits), single_(symbols), rows_(symbols) {}

  void train(const ngram_counts& counts) {
    measure_single_symbols(counts.pairs);
    for_each_history(counts.pairs, [this](auto... history) { add_pairs(history...); });
    for_each_history(counts.triples, [this](auto... history) { add_triples(history...); });
  }

  std::vector<std::uint8_t> section() const;

 private:
  void measure_single_symbols(const std::vector<weighted_ngram>& pairs) {
    // Symbols that the text lacks must stay affordable.
    for (auto& weight : single_) weight = ngram_unit / 4;
    for (const weighted_ngram& pair : pairs) single_[pair.leaves & leaf_mask] += pair.weight;
    std::uint64_t total = 0;
    for (const std::uint64_t weight : single_) total += weight;
    for (auto& weight : single_) weight = std::max<std::uint64_t>(1, mass_of(weight, total));
  }

  static std::uint64_t mass_of(std::uint64_t weight, std::uint64_t total) {
    // Weights stay far below 2^48, so nothing is lost above.
    return ((weight << 16) / total << 16) + (((weight << 16) % total << 16) / total);
  }

  /// Bits that the text saves by a mass instead of the one that it has anyway, in units of 2^-16.
  static std::int64_t saving(std::uint64_t weight, std::uint64_t mass, std::int64_t log_without) {
    if (mass == 0) return 0;
    const std::int64_t bits = model::log2_fixed(mass) - log_without;
    return bits * static_cast<std::int64_t>(weight) / static_cast<std::int64_t>(ngram_unit);
  }

  void add_pairs(std::uint64_t history, ngram_iterator first, ngram_iterator last,
                 std::uint64_t total) {
    for (auto pair = first; pair != last; ++pair) {
      if (pair->weight <= least_weight) continue;
      const auto leaf = static_cast<std::uint16_t>(pair->leaves & leaf_mask);
      const std::uint64_t mass = mass_of(pair->weight - discount, total);
      if (saving(pair->weight, mass, model::log2_fixed(single_[leaf]) + assumed_rest) >
          limits_.pair_bits * one_bit)
        rows_[history].add({leaf, leaf, mass});
    }
  }

  void add_triples(std::uint64_t history, ngram_iterator first, ngram_iterator last,
                   std::uint64_t total) {
    const row& shorter = rows_[history & leaf_mask];
    if (total <= least_weight || rows_[history >> leaf_bits].find(history & leaf_mask) == nullptr)
      return;
    row successors;
    for (auto triple = first; triple != last; ++triple) {
      if (triple->weight <= least_weight) continue;
      const entry* known = shorter.find(triple->leaves & leaf_mask);
      if (known == nullptr) continue;
      const std::uint64_t mass = mass_of(triple->weight - discount, total);
      const std::uint64_t without =
          known->mass + (shorter.rest >> 16) * (single_[known->leaf] >> 16);
      if (saving(triple->weight, mass, model::log2_fixed(without)) > limits_.triple_bits * one_bit)
        successors.add(
            {known->leaf, static_cast<std::uint16_t>(known - shorter.entries.data()), mass});
    }
    if (!successors.entries.empty()) histories_.push_back({history, std::move(successors)});
  }

  const ngram_limits limits_;
  std::vector<std::uint64_t> single_;  // mass by leaf
  std::vector<row> rows_;              // by leaf
  std::vector<history_row> histories_;
};

/// Nearest level of a mass that is not 0: quarters of octaves below `whole`.
std::uint32_t level_of(std::uint64_t mass, std::uint64_t whole) {
  const std::int64_t below = std::int64_t{model::log2_fixed(whole)} - model::log2_fixed(mass);
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>((4 * below + one_bit / 2) / one_bit, 0, model::max_ngram_level));
}

std::uint8_t level_of_row(const row& r) {
  const std::uint64_t part = all - r.rest;
  if (part <= all / 2 && part > 0)
    return static_cast<std::uint8_t>(
        std::min(model::small_part + level_of(part, all), std::uint32_t{255}));
  return static_cast<std::uint8_t>(
      std::min(level_of(std::max<std::uint64_t>(r.rest, all >> 12), all), model::small_part - 1));
}

void append(std::vector<std::uint8_t>& out, std::uint32_t number) {
  out.resize(out.size() + 4);
  store_le(reinterpret_cast<std::byte*>(out.data() + out.size() - 4), number);
}

/// Low bytes of all numbers, then high bytes.
void append_wide(std::vector<std::uint8_t>& out, const std::vector<std::uint32_t>& numbers) {
  for (const std::uint32_t n : numbers) out.push_back(static_cast<std::uint8_t>(n));
  for (const std::uint32_t n : numbers) out.push_back(static_cast<std::uint8_t>(n >> 8));
}

void append_rows(std::vector<std::uint8_t>& out, const std::vector<const row*>& rows) {
  std::vector<std::uint32_t> counts;
  std::vector<std::uint8_t> levels;
  std::vector<std::uint32_t> gaps;
  std::vector<std::uint8_t> octaves;
  for (const row* r : rows) {
    counts.push_back(static_cast<std::uint32_t>(r->entries.size()));
    levels.push_back(level_of_row(*r));
    std::uint64_t heaviest = 1;
    for (const entry& e : r->entries) heaviest = std::max(heaviest, e.mass);
    std::uint32_t next = 0;
    for (const entry& e : r->entries) {
      gaps.push_back(e.choice - next);
      next = e.choice + 1U;
      octaves.push_back(static_cast<std::uint8_t>(
          std::min((level_of(e.mass, heaviest) + 2) / 4, model::max_entry_octave)));
    }
  }
  append_wide(out, counts);
  out.insert(out.end(), levels.begin(), levels.end());
  append_wide(out, gaps);
  out.insert(out.end(), octaves.begin(), octaves.end());
}

std::vector<std::uint8_t> table_trainer::section() const {
  std::vector<const row*> first;
  std::vector<const row*> second;
  std::vector<std::uint8_t> has_row;
  std::uint32_t pairs = 0;
  std::uint32_t triples = 0;
  for (std::size_t leaf = 0; leaf < rows_.size(); ++leaf) {
    first.push_back(&rows_[leaf]);
    for (const entry& e : rows_[leaf].entries) {
      if (pairs % 8 == 0) has_row.push_back(0);
      const std::uint64_t history = std::uint64_t{leaf} << leaf_bits | e.leaf;
      if (second.size() < histories_.size() && histories_[second.size()].leaves == history) {
        second.push_back(&histories_[second.size()].successors);
        triples += static_cast<std::uint32_t>(second.back()->entries.size());
        has_row.back() = static_cast<std::uint8_t>(has_row.back() | 1U << pairs % 8);
      }
      ++pairs;
    }
  }
  std::vector<std::uint8_t> out;
  append(out, pairs);
  append(out, static_cast<std::uint32_t>(second.size()));
  append(out, triples);
  append(out, static_cast<std::uint32_t>(rows_.size()));
  const std::uint64_t heaviest = *std::max_element(single_.begin(), single_.end());
  for (const std::uint64_t mass : single_)
    out.push_back(static_cast<std::uint8_t>(level_of(mass, heaviest)));
  append_rows(out, first);
  out.insert(out.end(), has_row.begin(), has_row.end());
  append_rows(out, second);
  return out;
}

}  // namespace

std::vector<std::uint8_t> train_ngrams(std::span<const std::byte> text,
                                       const ngram_limits& limits) {
  table_trainer trainer(limits, 1U << leaf_bits);
  trainer.train(count_ngrams(text));
  return trainer.section();
}

}  // namespace lmzip::codec::text
