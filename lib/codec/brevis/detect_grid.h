#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/brevis/tensor_view.h"

namespace lmzip::codec::brevis {

/// A tensor of floating-point numbers that are small integers times a scale: one scale for every
/// `inner` numbers.
struct integer_grid {
  std::size_t inner = 0;
  std::vector<std::byte> scales;   ///< numbers of the tensor's type
  std::vector<std::int8_t> steps;  ///< as many as the tensor has numbers
};

/// Looks for one scale for all, for each row, and for every 128, 64 and 32 numbers. Products are
/// rounded once, as a program does. Tensors of f16, bf16 and f32.
std::optional<integer_grid> find_grid(const tensor_view& x);

}  // namespace lmzip::codec::brevis
