#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lmzip/stream.h"
#include "vocab/tokenizer.h"
#include "vocab/trainer.h"
#include "vocab/vocabulary.h"

namespace lmzip::vocab::test {

using bytes = std::vector<std::byte>;

inline bytes to_bytes(std::string_view text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

/// Gives out a text a few bytes at a time.
class text_source final : public source {
 public:
  explicit text_source(std::string text, std::size_t most = 7)
      : text_(std::move(text)), most_(most) {}
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = std::min({out.size(), text_.size() - position_, most_});
    const auto part = std::as_bytes(std::span(text_)).subspan(position_, count);
    std::copy(part.begin(), part.end(), out.begin());
    position_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t most_;
  std::size_t position_ = 0;
};

inline bytes trained_on(const std::string& text, std::size_t tokens) {
  text_source from(text);
  trainer maker(tokens);
  maker.add(from);
  return maker.train();
}

inline const std::string small_text =
    "the cat and the other cat sat on the mat; the mat was the cat's\n"
    "then they thanked them for the other thing, and that was that\n";

inline bytes small_file() { return trained_on(small_text, 270); }

inline std::string token_text(const vocabulary& words, token_id token) {
  const auto b = words.bytes(token);
  return {b.begin(), b.end()};
}

inline token_id token_called(const vocabulary& words, std::string_view text) {
  for (std::size_t t = 0; t < words.size(); ++t) {
    if (token_text(words, static_cast<token_id>(t)) == text) return static_cast<token_id>(t);
  }
  FAIL("no token ", text);
  return 0;
}

/// Random text of words, numbers, punctuation, blanks, UTF-8 and arbitrary bytes.
inline std::string random_text(std::size_t size, unsigned seed) {
  static constexpr std::string_view parts[] = {
      "the",  "The", " and",     " of",          "compress",
      "ion",  " ",   "  ",       "\n",           "\t",
      "\r\n", "1",   "2026",     "{\"",          "\":",
      "...",  "--",  "\xc3\xa4", "\xe6\x97\xa5", "\xf0\x9f\x98\x80",
      "0x",   "_",   "\x01"};
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) {
    const auto pick = random() % (std::size(parts) + 2);
    if (pick < std::size(parts)) {
      text += parts[pick];
    } else if (pick == std::size(parts)) {
      text += static_cast<char>(random() & 0xff);
    } else {
      text.append(random() % 60, static_cast<char>(random() & 0xff));
    }
  }
  text.resize(size);
  return text;
}

inline std::vector<token_id> tokens_of(const vocabulary& words, const bytes& text) {
  tokenizer cutter(words, text.size());
  std::vector<token_id> tokens;
  cutter.encode(text, tokens);
  return tokens;
}

}  // namespace lmzip::vocab::test
