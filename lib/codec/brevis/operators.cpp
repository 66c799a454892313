#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "codec/brevis/formulas.h"
#include "codec/brevis/type_rules.h"
#include "lmzip/error.h"

namespace lmzip::codec::brevis {
namespace {

using enum literal_kind;

struct op_facts {
  std::string_view name;
  unsigned parts;
  std::size_t literals;
  std::array<literal_kind, 5> kinds;
};

// By number. Of concat, parts are counted by its literals.
constexpr std::array<op_facts, op_count> facts = {{
    {"leaf", 0, 1, {count}},
    {"const", 0, 1, {bits}},
    {"ramp", 0, 2, {number, number}},
    {"tile", 1, 1, {count}},
    {"bcast", 1, 2, {count, count}},
    {"interleave", 2, 0, {}},
    {"band", 0, 5, {count, offset, offset, bits, bits}},
    {"ref", 0, 1, {count}},
    {"rows", 1, 3, {count, count, type}},
    {"block", 0, 5, {count, count, count, count, count}},
    {"concat", 0, 2, {count, count}},
    {"trans", 1, 3, {count, count, count}},
    {"rev", 1, 2, {count, count}},
    {"neg", 1, 0, {}},
    {"scale2", 1, 1, {offset}},
    {"cast", 1, 1, {type}},
    {"grid", 2, 3, {type, count, count}},
    {"palette", 2, 2, {count, type}},
    {"sparse", 2, 2, {count, bits}},
    {"formula", 0, 2, {count, count}},
    {"ulp", 1, 0, {}},
    {"delta", 0, 1, {count}},
    {"add", 2, 0, {}},
    {"view", 1, 1, {type}},
}};

constexpr std::array<std::string_view, leaf_coder_count> coder_names = {"raw", "zstd", "lmc",
                                                                         "ratio", "rest"};

const op_facts& facts_of(op what) noexcept { return facts[static_cast<std::size_t>(what)]; }

}  // namespace

std::string_view name_of(op what) noexcept { return facts_of(what).name; }

std::string_view name_of(leaf_coder coder) noexcept {
  return coder_names[static_cast<std::size_t>(coder)];
}

std::span<const literal_kind> fixed_literals(op what) noexcept {
  return {facts_of(what).kinds.data(), facts_of(what).literals};
}

literal_kind further_kind(op what) noexcept { return what == op::formula ? real : count; }

std::size_t further_literals(op what, std::span<const std::uint64_t> fixed) {
  if (what == op::concat) {
    if (fixed[1] < 1 || fixed[1] > max_nodes)
      throw error(errc::damaged, "a program puts a wrong number of tensors together");
    return fixed[1] - 1;
  }
  if (what != op::formula) return 0;
  const formula_facts* const formula =
      fixed[0] < all_formulas().size() ? find_formula(static_cast<unsigned>(fixed[0])) : nullptr;
  if (formula == nullptr) throw error(errc::damaged, "a program has an unknown formula");
  return formula->parameters.size();
}

std::size_t count_parts(op what, std::span<const std::uint64_t> literals) noexcept {
  return what == op::concat ? literals[1] : facts_of(what).parts;
}

std::size_t count_nodes(const node& program) noexcept {
  std::size_t count = 1;
  for (const node& part : program.parts) count += count_nodes(part);
  return count;
}

std::size_t depth_of(const node& program) noexcept {
  std::size_t deepest = 0;
  for (const node& part : program.parts) deepest = std::max(deepest, depth_of(part));
  return deepest + 1;
}

bool is_integer(dtype type) noexcept { return type <= dtype::i64; }

bool is_real_float(dtype type) noexcept {
  return (type >= dtype::f16 && type <= dtype::f64) ||
         (type >= dtype::f8_e5m2 && type <= dtype::f8_e4m3fnuz);
}

bool is_real(dtype type) noexcept { return is_integer(type) || is_real_float(type); }

}  // namespace lmzip::codec::brevis
