#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vocab/vocabulary.h"

namespace lmzip::vocab {

/// Cuts byte strings into the tokens of a vocabulary: into pieces first (pieces.h), then each piece
/// by byte-pair encoding. Any byte string can be encoded, and the bytes of its tokens, one after
/// the other, are that string again. The same bytes always give the same tokens.
///
/// Remembers the tokens of recent pieces, so an object serves one thread at a time. Making one
/// costs well under a millisecond.
class tokenizer {
 public:
  /// `words` must outlive the object. `expected_bytes` is how much text it will get altogether,
  /// about: small inputs do not repay a large memory.
  explicit tokenizer(const vocabulary& words, std::size_t expected_bytes = max_expected_bytes);

  /// Replaces `tokens` by the tokens of `text`, at most one a byte. While it runs, `tokens` holds
  /// up to 2 * text.size() + 128 bytes of memory. Throws std::bad_alloc.
  void encode(std::span<const std::byte> text, std::vector<token_id>& tokens);

 private:
  static constexpr std::size_t max_expected_bytes = std::size_t{1} << 20;
  static constexpr std::size_t remembered_bytes = 16;
  static constexpr std::size_t remembered_tokens = 7;

  /// A piece of 1 ... 16 bytes as two numbers, padded with zeros. Their byte order is that of the
  /// text on every machine.
  struct key {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    std::uint8_t bytes = 0;  // 0: no piece
  };

  /// A piece and its tokens: half a cache line.
  struct memo {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    std::uint8_t bytes = 0;
    std::uint8_t count = 0;
    token_id tokens[remembered_tokens] = {};
  };
  static_assert(sizeof(memo) == 32);

  static key key_of(const std::uint8_t* piece, std::size_t length, bool wide_load) noexcept;
  memo& memo_of(const key& piece) noexcept;
  std::size_t encode_and_remember(const std::uint8_t* piece, const key& k, memo& place,
                                  token_id* out);

  const merge_table& merges_;
  std::vector<memo> memory_;  // direct-mapped by a hash of the piece; a power of two
  unsigned hash_shift_;
};

}  // namespace lmzip::vocab
