#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/train/metrics.h"
#include "entropy/arithmetic_coder.h"
#include "model/neural/language_model.h"
#include "model/symbol_distribution.h"
#include "model/token_tree.h"

namespace lmzip::train {

/// Integer frequencies of all leaves that follow a distribution's masses: each at least 1, `total`
/// together.
class leaf_frequencies {
 public:
  /// So many that the units which leaves of next to no chance get cost nothing that could be
  /// measured: 16384 of 2^28.
  static constexpr std::uint32_t total = std::uint32_t{1} << 28;

  /// Of the coming token of a distribution over `leaves` leaves, which outlives this.
  leaf_frequencies(model::symbol_distribution& source, std::uint32_t leaves);

  /// Sum of the frequencies of the leaves below `leaf`.
  std::uint32_t below(std::uint32_t leaf);

 private:
  model::symbol_distribution& source_;
  std::uint32_t leaves_;
  std::uint64_t share_;  ///< frequency of a unit of mass, in 2^-32
};

/// The chance of a 1 as the arithmetic coder takes it.
std::uint32_t coder_probability(std::uint32_t frequency, std::uint32_t of);

/// Codes a leaf as the way to it from the root of the tree, by the sums of frequencies that
/// `below(leaf)` gives up to `total`.
template <class sums>
void encode_leaf(arithmetic_encoder& to, const model::token_tree& tree, std::uint32_t total,
                 sums&& below, std::uint32_t leaf) {
  std::uint32_t low = 0, high = total;
  for (std::uint32_t at = 0; (at & model::token_tree::leaf_mark) == 0;) {
    const model::token_tree::node& node = tree[at];
    const std::uint32_t middle = below(node.middle);
    const bool right = leaf >= node.middle;
    to.encode(right, coder_probability(high - middle, high - low));
    (right ? low : high) = middle;
    at = node.child[right ? 1 : 0];
  }
}

/// Decodes what encode_leaf() coded by the same sums.
template <class sums>
std::uint32_t decode_leaf(arithmetic_decoder& from, const model::token_tree& tree,
                          std::uint32_t total, sums&& below) {
  std::uint32_t low = 0, high = total, at = 0;
  while ((at & model::token_tree::leaf_mark) == 0) {
    const model::token_tree::node& node = tree[at];
    const std::uint32_t middle = below(node.middle);
    const bool right = from.decode(coder_probability(high - middle, high - low));
    (right ? low : high) = middle;
    at = node.child[right ? 1 : 0];
  }
  return at & ~std::uint32_t{model::token_tree::leaf_mark};
}

/// A number in bytes of seven bits, the lowest first.
void put_number(std::vector<std::byte>& to, std::uint64_t value);

/// Takes one off the front. Throws error(truncated).
std::uint64_t take_number(std::span<const std::byte>& from);

/// Takes so many bytes off the front. Throws error(truncated).
std::span<const std::byte> take_bytes(std::span<const std::byte>& from, std::uint64_t count);

/// The text of leaves of the shipped vocabulary.
std::vector<std::byte> text_of_leaves(std::span<const std::uint16_t> leaves);

/// How many bytes are equal at the same place.
std::uint64_t equal_bytes(std::span<const std::byte> a, std::span<const std::byte> b);

struct network_coding {
  coding_result result;
  chance_sums chances;  ///< that the coder took, without entropies
};

/// Codes a text by a network alone, in blocks of at most `block_bytes` that begin anew, and decodes
/// it again. Each block is its number of tokens, its coded bytes and these. With `adapts` the head
/// learns as it does in archives. Throws error(canceled) on a signal.
network_coding code_alone(const model::neural::language_model& network,
                          std::span<const std::byte> text, std::uint64_t block_bytes, bool adapts);

}  // namespace lmzip::train
