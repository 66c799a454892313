// A vocabulary file is read completely or refused; what is read cuts any text and gives it back.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/hash.h"
#include "lmzip/error.h"
#include "vocab/tokenizer.h"
#include "vocab/vocabulary.h"

namespace {

using namespace lmzip;
using namespace lmzip::vocab;

void check(bool condition) {
  if (!condition) std::abort();
}

void check_vocabulary(std::span<const std::byte> file, std::span<const std::byte> text) {
  try {
    const vocabulary words = vocabulary::parse(file);
    double filled = 0;
    for (std::size_t leaf = 0; leaf < words.size(); ++leaf) {
      check(words.leaf_of_token(words.token_of_leaf(leaf)) == leaf);
      filled += 1 / static_cast<double>(std::uint64_t{1} << words.depth(leaf));
    }
    check(filled == 1);

    tokenizer cutter(words, text.size());
    std::vector<token_id> tokens;
    cutter.encode(text, tokens);
    std::size_t at = 0;
    for (const token_id t : tokens) {
      for (const std::uint8_t b : words.bytes(t)) {
        check(at < text.size() && b == std::to_integer<std::uint8_t>(text[at]));
        ++at;
      }
    }
    check(at == text.size());
  } catch (const error&) {
    // Refused: that is fine.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  check_vocabulary(input, input);

  // Again with a valid hash, which a fuzzer would never find.
  std::vector<std::byte> hashed(input.begin(), input.end());
  const hash256 hash = sha256_of(hashed);
  hashed.insert(hashed.end(), hash.begin(), hash.end());
  check_vocabulary(hashed, input);
  return 0;
}
