#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lmzip/stream.h"
#include "vocab/format.h"

namespace lmzip::vocab {

/// Makes a vocabulary from training texts: counts their pieces (pieces.h), merges the most frequent
/// pair of neighbouring tokens again and again (Gage 1994; Sennrich et al. 2016), and balances the
/// token tree by the counts of the tokens. The result depends on the documents only: not on their
/// order, the machine or the library. Of equally frequent pairs the one of the lower token numbers
/// is merged.
///
/// For the merges, n occurrences of a piece in one document count as the square root of n, so that
/// no single repetitive document gets tokens of its own (measured: 1 % fewer tokens on text that
/// was not trained on, and none of its kinds lost).
///
/// Keeps the pieces, not the texts: about 100 bytes for every different piece.
class trainer {
 public:
  /// `tokens` is how many tokens to make, byte_tokens ... max_tokens.
  explicit trainer(std::size_t tokens = max_tokens) : wanted_tokens_(tokens) {}

  /// Adds all documents of a text. A document ends at a zero byte, which is not part of it, at the
  /// end of the text, and where it has become 16 MiB long. Throws what `text` throws.
  void add(source& text);

  /// The vocabulary file. Has fewer tokens than asked for if the texts have too few pairs.
  std::vector<std::byte> train() const;

 private:
  struct piece_counts {
    std::uint64_t occurrences = 0;
    std::uint64_t weight = 0;  // for the merges: damped
  };

  void add_document(std::span<const std::uint8_t> document);

  std::size_t wanted_tokens_;
  std::pmr::monotonic_buffer_resource piece_bytes_;
  std::unordered_map<std::string_view, piece_counts> pieces_;
};

}  // namespace lmzip::vocab
