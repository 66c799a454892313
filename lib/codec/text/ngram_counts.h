#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lmzip::codec::text {

inline constexpr unsigned leaf_bits = 14;
inline constexpr std::uint64_t leaf_mask = (std::uint64_t{1} << leaf_bits) - 1;

/// Leaves that follow each other, the last one in the low bits, and how often: n occurrences in one
/// document weigh ngram_unit * sqrt(n), so that what many documents say counts most.
struct weighted_ngram {
  std::uint64_t leaves;
  std::uint64_t weight;
};
inline constexpr std::uint64_t ngram_unit = 16;

struct ngram_counts {
  std::vector<weighted_ngram> pairs;  ///< in the order of their leaves
  std::vector<weighted_ngram> triples;
};

/// Counts within the documents of a text, which end with zero bytes. There can be 2^22 of them.
ngram_counts count_ngrams(std::span<const std::byte> text);

}  // namespace lmzip::codec::text
