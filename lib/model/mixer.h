#pragma once

#include <array>
#include <cstdint>

#include "model/logistic.h"

namespace lmzip::model {

/// Logistic mixing: the probability is the squash of the weighted sum of the inputs' stretches.
/// The weight vector is the sum of one vector from each of several sets, picked by small contexts,
/// and all of them learn (M. Mahoney, "Adaptive Weighing of Context Models for Lossless Data
/// Compression", 2005; the summed sets replace its second layer).
template <int Inputs, int Sets, class Kernels>
class mixer {
 public:
  /// Weight 1 and the input of the constant bias.
  static constexpr std::int32_t one = 1 << 16;
  static constexpr std::int32_t bias_input = 256;

  mixer() = default;

  /// `weights[s]` are the vectors of set s, each of Inputs numbers, aligned to 32 bytes.
  mixer(const std::array<std::int32_t*, Sets>& weights, int learning_rate) noexcept
      : base_(weights), learning_rate_(learning_rate) {}

  std::int32_t* inputs() noexcept { return inputs_; }

  void select(int set, std::uint32_t row) noexcept {
    chosen_[static_cast<std::size_t>(set)] =
        base_[static_cast<std::size_t>(set)] + std::size_t{row} * Inputs;
  }

  /// Brings a vector of a set into the cache.
  void prefetch(int set, std::uint32_t row) const noexcept {
    const std::int32_t* const vector =
        base_[static_cast<std::size_t>(set)] + std::size_t{row} * Inputs;
    for (int i = 0; i < Inputs; i += 16) __builtin_prefetch(vector + i);
    __builtin_prefetch(vector + Inputs - 1);
  }

  void mix() noexcept {
    stretch_ = std::clamp(Kernels::template dot<Inputs, Sets>(inputs_, chosen_.data()),
                          -max_stretch, max_stretch);
    probability_ = squash(stretch_);
  }

  int stretched() const noexcept { return stretch_; }
  int probability() const noexcept { return probability_; }

  void learn(bool bit) noexcept {
    const std::int32_t error = ((bit ? 65535 : 0) - probability_) * learning_rate_;
    Kernels::template train<Inputs, Sets>(inputs_, chosen_.data(), error >> 4);
  }

 private:
  alignas(64) std::int32_t inputs_[Inputs] = {};
  std::array<std::int32_t*, Sets> base_{};
  std::array<std::int32_t*, Sets> chosen_{};
  int learning_rate_ = 0;
  int stretch_ = 0;
  int probability_ = 32768;
};

}  // namespace lmzip::model
