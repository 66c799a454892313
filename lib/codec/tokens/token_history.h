#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/tokens/tokens_data.h"
#include "model/hashing.h"

namespace lmzip::codec::tokens {

/// What the contexts of the next token are made of: the tokens before it and its place in its line
/// of text. Tokens are named by their leaves.
struct token_history {
  std::uint32_t last = 0;
  std::uint32_t before_last = 0;
  std::uint32_t third_last = 0;
  std::uint32_t line_start = 0;  ///< first token of the line + 1
  std::uint32_t field = 0;       ///< tokens in the line that are no words, up to most_fields

  static constexpr std::uint32_t most_fields = 31;

  void advance(std::uint32_t leaf, unsigned traits) noexcept {
    if ((traits & newline_bit) != 0) {
      line_start = 0;
      field = 0;
    } else {
      if (line_start == 0 && field == 0) line_start = leaf + 1;
      if ((traits & word_bit) == 0 && field < most_fields) ++field;
    }
    third_last = before_last;
    before_last = last;
    last = leaf;
  }

  std::uint64_t hash_of_three() const noexcept {
    return hash(0, std::uint64_t{third_last} << 32 | last_two());
  }
  std::uint64_t hash_of_place(unsigned last_traits) const noexcept {
    return hash(1, std::uint64_t{line_start} << 16 | field << 8 | (last_traits & kind_bits));
  }
  std::uint64_t hash_of_two() const noexcept { return hash(3, last_two()); }

 private:
  std::uint64_t last_two() const noexcept { return std::uint64_t{before_last} << 16 | last; }
  static std::uint64_t hash(std::uint64_t context, std::uint64_t values) noexcept {
    return model::hash_finish(model::hash_step(context, values));
  }
};

}  // namespace lmzip::codec::tokens
