#include "codec/text/ngram_counts.h"

#include <algorithm>

#include "codec/text/leaves.h"

namespace lmzip::codec::text {
namespace {

// A key has three leaves and the document.
constexpr unsigned document_bits = 64 - 3 * leaf_bits;
constexpr std::uint64_t document_mask = (std::uint64_t{1} << document_bits) - 1;

std::uint64_t square_root(std::uint64_t square) noexcept {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= square) root |= bit;
  }
  return root;
}

std::vector<weighted_ngram> weigh(std::vector<std::uint64_t> keys) {
  std::sort(keys.begin(), keys.end());
  std::vector<weighted_ngram> ngrams;
  for (auto at = keys.begin(); at != keys.end();) {
    const auto next = std::upper_bound(at, keys.end(), *at);
    const std::uint64_t leaves = *at >> document_bits;
    const auto times = static_cast<std::uint64_t>(next - at);
    if (ngrams.empty() || ngrams.back().leaves != leaves) ngrams.push_back({leaves, 0});
    ngrams.back().weight += square_root(times * ngram_unit * ngram_unit);
    at = next;
  }
  return ngrams;
}

}  // namespace

ngram_counts count_ngrams(std::span<const std::byte> text) {
  std::vector<std::uint64_t> pairs;
  std::vector<std::uint64_t> triples;
  std::uint64_t document = 0;
  for (auto begin = text.begin(); begin != text.end(); ++document) {
    const auto end = std::find(begin, text.end(), std::byte{0});
    const auto leaves = leaves_of_tokens({begin, end});
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      last = last << leaf_bits | leaves[i];
      const std::uint64_t here = document & document_mask;
      if (i >= 1) pairs.push_back((last & ((1U << 2 * leaf_bits) - 1)) << document_bits | here);
      if (i >= 2) triples.push_back(last << document_bits | here);
    }
    begin = end == text.end() ? end : end + 1;
  }
  return {weigh(std::move(pairs)), weigh(std::move(triples))};
}

}  // namespace lmzip::codec::text
