#pragma once

#include <cstdint>

namespace lmzip::train {

// What is reported of a text and of those that guess or code it, as pure formulas. Names and
// definitions are those of the literature on compression by language models; a compression ratio is
// original by compressed, so that more is better.

struct text_size {
  std::uint64_t bytes = 0;
  std::uint64_t characters = 0;  ///< UTF-8 code points; a byte of no valid sequence counts as one
  std::uint64_t tokens = 0;

  text_size& operator+=(const text_size& other) noexcept;
};

/// What coding a text and decoding it again came to.
struct coding_result {
  std::uint64_t coded_bytes = 0;
  std::uint64_t coded_tokens = 0;  ///< less than the text's where some are not coded
  std::uint64_t equal_bytes = 0;   ///< of the decoded text
  double encode_seconds = 0;
  double decode_seconds = 0;
  double encode_network_seconds = 0;  ///< of these, in the network; 0: not told apart
  double decode_network_seconds = 0;

  coding_result& operator+=(const coding_result& other) noexcept;
};

/// Of the chances that a model gave to the tokens of a text.
struct chance_sums {
  std::uint64_t tokens = 0;
  double nats = 0;          ///< sum of -ln of the chance of each token
  double entropy_nats = 0;  ///< sum of the entropies of the distributions; 0: not known

  chance_sums& operator+=(const chance_sums& other) noexcept;

  /// Mean nats a token.
  double cross_entropy() const noexcept;
  double bits_per_token() const noexcept;
  double perplexity() const noexcept;

  /// Mean of KL(distribution || uniform over `leaves`), nats a token.
  double divergence_from_uniform(std::uint32_t leaves) const noexcept;
};

/// `original` by `coded`; 0 if nothing was coded.
double compression_ratio(std::uint64_t original, std::uint64_t coded) noexcept;

/// Coded bits by `count` bytes, characters or tokens.
double bits_per(std::uint64_t coded_bytes, std::uint64_t count) noexcept;

/// Part of the text's bytes that decoding gave back; 1 is what it must be.
double reconstruction_accuracy(std::uint64_t equal_bytes, std::uint64_t bytes) noexcept;

/// How many more bits `model` needs than `reference`, in percent.
double loss_percent(const chance_sums& model, const chance_sums& reference) noexcept;

}  // namespace lmzip::train
