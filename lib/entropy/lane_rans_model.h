#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/cursor.h"

namespace lmzip {

/// The alphabet of a lane_rans stream (lane_rans.h) and how often each of its symbols comes in each
/// context, in units of 2^-precision. A symbol of frequency 0 cannot be coded there: the escape
/// symbol, which always can, takes its place.
class lane_rans_model {
 public:
  static constexpr unsigned max_contexts = 16;
  static constexpr unsigned max_symbols = 256;
  static constexpr unsigned min_precision = 9;
  static constexpr unsigned max_precision = 12;

  struct shape {
    unsigned precision = max_precision;  ///< min_precision … max_precision
    unsigned contexts = 1;               ///< 1 … max_contexts
    unsigned symbols = max_symbols;      ///< 2 … max_symbols
    unsigned escape = max_symbols - 1;   ///< below `symbols`
  };

  /// The model for symbols that come `counts[context * max_symbols + symbol]` times, or so often in
  /// a sample. An escape is followed by `escape_bits` bits elsewhere: what is rarer than such
  /// detours pay for gets frequency 0.
  static lane_rans_model fit(const shape& alphabet, std::span<const std::uint32_t> counts,
                             unsigned escape_bits);

  /// Reads what append_to() wrote. Throws error(damaged) for anything that it does not write.
  static lane_rans_model read(const shape& alphabet, cursor& in);

  /// Appends the model to `bytes`: the length of a code (u16), then the code of the frequencies.
  void append_to(std::vector<std::byte>& bytes) const;

  const shape& alphabet() const noexcept { return shape_; }

  /// max_symbols numbers. Their sum is 2^precision; the escape's is at least 1, none is all of it.
  std::span<const std::uint16_t> frequencies(unsigned context) const noexcept {
    return {&frequencies_[std::size_t{context} * max_symbols], max_symbols};
  }

 private:
  explicit lane_rans_model(const shape& alphabet);
  void scale();

  shape shape_;
  std::vector<std::uint16_t> weights_;  ///< rounded to 4 significant bits: what is stored
  std::vector<std::uint16_t> frequencies_;
};

}  // namespace lmzip
