#pragma once

#include <cstdint>

namespace lmzip::model {

/// A predictor of whole symbols from outside the context model: an n-gram table, a network. Its
/// probabilities enter the mixer as one more input at every decision.
///
/// Masses are integers and must depend on the symbols seen only, so that encoder and decoder get
/// the same ones on every machine.
class symbol_distribution {
 public:
  virtual ~symbol_distribution() = default;

  /// Sum of the masses of all leaves below `leaf` for the coming symbol; mass_below(leaf count)
  /// is the total. Never decreases with `leaf`; the total is below 2^40.
  virtual std::uint64_t mass_below(std::uint32_t leaf) const = 0;

  /// Takes note of the coded symbol and goes on to the next.
  virtual void advance(std::uint32_t leaf) = 0;
};

/// Stretch (see logistic.h) of the probability in_favour / (in_favour + against).
int stretch_of_masses(std::uint64_t in_favour, std::uint64_t against) noexcept;

}  // namespace lmzip::model
