#include "codec/brevis/type_rules.h"

#include <bit>
#include <cmath>
#include <string>

#include "codec/brevis/block_payload.h"
#include "codec/brevis/evaluator.h"
#include "codec/brevis/formulas.h"
#include "codec/delta/delta_codec.h"
#include "lmzip/error.h"

namespace lmzip::codec::brevis {
namespace {

using types = std::vector<tensor_type>;

void require(bool kept, op what, const char* rule) {
  if (!kept)
    throw error(errc::damaged, std::string("a program is against the rule of ") +
                                   std::string(name_of(what)) + ": " + rule);
}

dtype type_literal(const node& whole, std::size_t index) {
  const std::uint64_t number = whole.literals[index];
  require(number < dtype_count, whole.what, "a type of numbers that exists");
  return static_cast<dtype>(number);
}

/// count / divisor, which must be a whole number.
std::uint64_t divided(op what, std::uint64_t count, std::uint64_t divisor) {
  require(divisor != 0 && count % divisor == 0, what, "sizes that divide each other");
  return count / divisor;
}

const tensor_type& referred(const node& whole, std::span<const tensor_type> earlier) {
  require(whole.literals[0] < earlier.size(), whole.what, "a tensor before this one");
  return earlier[static_cast<std::size_t>(whole.literals[0])];
}

types of_rows(const node& whole, const tensor_type& from, std::uint64_t count) {
  const std::uint64_t width = whole.literals[1];
  const dtype index = type_literal(whole, 2);
  require(from.type == whole.result.type, whole.what, "numbers of one type");
  require(is_integer(index), whole.what, "integers that number rows");
  divided(whole.what, from.elements(), width);
  return {vector_of(index, divided(whole.what, count, width))};
}

types of_block(const node& whole, const tensor_type& from, std::uint64_t count) {
  const auto& literals = whole.literals;
  const std::uint64_t columns = literals[1], width = literals[4];
  require(from.type == whole.result.type, whole.what, "numbers of one type");
  const std::uint64_t all_rows = divided(whole.what, from.elements(), columns);
  const std::uint64_t height = divided(whole.what, count, width);
  require(literals[2] <= all_rows && height <= all_rows - literals[2], whole.what,
          "rows within the tensor");
  require(literals[3] <= columns && width <= columns - literals[3], whole.what,
          "columns within the tensor");
  return {};
}

types of_concat(const node& whole, std::uint64_t count) {
  const auto& literals = whole.literals;
  std::uint64_t left = divided(whole.what, count, literals[0]);
  types parts;
  for (std::size_t i = 2; i <= literals.size(); ++i) {
    const bool last = i == literals.size();
    const std::uint64_t width = last ? left : literals[i];
    require(width <= left, whole.what, "parts that together are the whole");
    left -= width;
    parts.push_back(vector_of(whole.result.type, width * literals[0]));
  }
  return parts;
}

types of_grid(const node& whole, std::uint64_t count) {
  const dtype numbers = type_literal(whole, 0);
  require(is_real_float(whole.result.type), whole.what, "scales that are floating-point numbers");
  require(is_real(numbers) && (bits_of(numbers) == 8 || (is_integer(numbers) &&
                                                          bits_of(numbers) == 16)),
          whole.what, "small numbers");
  divided(whole.what, divided(whole.what, count, whole.literals[1]), whole.literals[2]);
  return {vector_of(whole.result.type, whole.literals[2]), vector_of(numbers, count)};
}

types of_palette(const node& whole, std::uint64_t count) {
  const dtype index = type_literal(whole, 1);
  require(index == dtype::bytes || index == dtype::u8 || index == dtype::u16 ||
              index == dtype::u32,
          whole.what, "unsigned indices");
  require(whole.literals[0] <= count, whole.what, "no more values than numbers");
  return {vector_of(whole.result.type, whole.literals[0]), vector_of(index, count)};
}

types of_sparse(const node& whole, std::uint64_t count) {
  require(whole.literals[0] <= count, whole.what, "no more values than numbers");
  return {vector_of(dtype::u8, count / 8 + (count % 8 != 0 ? 1 : 0)),
          vector_of(whole.result.type, whole.literals[0])};
}

types of_formula(const node& whole, std::uint64_t count) {
  formula_call call;
  call.id = static_cast<unsigned>(whole.literals[0]);
  call.columns = whole.literals[1];
  call.rows = divided(whole.what, count, call.columns);
  for (std::size_t i = 2; i < whole.literals.size(); ++i)
    call.parameters.push_back(std::bit_cast<double>(whole.literals[i]));
  require(is_real(whole.result.type), whole.what, "real numbers");
  require(is_valid(call), whole.what, "a shape and parameters that it has");
  return {};
}

types of_view(const node& whole) {
  const dtype from = type_literal(whole, 0);
  return {vector_of(from, divided(whole.what, 8 * whole.result.bytes(), bits_of(from)))};
}

void check_delta(const node& whole, const tensor_type& from) {
  require(delta::can_be_base(from.type, whole.result.type), whole.what, "a type that can be a base");
  require(from.elements() == whole.result.elements(), whole.what, "as many numbers as the base");
}

types of_reshaped(const node& whole, std::uint64_t count) {
  for (const std::uint64_t size : whole.literals) count = divided(whole.what, count, size);
  return {vector_of(whole.result.type, whole.result.elements())};
}

bool takes_any_type(op what) noexcept {
  return what == op::leaf || what == op::reference || what == op::ulp || what == op::delta ||
         what == op::view;
}

void check_literal(const node& whole, literal_kind kind, std::uint64_t literal) {
  const dtype type = whole.result.type;
  if (kind == literal_kind::bits) {
    require(bits_of(type) <= 64, whole.what, "numbers of at most 8 bytes");
    require(bits_of(type) == 64 || literal >> bits_of(type) == 0, whole.what,
            "numbers of the type's size");
  } else if (kind == literal_kind::real ||
             (kind == literal_kind::number && is_real_float(type))) {
    const double value = std::bit_cast<double>(literal);
    require(std::isfinite(value) && (value != 0 || literal == 0), whole.what, "finite literals");
  }
}

void check_literals(const node& whole) {
  const auto fixed = fixed_literals(whole.what);
  require(whole.literals.size() >= fixed.size(), whole.what, "all literals");
  const std::size_t further = further_literals(whole.what, whole.literals);
  require(whole.literals.size() == fixed.size() + further, whole.what, "all literals and no more");
  for (std::size_t i = 0; i < fixed.size(); ++i) check_literal(whole, fixed[i], whole.literals[i]);
  for (std::size_t i = fixed.size(); i < whole.literals.size(); ++i)
    check_literal(whole, further_kind(whole.what), whole.literals[i]);
}

void check_node(const node& whole, std::span<const tensor_type> earlier) {
  const types wanted = part_types(whole, earlier);
  require(whole.parts.size() == wanted.size(), whole.what, "all parts and no more");
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const node& part = whole.parts[i];
    require(valid(part.result) && part.result.type == wanted[i].type &&
                part.result.elements() == wanted[i].elements(),
            whole.what, "parts of the right type and size");
    check_node(part, earlier);
  }
}

}  // namespace

std::vector<tensor_type> part_types(const node& whole, std::span<const tensor_type> earlier) {
  const tensor_type& result = whole.result;
  const op what = whole.what;
  if (static_cast<unsigned>(what) >= op_count || !valid(result))
    throw error(errc::damaged, "a program has an unknown operator or an impossible size");
  require(takes_any_type(what) || whole_bytes(result.type), what, "numbers of whole bytes");
  check_literals(whole);
  const std::uint64_t count = result.elements();
  const auto& literals = whole.literals;
  switch (what) {
    case op::leaf:
      require(literals[0] < leaf_coder_count, what, "a coder that exists");
      return {};
    case op::constant:
      return {};
    case op::ramp:
      require(is_real(result.type) && result.type != dtype::boolean, what, "real numbers");
      return {};
    case op::tile:
      return {vector_of(result.type, divided(what, count, literals[0]))};
    case op::broadcast: {
      const std::uint64_t part = divided(what, count, literals[0]);
      divided(what, part, literals[1]);
      return {vector_of(result.type, part)};
    }
    case op::interleave:
      return types(2, vector_of(result.type, divided(what, count, 2)));
    case op::band:
      divided(what, count, literals[0]);
      return {};
    case op::reference:
      require(referred(whole, earlier).type == result.type &&
                  referred(whole, earlier).elements() == count,
              what, "a tensor of that type and size");
      return {};
    case op::rows:
      return of_rows(whole, referred(whole, earlier), count);
    case op::block:
      return of_block(whole, referred(whole, earlier), count);
    case op::concat:
      return of_concat(whole, count);
    case op::transpose:
    case op::reverse:
      return of_reshaped(whole, count);
    case op::negate:
      require(result.type != dtype::boolean && result.type != dtype::f8_e8m0, what,
              "numbers with a sign");
      return {vector_of(result.type, count)};
    case op::scale2:
      require(is_real_float(result.type), what, "floating-point numbers");
      require(literals[0] + 4096 <= 8192, what, "a power between -4096 and 4096");
      return {vector_of(result.type, count)};
    case op::cast:
      require(is_real(result.type) && is_real(type_literal(whole, 0)), what, "real numbers");
      return {vector_of(type_literal(whole, 0), count)};
    case op::grid:
      return of_grid(whole, count);
    case op::palette:
      return of_palette(whole, count);
    case op::sparse:
      return of_sparse(whole, count);
    case op::formula:
      return of_formula(whole, count);
    case op::ulp:
      return {vector_of(result.type, count)};
    case op::delta:
      check_delta(whole, referred(whole, earlier));
      return {};
    case op::add:
      require(is_real(result.type) && result.type != dtype::boolean, what, "real numbers");
      return types(2, vector_of(result.type, count));
    case op::view:
      return of_view(whole);
  }
  return {};
}

void check_program(const node& program, const tensor_type& wanted,
                   std::span<const tensor_type> earlier) {
  if (!valid(wanted) || !valid(program.result) || program.result.type != wanted.type ||
      program.result.elements() != wanted.elements())
    throw error(errc::damaged, "a program makes another tensor than it should");
  if (depth_of(program) > max_depth || count_nodes(program) > max_nodes)
    throw error(errc::damaged, "a program is too long or too deep");
  check_node(program, earlier);
  if (evaluation_work(program) > max_work(wanted.bytes()))
    throw error(errc::damaged, "a program does too much for its tensor");
}

bool is_valid(const node& program, const tensor_type& wanted,
              std::span<const tensor_type> earlier) noexcept {
  try {
    check_program(program, wanted, earlier);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace lmzip::codec::brevis
