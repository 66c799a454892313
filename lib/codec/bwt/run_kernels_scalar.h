#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/bwt/run_tables.h"
#include "model/kernels_scalar.h"
#include "model/logistic.h"

namespace lmzip::codec::bwt {

/// The last input of the mixer, which never changes.
inline constexpr std::int32_t bias_input = 256;

/// The inner loops of the run model in plain C++: their definition.
struct scalar_run_kernels : model::scalar_kernels {
  /// Inputs of the mixer: the chances' stretches, zeros, the bias.
  template <std::size_t Count>
  static void store_stretches(const std::array<std::uint16_t, Count>& chances,
                              std::int32_t* inputs) noexcept {
    for (std::size_t i = 0; i < Count; ++i) inputs[i] = model::stretch(chances[i]);
    for (std::size_t i = Count; i + 1 < mixer_inputs; ++i) inputs[i] = 0;
    inputs[mixer_inputs - 1] = bias_input;
  }
};

}  // namespace lmzip::codec::bwt
