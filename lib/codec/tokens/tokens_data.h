#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/tokens/token_values.h"
#include "model/alphabet.h"
#include "model/step_tree.h"

namespace lmzip::codec::tokens {

/// What the model needs to know of a token, in a byte: model::symbol_facts::kind, and these.
inline constexpr std::uint8_t kind_bits = 31;
inline constexpr std::uint8_t newline_bit = 32;  ///< it holds a line end
inline constexpr std::uint8_t word_bit = 64;     ///< it is letters only

/// What blocks are coded with, made from an alphabet of tokens. Immutable.
class tokens_data {
 public:
  /// Takes in all that it needs of `symbols`.
  explicit tokens_data(const model::alphabet& symbols);

  const model::step_tree& tree() const noexcept { return tree_; }
  const value_layout& layout() const noexcept { return layout_; }
  std::uint8_t traits(std::uint32_t leaf) const noexcept { return traits_[leaf]; }

  /// Bytes of a token, 1 … 127.
  std::size_t length(std::uint32_t leaf) const noexcept { return texts_[leaf].length; }
  /// The bytes of a token; 16 bytes can be read there.
  const std::uint8_t* text(std::uint32_t leaf) const noexcept {
    return bytes_.data() + texts_[leaf].start;
  }

  /// Writes the bytes of tokens to the start of `plain` and returns their number. Throws
  /// error(damaged) if they do not fit.
  std::size_t write_text(std::span<const std::uint16_t> leaves, std::span<std::byte> plain) const;

 private:
  struct place {
    std::uint32_t start : 24;
    std::uint32_t length : 8;
  };

  model::step_tree tree_;
  value_layout layout_;
  std::vector<std::uint8_t> traits_;
  std::vector<place> texts_;
  std::vector<std::uint8_t> bytes_;
};

/// The data of the shipped vocabulary, made at the first call. Safe to call from several threads.
const tokens_data& shipped_tokens_data();

/// Name of the section of the parameter file that holds what train_values() returns.
inline constexpr const char* start_section = "tokens1";

/// The values that blocks start from, an image of that data's layout.
std::span<const std::byte> shipped_start_values();

}  // namespace lmzip::codec::tokens
