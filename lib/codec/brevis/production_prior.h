#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "codec/brevis/production.h"

namespace lmzip::codec::brevis {

/// How likely each production is to give the best program of a tensor: counted in the block so far,
/// by context, and smoothed with what contexts that say less have seen, down to a table that ships
/// with the program. By integers only.
class production_prior {
 public:
  /// Without `learned`, and where nothing was seen yet, the shipped table alone.
  explicit production_prior(bool learned = true) : learned_(learned) {}

  /// Minus the logarithm of the probability, in units of 2^-16 bits.
  std::uint64_t cost(const production_context& context, production what) const;

  /// All productions, likely ones first; of equally likely ones in the order of their numbers.
  std::array<production, production_count> order(const production_context& context) const;

  /// Notes the production that a tensor's best program begins with.
  void learn(const production_context& context, production winner);

  /// Whether tensors of exactly this context were seen before.
  bool has_seen(const production_context& context) const;

 private:
  using counts = std::array<std::uint32_t, production_count>;
  using probabilities = std::array<std::uint32_t, production_count>;  // in units of 2^-16

  static constexpr unsigned levels = 4;
  static std::uint32_t key_of(const production_context& context, unsigned level) noexcept;
  probabilities of(const production_context& context) const;

  bool learned_;
  std::unordered_map<std::uint32_t, counts> seen_;
};

/// Minus the logarithm of a probability of `share` / 65536 (1 … 65536), in units of 2^-16 bits.
std::uint64_t cost_of_probability(std::uint32_t share) noexcept;

}  // namespace lmzip::codec::brevis
