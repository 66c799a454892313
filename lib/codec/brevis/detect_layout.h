#pragma once

#include <cstdint>
#include <optional>

#include "codec/brevis/tensor_view.h"

namespace lmzip::codec::brevis {

// Repeats at regular distances within a tensor. All detectors look at a sample first and at every
// element only where the sample agrees; counts are in elements.

/// The shortest period found that divides the elements and comes at least twice: a product of the
/// last axes, or where the first elements come again; 0: none.
std::size_t find_period(const tensor_view& x);

/// An axis along which nothing changes: the tensor is [outer, count, inner] with equal parts of
/// `inner` elements. The last such axis; count 0: none.
struct repeated_axis {
  std::size_t axis = 0;
  std::size_t count = 0;
  std::size_t inner = 0;
};
repeated_axis find_repeated_axis(const tensor_view& x);

/// A matrix (of the last two axes; others are 1) that is `inside` where first <= column - row <=
/// last, and `outside` elsewhere.
struct diagonal_band {
  std::int64_t first = 0;  ///< minus the number of rows: no lower limit
  std::int64_t last = 0;   ///< the number of columns: no upper limit
  std::uint64_t inside = 0, outside = 0;
};
std::optional<diagonal_band> find_band(const tensor_view& x);

}  // namespace lmzip::codec::brevis
