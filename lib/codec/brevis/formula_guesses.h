#pragma once

#include <cstdint>
#include <optional>

#include "codec/brevis/formulas.h"
#include "codec/brevis/tensor_view.h"

namespace lmzip::codec::brevis {

/// The formula that gives most of the sampled numbers of a tensor, and the others nearly; nothing
/// if none does. Parameters come from the shape, from a few numbers, and from what models use.
/// `first_row` is where the view begins in its tensor.
std::optional<formula_call> guess_formula(const tensor_view& x, std::uint64_t first_row);

}  // namespace lmzip::codec::brevis
