#pragma once

#include <cstdint>

#include "model/symbol_distribution.h"

namespace lmzip::model {

/// What the mixer gets of a distribution from outside: its stretch at every decision on the way to
/// a symbol. Without a distribution, or while it is not used, that is 0.
class outside_input {
 public:
  outside_input() = default;
  explicit outside_input(symbol_distribution* source) noexcept : source_(source) {}

  bool present() const noexcept { return source_ != nullptr; }

  /// Begins a symbol. Unless `judges_guess`, the distribution is not asked before a guess was
  /// wrong.
  void begin(bool judges_guess = true) noexcept {
    judges_guess_ = judges_guess;
    guess_ = none;
    missed_mass_ = 0;
  }

  int guess(std::uint32_t leaf) noexcept {
    if (!present()) return 0;
    guess_ = leaf;
    if (!judges_guess_) return 0;
    weigh_guess();
    return stretch_of_masses(missed_mass_, source_->total() - missed_mass_);
  }

  void start_tree() noexcept {
    if (!present()) return;
    if (guess_ != none && !judges_guess_) weigh_guess();
    low_ = 0;
    high_ = source_->total();
  }

  /// At the node whose right subtree begins at `middle`, without the mass of a missed guess.
  int at(std::uint32_t middle) noexcept {
    if (!present()) return 0;
    middle_ = source_->mass_below(middle);
    std::uint64_t right = high_ - middle_;
    std::uint64_t left = middle_ - low_;
    if (missed_mass_ != 0 && missed_low_ >= low_ && missed_low_ + missed_mass_ <= high_)
      (missed_low_ >= middle_ ? right : left) -= missed_mass_;
    return stretch_of_masses(right, left);
  }

  void keep(bool right) noexcept {
    if (!present()) return;
    (right ? low_ : high_) = middle_;
    source_->keep(right);
  }

  void advance(std::uint32_t leaf) {
    if (present()) source_->advance(leaf);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  void weigh_guess() noexcept {
    missed_low_ = source_->mass_below(guess_);
    missed_mass_ = source_->mass_below(guess_ + 1) - missed_low_;
  }

  symbol_distribution* source_ = nullptr;
  bool judges_guess_ = true;
  std::uint32_t guess_ = none;
  std::uint64_t low_ = 0, middle_ = 0, high_ = 0;  ///< masses around the current subtree
  std::uint64_t missed_low_ = 0, missed_mass_ = 0;
};

}  // namespace lmzip::model
