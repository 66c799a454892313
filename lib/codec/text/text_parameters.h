#pragma once

#include <cstdint>

#include "codec/codec.h"
#include "codec/text/symbol_coder.h"

namespace lmzip::codec::text {

/// The codec parameters of a text block, see text_codec.h.
struct text_parameters {
  int strength = 3;
  symbol_kind kind = symbol_kind::tokens;
  bool x86 = false;
  unsigned log2_lines = 0;
  bool network = false;          ///< of the member's model
  std::uint32_t model_mark = 0;  ///< the first two bytes of its id

  /// Throws error(damaged) if no encoder writes such parameters.
  static text_parameters parse(std::uint32_t word);
  std::uint32_t pack() const noexcept;

  /// The inverse of pack(), without a check.
  static text_parameters unpack(std::uint32_t word) noexcept;

  const symbol_coder& coder() const noexcept { return find_coder(strength, kind, network); }

  /// The setup for a block of `plain_bytes`, with the shipped data. Throws error(missing) if the
  /// model is needed and another one or none.
  coding_setup setup(std::uint64_t plain_bytes, const shared_model* model = nullptr) const;
};

}  // namespace lmzip::codec::text
