#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lmzip::codec::text {

/// What an entry of the n-gram table must save, in bits over the training text.
struct ngram_limits {
  std::uint32_t pair_bits = 16;    ///< by the last symbol
  std::uint32_t triple_bits = 30;  ///< by the last two, which costs more
};

/// The n-gram section (vocab/SPEC.md) of a training text whose documents end with zero bytes, as
/// model::ngram_table reads it. Depends on the text, the limits and the shipped vocabulary only.
/// Needs about 16 bytes of memory a token.
std::vector<std::uint8_t> train_ngrams(std::span<const std::byte> text,
                                       const ngram_limits& limits = {});

}  // namespace lmzip::codec::text
