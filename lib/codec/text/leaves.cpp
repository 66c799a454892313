#include "codec/text/leaves.h"

#include <algorithm>

#include "vocab/shipped.h"
#include "vocab/tokenizer.h"

namespace lmzip::codec::text {

std::vector<std::uint16_t> leaves_of_tokens(std::span<const std::byte> plain) {
  const vocab::vocabulary& words = vocab::shipped_vocabulary();
  vocab::tokenizer tokenizer(words, plain.size());
  std::vector<std::uint16_t> leaves;
  tokenizer.encode(plain, leaves);
  for (std::uint16_t& leaf : leaves) leaf = static_cast<std::uint16_t>(words.leaf_of_token(leaf));
  return leaves;
}

std::vector<std::uint16_t> leaves_of_bytes(std::span<const std::byte> plain) {
  std::vector<std::uint16_t> leaves(plain.size());
  std::transform(plain.begin(), plain.end(), leaves.begin(),
                 [](std::byte b) { return std::to_integer<std::uint16_t>(b); });
  return leaves;
}

}  // namespace lmzip::codec::text
