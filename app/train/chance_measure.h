#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <span>

#include "app/train/language_model.h"
#include "app/train/metrics.h"
#include "model/neural/network_distribution.h"

namespace lmzip::train {

/// Frequencies that the integer network gives to all leaves after what came before, in units of
/// leaf_frequencies::total: written to `to` [leaves].
void write_chances(model::symbol_distribution& source, std::uint32_t leaves, float* to);

/// What the integer model and the model that it was rounded from guess of a text, in whole
/// distributions.
struct text_chances {
  chance_sums integer, floating;
  double divergence_nats = 0;  ///< sum of KL(floating || integer) over the tokens
};

/// Measures blocks of text token by token, each with all that came before in its block. Either
/// model may be missing. The integer model is taken as it is, without adaptation.
class chance_measure {
 public:
  /// The models outlive this; `floating` is on `device`.
  chance_measure(const model::neural::language_model* integer, language_model* floating,
                 torch::Device device);

  /// `on_progress` gets the part that is done. Throws error(canceled) on a signal.
  text_chances measure(std::span<const std::uint16_t> block,
                       const std::function<void(double)>& on_progress) const;

 private:
  torch::Tensor integer_rows(model::neural::network_distribution& source,
                             std::span<const std::uint16_t> leaves) const;
  torch::Tensor floating_rows(std::span<const std::uint16_t> block, std::size_t begin,
                              std::size_t count, body_state& state) const;

  const model::neural::language_model* integer_;
  language_model* floating_;
  torch::Device device_;
};

/// Adds what rows of logarithms of chances [N, leaves] say of the leaves that came.
void add_chances(const torch::Tensor& log_chances, const torch::Tensor& leaves, chance_sums& to);

}  // namespace lmzip::train
