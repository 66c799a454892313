#include <doctest/doctest.h>

#include "vocab/token_tree.h"
#include "vocabulary_support.h"

namespace lmzip::vocab::test {

TEST_CASE("the trainer merges the most frequent pairs first") {
  const vocabulary words = vocabulary::parse(small_file());
  CHECK(words.size() == 270);
  CHECK(token_text(words, 256) == "th");
  CHECK(token_called(words, "th") < token_called(words, " the"));
}

TEST_CASE("the trainer stops where no pair is left") {
  CHECK(vocabulary::parse(trained_on("", 16384)).size() == 256);
  CHECK(vocabulary::parse(trained_on("ab", 16384)).size() == 256);
  const vocabulary words = vocabulary::parse(trained_on("abc abc", 16384));
  CHECK(words.size() == 256);
  const vocabulary more = vocabulary::parse(trained_on("abc,abc,abc", 16384));
  CHECK(more.size() == 258);
  CHECK(token_text(more, 257) == "abc");
}

TEST_CASE("training depends on the documents, not on their order or on how they arrive") {
  const std::string a = random_text(4000, 1);
  const std::string b = random_text(4000, 2);
  const std::string zero(1, '\0');
  std::string clean_a = a;
  std::string clean_b = b;
  std::replace(clean_a.begin(), clean_a.end(), '\0', ' ');
  std::replace(clean_b.begin(), clean_b.end(), '\0', ' ');
  const bytes together = trained_on(clean_a + zero + clean_b, 400);
  CHECK(together == trained_on(clean_b + zero + clean_a + zero, 400));
  text_source first(clean_a);
  text_source second(clean_b);
  trainer maker(400);
  maker.add(second);
  maker.add(first);
  CHECK(maker.train() == together);
}

TEST_CASE("documents are never joined to one piece") {
  const std::string zero(1, '\0');
  const vocabulary words =
      vocabulary::parse(trained_on("ab" + zero + "ba" + zero + "ab" + zero + "ba", 16384));
  CHECK(words.size() == 258);
}

TEST_CASE("repetition within one document counts as its square root") {
  const std::string zero(1, '\0');
  std::string text;
  for (int i = 0; i < 9; ++i) text += "xy,";
  text += zero;
  for (int i = 0; i < 4; ++i) text += "ab" + zero;
  // Nine times in one document weigh as much as three documents.
  CHECK(token_text(vocabulary::parse(trained_on(text, 257)), 256) == "ab");
}

TEST_CASE("a document ends where it has become 16 MiB long") {
  constexpr std::size_t limit = std::size_t{16} << 20;
  std::string text;
  while (text.size() < limit + 3000) text += "a repeated line\n";
  const auto trained = [](const std::string& all) {
    text_source from(all, std::size_t{1} << 20);
    trainer maker(270);
    maker.add(from);
    return maker.train();
  };
  const bytes whole = trained(text);
  text.insert(limit, 1, '\0');
  CHECK(trained(text) == whole);
}

TEST_CASE("tokens get no longer than 48 bytes") {
  const vocabulary words = vocabulary::parse(trained_on(std::string(4000, '='), 16384));
  std::size_t longest = 0;
  for (std::size_t t = 0; t < words.size(); ++t) {
    longest = std::max(longest, words.bytes(static_cast<token_id>(t)).size());
  }
  CHECK(longest <= max_token_bytes);
  CHECK(longest >= 32);
}

TEST_CASE("frequent leaves are near the root, and none is too deep") {
  using counts = std::vector<std::uint64_t>;
  CHECK(balanced_depths(counts{0, 0}) == std::vector<std::uint8_t>{1, 1});
  CHECK(balanced_depths(counts{100, 0, 0}) == std::vector<std::uint8_t>{1, 2, 2});
  CHECK(balanced_depths(counts{0, 0, 100}) == std::vector<std::uint8_t>{2, 2, 1});
  // Without raised counts every leaf would be one deeper than the one before it.
  counts steep(45);
  for (std::size_t i = 0; i < steep.size(); ++i) steep[i] = std::uint64_t{1} << (47 - i);
  const auto depths = balanced_depths(steep);
  CHECK(*std::max_element(depths.begin(), depths.end()) <= max_tree_depth);
  CHECK(depths[0] == 1);
}

}  // namespace lmzip::vocab::test
