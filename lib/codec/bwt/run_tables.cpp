#include "codec/bwt/run_tables.h"

#include <algorithm>

#include "lmzip/error.h"
#include "model/logistic.h"
#include "model/quantised_value.h"

namespace lmzip::codec::bwt {
namespace {

constexpr std::uint16_t even_chance = 32768;
constexpr std::int32_t untrained_weight = 16000;
constexpr std::uint16_t shipped_visits = 20;

/// Applies one function to all chances, one to all weights and one to all visits, in the order in
/// which their values are shipped.
template <class Tables, class Chance, class Weight, class Visits>
void for_each_value(Tables& tables, Chance chance, Weight weight, Visits visits) {
  for (auto* numbers : {&tables.lengths, &tables.ranks}) {
    for (auto& context : numbers->line) {
      for (auto& line : context) {
        for (auto& c : line.chance) chance(c);
        visits(line.visits);
      }
    }
    for (auto& sets : numbers->weight)
      for (auto& set : sets)
        for (auto& w : set) weight(w);
    for (auto& points : numbers->refined)
      for (auto& c : points) chance(c);
    for (auto& paths : numbers->tail)
      for (auto& c : paths) chance(c);
  }
}

}  // namespace

void set_untrained(run_tables& tables) noexcept {
  for_each_value(
      tables, [](std::uint16_t& c) { c = even_chance; },
      [](std::int32_t& w) { w = untrained_weight; }, [](std::uint16_t& v) { v = 0; });
  for (auto* numbers : {&tables.lengths, &tables.ranks})
    for (auto& points : numbers->refined)
      for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = static_cast<std::uint16_t>(model::squash((static_cast<int>(i) - 16) * 128));
}

std::vector<std::uint8_t> quantise(const run_tables& tables) {
  std::vector<std::uint8_t> values;
  values.reserve(quantised_values);
  for_each_value(
      tables,
      [&](std::uint16_t c) { values.push_back(model::quantise_stretch(model::stretch(c))); },
      [&](std::int32_t w) { values.push_back(model::quantise_weight(w)); },
      [&](std::uint16_t v) {
        values.push_back(static_cast<std::uint8_t>(std::min(v, shipped_visits)));
      });
  return values;
}

void restore(std::span<const std::uint8_t> values, run_tables& tables) {
  if (values.size() != quantised_values)
    throw error(errc::damaged, "the number of parameters does not fit the run model");
  auto next = values.begin();
  for_each_value(
      tables,
      [&](std::uint16_t& c) {
        c = static_cast<std::uint16_t>(model::squash(model::restore_stretch(*next++)));
      },
      [&](std::int32_t& w) { w = model::restore_weight(*next++); },
      [&](std::uint16_t& v) { v = std::min<std::uint16_t>(*next++, max_visits); });
}

}  // namespace lmzip::codec::bwt
