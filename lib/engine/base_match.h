#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base_pool.h"
#include "engine/tensor_cuts.h"
#include "formats/tensors/layout.h"

namespace lmzip::engine {

/// Tensors of a base that a tensor may be coded against.
struct partners {
  /// The first that has its name and as many numbers.
  std::optional<std::uint32_t> named;
  /// Of which the one that costs least is to be taken: all that have the name, if they are several;
  /// if none has, those of its type and shape that no name took. nullptr: none.
  std::shared_ptr<const std::vector<std::uint32_t>> choice;

  bool empty() const noexcept { return !named && choice == nullptr; }
};

/// Most tensors of a choice.
inline constexpr std::size_t most_tried = 64;

/// A part of a block, and what it may be coded against.
struct based_part {
  tensor_slice part;
  partners from;
};

/// Finds partners for the tensors of a layout, in their order.
std::vector<partners> match(const tensors::tensor_layout& layout, const base_pool& base);

}  // namespace lmzip::engine
