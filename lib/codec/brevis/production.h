#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "codec/brevis/tensor_type.h"

namespace lmzip::codec::brevis {

/// Ways to make a tensor that the search tries. The numbers are bits of search_options::without.
enum class production : std::uint8_t {
  constant,   ///< constant()
  ramp,       ///< ramp()
  related,    ///< an earlier tensor, perhaps cast, transposed, negated, scaled
  gathered,   ///< rows, blocks or parts of earlier tensors
  sum,        ///< add() of two earlier tensors
  near,       ///< delta() to an earlier tensor
  band,       ///< band()
  tile,       ///< tile()
  broadcast,  ///< broadcast()
  formula,    ///< formula(), perhaps within ulp()
  narrow,     ///< cast() of a narrower type
  palette,    ///< palette()
  sparse,     ///< sparse()
  grid,       ///< grid()
  planes,     ///< the first bytes of all numbers, then the second ones, and so on
  leaf,       ///< coded numbers
};

inline constexpr unsigned production_count = 16;

std::string_view name_of(production what) noexcept;

/// What the name of a tensor tells about its numbers.
enum class name_class : std::uint8_t {
  other,
  norm,
  bias,
  embedding,
  attention,
  mlp,
  convolution,
  mask,
  rotary,
  scale,
  first_moment,
  second_moment,
  step,
};

inline constexpr unsigned name_class_count = 13;

/// The class of a name, by parts of names that are usual in checkpoints.
name_class class_of_name(std::string_view name) noexcept;

/// What the search knows of a tensor before it looks at its numbers.
struct production_context {
  dtype type = dtype::bytes;
  unsigned rank = 0;  ///< 3: or more
  unsigned size = 0;  ///< 0 … 7: logarithm of the elements, in steps of a factor of 8
  name_class name = name_class::other;
};

production_context context_of(const tensor_type& type, name_class name) noexcept;

}  // namespace lmzip::codec::brevis
