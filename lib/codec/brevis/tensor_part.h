#pragma once

#include <cstdint>

#include "codec/brevis/production.h"
#include "codec/brevis/tensor_type.h"

namespace lmzip::codec::brevis {

/// A tensor of a block, or the piece of one that the block holds.
struct tensor_part {
  tensor_type type;  ///< of a piece: as many rows as it has
  name_class name = name_class::other;
  std::uint64_t first_row = 0;  ///< of the piece, counting the rows of the last axis

  friend bool operator==(const tensor_part&, const tensor_part&) = default;
};

}  // namespace lmzip::codec::brevis
