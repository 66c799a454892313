#include "codec/bwt/run_tables.h"

#include <algorithm>
#include <array>

#include "lmzip/error.h"
#include "model/logistic.h"
#include "model/quantised_value.h"

namespace lmzip::codec::bwt {
namespace {

constexpr std::uint16_t even_chance = 32768;
constexpr std::int32_t untrained_weight = 16000;

// Lines that were visited less often are shipped as unknown, the others with so many visits, so
// that a block soon gets its own way. Smaller steps of a line's chances gain 0.01 % and cost half
// of the size again.
constexpr std::uint16_t shipped_visits = 20;
constexpr int chance_step = 4;

/// A quantised stretch rounded to a multiple of the step.
std::uint8_t coarse(std::uint8_t value) noexcept {
  const int stretch = static_cast<std::int8_t>(value);
  const int steps = (stretch + (stretch < 0 ? -chance_step : chance_step) / 2) / chance_step;
  return static_cast<std::uint8_t>(std::clamp(steps * chance_step, -124, 124));
}

/// Applies one function to all chances, one to all weights, one to all visits and one to the
/// chances that lines lack, in the order in which their values are shipped.
template <class Tables, class Chance, class Weight, class Visits, class Lacking>
void for_each_value(Tables& tables, Chance chance, Weight weight, Visits visits, Lacking lacking) {
  for (auto* numbers : {&tables.lengths, &tables.ranks}) {
    for (auto& context : numbers->line) {
      for (auto& line : context) {
        for (auto& c : line.chance) chance(c);
        visits(line.visits);
      }
    }
    for (auto& context : numbers->first) {
      for (auto& line : context) {
        chance(line.chance);
        lacking(context_line::decisions - 1);
        visits(line.visits);
      }
    }
    for (auto& sets : numbers->weight)
      for (auto& set : sets)
        for (auto& w : set) weight(w);
    lacking(context_line::decisions * reserved_values);
    for (auto& paths : numbers->tail)
      for (auto& c : paths) chance(c);
  }
}

}  // namespace

void set_untrained(run_tables& tables) noexcept {
  for_each_value(
      tables, [](std::uint16_t& c) { c = even_chance; },
      [](std::int32_t& w) { w = untrained_weight; }, [](std::uint16_t& v) { v = 0; },
      [](std::size_t) {});
}

std::vector<std::uint8_t> quantise(const run_tables& tables) {
  std::vector<std::uint8_t> values;
  values.reserve(quantised_values);
  const auto add_chance = [&](std::uint16_t c) {
    values.push_back(model::quantise_stretch(model::stretch(c)));
  };
  const auto finish_line = [&](std::uint16_t visits) {
    const std::span<std::uint8_t> line(values.end() - context_line::decisions, values.end());
    const bool known = visits >= shipped_visits;
    for (std::uint8_t& value : line) value = known ? coarse(value) : 0;
    values.push_back(known ? shipped_visits : 0);
  };
  for_each_value(
      tables, add_chance, [&](std::int32_t w) { values.push_back(model::quantise_weight(w)); },
      finish_line, [&](std::size_t count) { values.insert(values.end(), count, 0); });
  return values;
}

void restore(std::span<const std::uint8_t> values, run_tables& tables) {
  if (values.size() != quantised_values)
    throw error(errc::damaged, "the number of parameters does not fit the run model");
  std::array<std::uint16_t, 256> chance_of;
  for (std::size_t v = 0; v < chance_of.size(); ++v)
    chance_of[v] = static_cast<std::uint16_t>(
        model::squash(model::restore_stretch(static_cast<std::uint8_t>(v))));
  const std::uint8_t* next = values.data();
  for_each_value(
      tables, [&](std::uint16_t& c) { c = chance_of[*next++]; },
      [&](std::int32_t& w) { w = model::restore_weight(*next++); },
      [&](std::uint16_t& v) { v = std::min<std::uint16_t>(*next++, max_visits); },
      [&](std::size_t count) { next += count; });
}

}  // namespace lmzip::codec::bwt
