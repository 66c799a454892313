#pragma once

#include <cstdint>
#include <vector>

#include "codec/brevis/tensor_part.h"
#include "core/dtype.h"

namespace lmzip::engine {

/// What the bytes of a block are, as far as that helps to code them.
struct content {
  dtype type = dtype::bytes;  ///< of numbers that fill the block from its first byte on
  /// Elements along the last axis of the tensor; 0: more than one tensor, or not known.
  std::uint64_t columns = 0;
  /// The tensors, or the piece of one, that fill the block; empty where they are not looked at.
  std::vector<codec::brevis::tensor_part> tensors{};

  bool has_numbers() const noexcept { return type != dtype::bytes; }

  friend bool operator==(const content&, const content&) = default;
};

}  // namespace lmzip::engine
