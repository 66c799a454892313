#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "model/alphabet.h"
#include "model/neural/language_model.h"
#include "model/ngram_table.h"
#include "model/parameters.h"
#include "model/strength.h"
#include "model/symbol_distribution.h"

namespace lmzip::codec::text {

/// What encoder and decoder of a block have in common.
struct coding_setup {
  const model::alphabet* symbols = nullptr;
  std::span<const std::byte> parameters;  ///< image of the strength's layout
  unsigned log2_lines = 0;                ///< min_log2_lines … max_log2_lines of the strength
  std::uint64_t plain_bytes = 0;          ///< of the block; no more symbols than that

  /// What candidates are taken from, for strengths that use n-grams in this way; else nullptr.
  const model::ngram_table* candidates = nullptr;

  /// Makes one more predictor of the symbols for a block; empty: there is none.
  std::function<std::unique_ptr<model::symbol_distribution>()> make_prior = {};

  /// For coders with a network.
  const model::neural::language_model* network = nullptr;

  void use_ngrams(const model::ngram_table& table, model::ngram_use use) {
    if (use == model::ngram_use::candidates) candidates = &table;
    if (use == model::ngram_use::masses)
      make_prior = [&table] { return std::make_unique<model::ngram_distribution>(table); };
  }
};

inline constexpr unsigned min_log2_lines = 8;

/// The predictor at one strength, for one kind of symbols. A table of functions: one for each
/// strength and instruction set, all of the same strength giving equal results.
struct symbol_coder {
  model::predictor_shape shape;
  unsigned max_log2_lines;
  model::ngram_use ngrams;

  std::uint64_t (*memory)(const coding_setup& setup);

  /// Codes a sequence of leaves.
  std::vector<std::byte> (*encode)(const coding_setup& setup,
                                   std::span<const std::uint16_t> leaves);

  /// Decodes symbols until their bytes fill `plain`. Throws error(damaged) if they do not fit or
  /// coded bytes are left over.
  void (*decode)(const coding_setup& setup, std::span<const std::byte> coded,
                 std::span<std::byte> plain);

  /// Codes a sequence of leaves and overwrites `learned` by the parameters as they are then.
  void (*train)(const coding_setup& setup, std::span<const std::uint16_t> leaves,
                std::span<std::byte> learned);
};

/// What a block is coded as, and with which contexts (model/strength.h).
enum class symbol_kind : std::uint8_t {
  tokens,   ///< of the shipped vocabulary
  letters,  ///< bytes of text of which the vocabulary knows little
  records,  ///< bytes of anything else
};
inline constexpr std::size_t symbol_kinds = 3;

/// The strengths are numbered from 2; strength 1 has codecs of its own.
inline constexpr int min_strength = 2;
inline constexpr int max_strength = 4;

/// Strengths that can have a network, for tokens.
inline constexpr int min_network_strength = 3;

struct symbol_coder_table {
  std::array<std::array<symbol_coder, symbol_kinds>, max_strength - min_strength + 1> alone;
  std::array<symbol_coder, max_strength - min_network_strength + 1> with_network;
};

/// The coder on the active instruction set (core/cpu.h).
const symbol_coder& find_coder(int strength, symbol_kind kind, bool network = false) noexcept;

namespace scalar {
extern const symbol_coder_table coders;
}
#if defined(__x86_64__)
namespace avx2 {
extern const symbol_coder_table coders;
}
namespace avx512 {
extern const symbol_coder_table coders;
}
#endif

}  // namespace lmzip::codec::text
