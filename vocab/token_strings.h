#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vocab/format.h"

namespace lmzip::vocab {

/// The bytes of all tokens of a vocabulary, in one block of memory.
class token_strings {
 public:
  token_strings() : text_(max_token_bytes) {}

  /// Adds the next token, 1 ... max_token_bytes bytes.
  void add(std::span<const std::uint8_t> bytes);

  std::size_t size() const noexcept { return places_.size(); }

  /// The bytes of a token. max_token_bytes bytes can be read from its start, so that a token can be
  /// copied in a few wide moves. Valid until the next add().
  std::span<const std::uint8_t> operator[](std::size_t token) const noexcept {
    const place p = places_[token];
    return {text_.data() + p.offset, p.length};
  }

  /// The tokens in the order of their bytes (unsigned; a prefix before what it begins).
  std::vector<token_id> alphabetical() const;

 private:
  struct place {
    std::uint32_t offset;
    std::uint32_t length;
  };

  std::vector<std::uint8_t> text_;  // followed by max_token_bytes zeros
  std::vector<place> places_;
};

}  // namespace lmzip::vocab
