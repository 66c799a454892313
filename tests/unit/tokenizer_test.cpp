#include <doctest/doctest.h>

#include "vocab/pieces.h"
#include "vocab/shipped.h"
#include "vocabulary_support.h"

namespace lmzip::vocab::test {
namespace {

std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const auto* start = reinterpret_cast<const std::uint8_t*>(text.data());
    const std::size_t length = piece_length(start, text.size());
    REQUIRE(length >= 1);
    REQUIRE(length <= std::min(text.size(), max_piece_bytes));
    pieces.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return pieces;
}

bytes bytes_of(const vocabulary& words, const std::vector<token_id>& tokens) {
  bytes text;
  for (const token_id t : tokens) {
    const auto b = std::as_bytes(words.bytes(t));
    text.insert(text.end(), b.begin(), b.end());
  }
  return text;
}

/// The definition of the encoding, as slow as it is plain.
std::vector<token_id> plain_encoding(const vocabulary& words, std::string_view text) {
  std::vector<token_id> all;
  for (const std::string& piece : pieces_of(text)) {
    std::vector<token_id> tokens(piece.size());
    std::transform(piece.begin(), piece.end(), tokens.begin(),
                   [](char c) { return static_cast<std::uint8_t>(c); });
    for (;;) {
      std::size_t at = 0;
      token_id best = 0;
      for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const token_id merged = words.merges().find(tokens[i], tokens[i + 1]);
        if (merged == 0 || (best != 0 && merged >= best)) continue;
        best = merged;
        at = i;
      }
      if (best == 0) break;
      tokens[at] = best;
      tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    all.insert(all.end(), tokens.begin(), tokens.end());
  }
  return all;
}

}  // namespace

TEST_CASE("text is split into words, numbers, punctuation and blanks") {
  using list = std::vector<std::string>;
  CHECK(pieces_of("The cat, 12345 times.") ==
        list{"The", " cat", ",", " 123", "45", " times", "."});
  CHECK(pieces_of("a  b") == list{"a", " ", " b"});
  CHECK(pieces_of("a\n    b") == list{"a", "\n   ", " b"});
  CHECK(pieces_of("a\n\tb") == list{"a", "\n\t", "b"});
  CHECK(pieces_of("end \n") == list{"end", " \n"});
  CHECK(pieces_of("x    ") == list{"x", "    "});
  CHECK(pieces_of(" ") == list{" "});
  CHECK(pieces_of("a1_b") == list{"a", "1", "_", "b"});
  CHECK(pieces_of("\x01\x01\x02 \x01") == list{"\x01\x01", "\x02", " ", "\x01"});
  CHECK(pieces_of("na\xc3\xafve") == list{"na\xc3\xafve"});
  CHECK(pieces_of("@[`{AZaz") == list{"@[`{", "AZaz"});
}

TEST_CASE("long runs are cut at 40 bytes, but not inside of a character") {
  CHECK(pieces_of(std::string(100, 'x'))[0].size() == 40);
  CHECK(pieces_of(" " + std::string(100, 'x'))[0].size() == 40);
  CHECK(pieces_of(std::string(100, '='))[0].size() == 40);
  CHECK(pieces_of(std::string(100, ' '))[0].size() == 40);
  CHECK(pieces_of(std::string(100, '\0'))[0].size() == 40);
  std::string chinese;
  for (int i = 0; i < 30; ++i) chinese += "\xe6\x97\xa5";
  CHECK(pieces_of(chinese)[0].size() == 39);
  CHECK(pieces_of(" " + chinese)[0].size() == 40);
  CHECK(pieces_of("xx" + chinese)[0].size() == 38);
  // No character is that long: cut anywhere.
  CHECK(pieces_of(std::string(100, '\x97'))[0].size() == 40);
}

TEST_CASE("letters are found eight at a time as one at a time") {
  for (unsigned c = 0; c < 256; ++c) {
    const bool is_letter = byte_classes[c] == byte_class::letter;
    for (unsigned at = 0; at < 8; ++at) {
      const std::uint64_t letters = 0x7a5a61417ac3ff80u;
      const std::uint64_t changed = (letters & ~(std::uint64_t{0xff} << 8 * at)) | std::uint64_t{c}
                                                                                       << 8 * at;
      CHECK(leading_letters(changed) == (is_letter ? 8 : at));
    }
  }
}

TEST_CASE("the tokens of any bytes are those bytes again") {
  const vocabulary& words = shipped_vocabulary();
  std::mt19937 random(1);
  for (std::size_t size = 0; size < 70; ++size) {
    bytes noise(size);
    for (auto& b : noise) b = static_cast<std::byte>(random());
    CHECK(bytes_of(words, tokens_of(words, noise)) == noise);
  }
  for (unsigned seed = 0; seed < 30; ++seed) {
    const bytes text = to_bytes(random_text(seed * seed * 20, seed));
    CHECK(bytes_of(words, tokens_of(words, text)) == text);
  }
  for (unsigned c = 0; c < 256; ++c) {
    const bytes run(100000, static_cast<std::byte>(c));
    CHECK(bytes_of(words, tokens_of(words, run)) == run);
  }
}

TEST_CASE("the tokenizer makes the merges in the order of their ranks") {
  const vocabulary small = vocabulary::parse(small_file());
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::string text = random_text(3000, seed) + small_text;
    CHECK(tokens_of(shipped_vocabulary(), to_bytes(text)) ==
          plain_encoding(shipped_vocabulary(), text));
    CHECK(tokens_of(small, to_bytes(text)) == plain_encoding(small, text));
  }
}

TEST_CASE("what a tokenizer has seen before changes nothing") {
  const vocabulary& words = shipped_vocabulary();
  tokenizer little_memory(words, 0);
  tokenizer much_memory(words);
  std::vector<token_id> tokens;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const bytes text = to_bytes(random_text(5000, seed));
    const auto expected = tokens_of(words, text);
    for (tokenizer* used : {&little_memory, &much_memory}) {
      used->encode(text, tokens);
      CHECK(tokens == expected);
    }
  }
  little_memory.encode({}, tokens);
  CHECK(tokens.empty());
}

}  // namespace lmzip::vocab::test
