#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/brevis/program.h"

namespace lmzip::codec::brevis {

// The type rules, from the result of an operator down to its parts: they are all that a reader
// needs to know every type before anything is evaluated.

/// What a literal is, and how it is written.
enum class literal_kind : std::uint8_t {
  count,   ///< an unsigned integer
  offset,  ///< a signed integer
  bits,    ///< a number of the result's type, as its bits
  number,  ///< offset for integers, binary64 for floating-point types
  real,    ///< a binary64, finite and not -0
  type,    ///< a dtype
};

// The literals of an operator, in order; those of concat and formula depend on literals before
// them:
//   leaf: coder. constant: bits. ramp: first, step. tile: n. broadcast: n, inner. band: columns,
//   low, high, inside, outside. reference: index. rows: index, width, type of the numbers of rows.
//   block: index, columns, first row, first column, width. concat: outer, parts, and of each part
//   but the last its numbers / outer. transpose: rows, columns, inner. reverse: n, inner. scale2:
//   power. cast: type of x. grid: type of the numbers, inner, count of scales. palette: values,
//   type of the indices. sparse: values, fill. formula: id, columns, parameters. delta: index.
//   view: type of x.

/// The literals that every node of an operator has.
std::span<const literal_kind> fixed_literals(op what) noexcept;

/// Kind of the literals behind the fixed ones, and how many follow those: numbers of concat's
/// parts, parameters of formulas. Throws error(damaged) if the fixed ones are out of range.
literal_kind further_kind(op what) noexcept;
std::size_t further_literals(op what, std::span<const std::uint64_t> fixed);

/// How many parts a node with these literals has.
std::size_t count_parts(op what, std::span<const std::uint64_t> literals) noexcept;

/// Types of the parts of a node whose result, operator and literals are given; all have one
/// dimension. Throws error(damaged) if that is against the rules.
std::vector<tensor_type> part_types(const node& whole, std::span<const tensor_type> earlier);

/// Checks that `program` keeps to all rules and limits and makes a tensor of type `wanted`. Throws
/// error(damaged), saying which rule is not kept.
void check_program(const node& program, const tensor_type& wanted,
                   std::span<const tensor_type> earlier);

/// The same as an answer.
bool is_valid(const node& program, const tensor_type& wanted,
              std::span<const tensor_type> earlier) noexcept;

/// Whether the type is of whole bytes and an integer or boolean; one of the real floating-point
/// types; one of both.
bool is_integer(dtype type) noexcept;
bool is_real_float(dtype type) noexcept;
bool is_real(dtype type) noexcept;

}  // namespace lmzip::codec::brevis
