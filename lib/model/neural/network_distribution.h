#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/neural/adaptive_head.h"
#include "model/neural/body.h"
#include "model/symbol_distribution.h"

namespace lmzip::model::neural {

/// The distribution of the coming token by a network. Costs next to nothing beyond the body where
/// it is not asked for a mass.
class network_distribution final : public symbol_distribution {
 public:
  /// `known` are the tokens that will come, which lets the body run on many at once and changes
  /// nothing else; empty if nobody knows. It and the model outlive the distribution. Archives need
  /// a head that learns; one that does not is for measuring what the model alone knows.
  explicit network_distribution(const language_model& model,
                                std::span<const std::uint16_t> known = {}, bool learns = true);

  std::uint64_t total() override {
    return std::uint64_t{head_.class_sums()[classes()]} << class_shift;
  }
  std::uint64_t mass_below(std::uint32_t leaf) override;
  void keep(bool) override {}
  void advance(std::uint32_t leaf) override;

  /// Working memory, with the body's and the head's.
  static std::uint64_t memory(const language_model& model);

 private:
  static constexpr int class_shift = 12;
  static constexpr int share_bits = 36;

  std::uint32_t classes() const noexcept { return model_->classes().size(); }
  void run(std::uint32_t symbol);
  void run_ahead();

  const language_model* model_;
  body_runner runner_;
  body_state state_;
  adaptive_head head_;
  std::span<const std::uint16_t> known_;
  bool learns_;
  std::size_t position_ = 0;
  std::vector<std::int8_t> rows_;  ///< of the body, for a batch
  std::uint32_t shared_class_;     ///< for which share_ holds, or the number of classes
  std::uint64_t share_ = 0;        ///< of a unit of mass in the class
};

}  // namespace lmzip::model::neural
