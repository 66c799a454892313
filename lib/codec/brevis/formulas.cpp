#include "codec/brevis/formulas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "codec/brevis/formula_families.h"
#include "codec/brevis/tensor_type.h"
#include "lmzip/error.h"

namespace lmzip::codec::brevis {
namespace {

std::vector<formula_entry> list_entries() {
  std::vector<formula_entry> all;
  for (const auto family :
       {angle_formulas(), wave_formulas(), series_formulas(), matrix_formulas()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

const std::vector<formula_entry>& entries() {
  static const std::vector<formula_entry> all = list_entries();
  return all;
}

std::vector<formula_facts> list_facts() {
  std::vector<formula_facts> all;
  for (const formula_entry& entry : entries())
    all.push_back({static_cast<unsigned>(all.size()), entry.name, entry.parameters});
  return all;
}

}  // namespace

std::span<const formula_facts> all_formulas() noexcept {
  static const std::vector<formula_facts> all = list_facts();
  return all;
}

const formula_facts* find_formula(unsigned id) noexcept {
  return id < all_formulas().size() ? &all_formulas()[id] : nullptr;
}

const formula_facts* find_formula(std::string_view name) noexcept {
  const auto all = all_formulas();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const formula_facts& facts) { return facts.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool is_valid(const formula_call& call) noexcept {
  if (call.id >= entries().size() || call.columns == 0) return false;
  if (call.columns > max_tensor_bytes || call.rows > max_tensor_bytes / call.columns) return false;
  const formula_entry& entry = entries()[call.id];
  return call.parameters.size() == entry.parameters.size() &&
         std::all_of(call.parameters.begin(), call.parameters.end(),
                     [](double parameter) { return std::isfinite(parameter); }) &&
         entry.fits(call);
}

std::unique_ptr<formula_evaluator> make_evaluator(const formula_call& call) {
  if (!is_valid(call)) throw error(errc::damaged, "a formula has an impossible shape or parameter");
  return entries()[call.id].make(call);
}

}  // namespace lmzip::codec::brevis
