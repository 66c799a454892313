#pragma once

#include <cstdint>

#include "model/neural/fixed_point.h"

namespace lmzip::model::neural {

/// What all kernels of a target compute with; `Product` names the target (kernels_impl.h).
template <class Product>
struct kernel_arithmetic {
  static std::int32_t within(std::int32_t value, std::int32_t bound) noexcept {
    return value > bound ? bound : value < -bound ? -bound : value;
  }

  /// `scale` of fixed_point.h, in a function of this target. Below 2^31 by what that asks for.
  static std::int32_t scaled(std::int32_t sum, std::int32_t factor, scaling s) noexcept {
    const std::int32_t high = sum >> s.low_bits;
    const std::int32_t low = sum & ((std::int32_t{1} << s.low_bits) - 1);
    return (high * factor + ((low * factor) >> s.low_bits) + (std::int32_t{1} << (s.shift - 1))) >>
           s.shift;
  }
};

}  // namespace lmzip::model::neural
