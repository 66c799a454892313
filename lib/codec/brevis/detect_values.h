#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/brevis/tensor_view.h"

namespace lmzip::codec::brevis {

// What the values of a tensor have in common, whatever their places. All detectors look at a sample
// first and at every element only where the sample agrees; all give nothing for a tensor without
// elements, and the same on all machines.

/// The bits of the only value.
std::optional<std::uint64_t> find_constant(const tensor_view& x);

/// first + step * i: of integers modulo their bits.
struct integer_progression {
  std::uint64_t first = 0;
  std::uint64_t step = 0;  ///< not 0
};
std::optional<integer_progression> find_integer_progression(const tensor_view& x);

/// The distinct values, by their bits in rising order. At most `most` and a quarter of the
/// elements.
std::vector<std::uint64_t> find_few_values(const tensor_view& x, std::size_t most);

/// The narrowest type that every value survives a cast to and back from; nothing if no type is
/// narrower. Integers are cast to integers, floating-point numbers to floating-point numbers.
std::optional<dtype> find_narrow_type(const tensor_view& x);

/// How many elements are zero: exact where a sample has some, else 0.
std::size_t count_zeros(const tensor_view& x);

}  // namespace lmzip::codec::brevis
