#include "model/neural/network_distribution.h"

#include <algorithm>
#include <array>

namespace lmzip::model::neural {

network_distribution::network_distribution(const language_model& model,
                                           std::span<const std::uint16_t> known, bool learns)
    : model_(&model),
      runner_(model),
      state_(model),
      head_(model),
      known_(known),
      learns_(learns),
      rows_(static_cast<std::size_t>(model.width()) * (known.empty() ? 1 : max_batch)),
      shared_class_(classes()) {
  if (known_.empty())
    run(model.start_symbol());
  else
    run_ahead();
}

std::uint64_t network_distribution::memory(const language_model& model) {
  return body_runner::memory(model) + adaptive_head::memory(model) +
         static_cast<std::uint64_t>(model.width()) * max_batch;
}

std::uint64_t network_distribution::mass_below(std::uint32_t leaf) {
  const std::uint32_t* const class_sums = head_.class_sums();
  if (leaf == model_->classes().leaves()) return total();
  const std::uint32_t number = model_->classes().class_of(leaf);
  const std::uint64_t below = std::uint64_t{class_sums[number]} << class_shift;
  const std::uint32_t place = leaf - model_->classes().first_leaf(number);
  if (place == 0) return below;
  const std::uint32_t* const leaf_sums = head_.leaf_sums(number);
  if (shared_class_ != number) {
    shared_class_ = number;
    const std::uint64_t mass = class_sums[number + 1] - class_sums[number];
    share_ = (mass << share_bits) / leaf_sums[model_->classes().leaf_count(number)];
  }
  return below + (leaf_sums[place] * share_ >> (share_bits - class_shift));
}

void network_distribution::advance(std::uint32_t leaf) {
  if (learns_) head_.learn(leaf);
  shared_class_ = classes();
  ++position_;
  if (known_.empty())
    run(leaf);
  else if (position_ < known_.size())
    run_ahead();
}

void network_distribution::run(std::uint32_t symbol) {
  const body_step step{&state_, symbol, rows_.data()};
  runner_.run({&step, 1});
  head_.see(rows_.data());
}

/// Goes to the next row, of a new batch if the last one is used up.
void network_distribution::run_ahead() {
  const std::size_t place = position_ % max_batch,
                    width = static_cast<std::size_t>(model_->width());
  if (place == 0) {
    std::array<body_step, max_batch> steps;
    const std::size_t count = std::min<std::size_t>(max_batch, known_.size() - position_);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = position_ + i;
      steps[i] = {&state_, at == 0 ? model_->start_symbol() : known_[at - 1],
                  rows_.data() + i * width};
    }
    runner_.run(std::span(steps).first(count));
  }
  head_.see(rows_.data() + place * width);
}

}  // namespace lmzip::model::neural
