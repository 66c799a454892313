#include "codec/brevis/program.h"

#include <bit>
#include <string>
#include <utility>

#include "codec/brevis/formulas.h"
#include "codec/brevis/type_rules.h"
#include "lmzip/error.h"

namespace lmzip::codec::brevis {
namespace {

using literal_list = std::vector<std::uint64_t>;
using known_types = std::span<const tensor_type>;

/// The node, if it and its parts fit each other.
node checked(op what, tensor_type result, literal_list literals, std::vector<node> parts,
             known_types earlier = {}) {
  node whole;
  whole.what = what;
  whole.result = std::move(result);
  whole.literals = std::move(literals);
  whole.parts = std::move(parts);
  try {
    const auto wanted = part_types(whole, earlier);
    bool fits = wanted.size() == whole.parts.size();
    for (std::size_t i = 0; fits && i < wanted.size(); ++i)
      fits = whole.parts[i].result.type == wanted[i].type &&
             whole.parts[i].result.elements() == wanted[i].elements();
    if (!fits) throw error(errc::internal, "parts of " + std::string(name_of(what)) + " do not fit");
  } catch (const error& e) {
    throw error(errc::internal, e.what());
  }
  return whole;
}

std::vector<node> list_of(node x) {
  std::vector<node> list;
  list.push_back(std::move(x));
  return list;
}

std::vector<node> list_of(node x, node y) {
  std::vector<node> list = list_of(std::move(x));
  list.push_back(std::move(y));
  return list;
}

tensor_type flat(const tensor_type& type) { return vector_of(type.type, type.elements()); }

/// An operator that keeps type and count of its only part.
node changed(op what, node x, literal_list literals) {
  tensor_type result = flat(x.result);
  return checked(what, std::move(result), std::move(literals), list_of(std::move(x)));
}

std::uint64_t number_of(dtype type) { return static_cast<std::uint64_t>(type); }

/// More than any tensor has, where a product would not fit.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > ~std::uint64_t{0} / a)
    throw error(errc::internal, "a program makes a tensor that is too large");
  return a * b;
}

void own(node& whole, std::vector<std::byte> payload) {
  whole.owner = std::make_shared<const std::vector<std::byte>>(std::move(payload));
  whole.payload = *whole.owner;
}

const tensor_type& known(known_types earlier, std::uint64_t index) {
  if (index >= earlier.size()) throw error(errc::internal, "a program refers to a later tensor");
  return earlier[static_cast<std::size_t>(index)];
}

}  // namespace

shared_stream make_stream(dtype type, leaf_coder coder, std::vector<std::byte> payload) {
  shared_stream stream;
  stream.type = type;
  stream.coder = coder;
  stream.owner = std::make_shared<const std::vector<std::byte>>(std::move(payload));
  stream.payload = *stream.owner;
  return stream;
}

node leaf(const tensor_type& type, leaf_coder coder, std::vector<std::byte> payload) {
  if (coder == leaf_coder::rest)
    throw error(errc::internal, "numbers of a shared stream have no bytes of their own");
  node whole = checked(op::leaf, flat(type), {static_cast<std::uint64_t>(coder)}, {});
  own(whole, std::move(payload));
  return whole;
}

node rest(const tensor_type& type) {
  return checked(op::leaf, flat(type), {static_cast<std::uint64_t>(leaf_coder::rest)}, {});
}

node constant(const tensor_type& type, std::uint64_t bits) {
  return checked(op::constant, flat(type), {bits}, {});
}

node ramp(const tensor_type& type, std::int64_t first, std::int64_t step) {
  if (!is_integer(type.type)) throw error(errc::internal, "a ramp of integers has another type");
  return checked(op::ramp, flat(type),
                 {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(step)}, {});
}

node ramp(const tensor_type& type, double first, double step) {
  if (is_integer(type.type)) throw error(errc::internal, "a ramp of integers has another type");
  return checked(op::ramp, flat(type),
                 {std::bit_cast<std::uint64_t>(first), std::bit_cast<std::uint64_t>(step)}, {});
}

node tile(node x, std::uint64_t n) {
  tensor_type result = vector_of(x.result.type, product(x.result.elements(), n));
  return checked(op::tile, std::move(result), {n}, list_of(std::move(x)));
}

node broadcast(node x, std::uint64_t n, std::uint64_t inner) {
  tensor_type result = vector_of(x.result.type, product(x.result.elements(), n));
  return checked(op::broadcast, std::move(result), {n, inner}, list_of(std::move(x)));
}

node interleave(node x, node y) {
  tensor_type result = vector_of(x.result.type, product(x.result.elements(), 2));
  return checked(op::interleave, std::move(result), {}, list_of(std::move(x), std::move(y)));
}

node band(dtype type, std::uint64_t rows, std::uint64_t columns, std::int64_t low,
          std::int64_t high, std::uint64_t inside, std::uint64_t outside) {
  product(rows, columns);
  return checked(op::band, {type, {rows, columns}},
                 {columns, static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high), inside,
                  outside},
                 {});
}

node reference(known_types earlier, std::uint64_t index) {
  return checked(op::reference, flat(known(earlier, index)), {index}, {}, earlier);
}

node rows(known_types earlier, std::uint64_t index, std::uint64_t width, node which) {
  tensor_type result =
      vector_of(known(earlier, index).type, product(which.result.elements(), width));
  const std::uint64_t type = number_of(which.result.type);
  return checked(op::rows, std::move(result), {index, width, type}, list_of(std::move(which)),
                 earlier);
}

node block(known_types earlier, std::uint64_t index, std::uint64_t columns, std::uint64_t first_row,
           std::uint64_t first_column, std::uint64_t height, std::uint64_t width) {
  return checked(op::block, vector_of(known(earlier, index).type, product(height, width)),
                 {index, columns, first_row, first_column, width}, {}, earlier);
}

node concat(std::vector<node> parts, std::uint64_t outer) {
  if (parts.empty() || outer == 0) throw error(errc::internal, "nothing is put together");
  literal_list literals = {outer, parts.size()};
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    count += parts[i].result.elements();
    if (i + 1 != parts.size()) literals.push_back(parts[i].result.elements() / outer);
  }
  tensor_type result = vector_of(parts[0].result.type, count);
  return checked(op::concat, std::move(result), std::move(literals), std::move(parts));
}

node transpose(node x, std::uint64_t rows, std::uint64_t columns, std::uint64_t inner) {
  return changed(op::transpose, std::move(x), {rows, columns, inner});
}

node reverse(node x, std::uint64_t n, std::uint64_t inner) {
  return changed(op::reverse, std::move(x), {n, inner});
}

node negate(node x) { return changed(op::negate, std::move(x), {}); }

node scale2(node x, std::int64_t power) {
  return changed(op::scale2, std::move(x), {static_cast<std::uint64_t>(power)});
}

node cast(dtype type, node x) {
  const std::uint64_t from = number_of(x.result.type);
  tensor_type result = vector_of(type, x.result.elements());
  return checked(op::cast, std::move(result), {from}, list_of(std::move(x)));
}

node grid(node scales, node numbers, std::uint64_t inner) {
  tensor_type result = vector_of(scales.result.type, numbers.result.elements());
  const literal_list literals = {number_of(numbers.result.type), inner, scales.result.elements()};
  return checked(op::grid, std::move(result), literals,
                 list_of(std::move(scales), std::move(numbers)));
}

node palette(node values, node indices) {
  tensor_type result = vector_of(values.result.type, indices.result.elements());
  const literal_list literals = {values.result.elements(), number_of(indices.result.type)};
  return checked(op::palette, std::move(result), literals,
                 list_of(std::move(values), std::move(indices)));
}

node sparse(const tensor_type& type, node bitmap, node values, std::uint64_t fill) {
  const literal_list literals = {values.result.elements(), fill};
  return checked(op::sparse, flat(type), literals, list_of(std::move(bitmap), std::move(values)));
}

node formula(const tensor_type& type, unsigned id, const std::vector<double>& parameters) {
  const std::uint64_t count = type.elements();
  const std::uint64_t columns = type.shape.empty() ? 1 : type.shape.back();
  literal_list literals = {id, columns};
  for (const double parameter : parameters)
    literals.push_back(std::bit_cast<std::uint64_t>(parameter));
  if (columns == 0) throw error(errc::internal, "a formula makes nothing");
  return checked(op::formula, {type.type, {count / columns, columns}}, std::move(literals), {});
}

node ulp(node x, std::vector<std::byte> payload) {
  node whole = changed(op::ulp, std::move(x), {});
  own(whole, std::move(payload));
  return whole;
}

node delta(const tensor_type& type, known_types earlier, std::uint64_t index,
           std::vector<std::byte> payload) {
  node whole = checked(op::delta, flat(type), {index}, {}, earlier);
  own(whole, std::move(payload));
  return whole;
}

node add(node x, node y) {
  tensor_type result = flat(x.result);
  return checked(op::add, std::move(result), {}, list_of(std::move(x), std::move(y)));
}

node view(const tensor_type& type, node x) {
  const std::uint64_t from = number_of(x.result.type);
  return checked(op::view, flat(type), {from}, list_of(std::move(x)));
}

}  // namespace lmzip::codec::brevis
