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

  /// Mass of all symbols together, below 2^41.
  virtual std::uint64_t total() = 0;

  /// Sum of the masses of all leaves below `leaf` for the coming symbol; never decreases with
  /// `leaf`, and is total() at their number. The leaf must be one that keep() has left, or the
  /// next after them.
  virtual std::uint64_t mass_below(std::uint32_t leaf) = 0;

  /// Leaves the leaves from that of the last mass_below() on, or those below it, until the next
  /// symbol: what is left can be searched faster.
  virtual void keep(bool above) = 0;

  /// Takes note of the coded symbol and goes on to the next.
  virtual void advance(std::uint32_t leaf) = 0;
};

/// Stretch (see logistic.h) of the probability in_favour / (in_favour + against).
int stretch_of_masses(std::uint64_t in_favour, std::uint64_t against) noexcept;

}  // namespace lmzip::model
