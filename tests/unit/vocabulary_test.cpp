#include <doctest/doctest.h>

#include "core/endian.h"
#include "core/hash.h"
#include "lmzip/error.h"
#include "vocab/shipped.h"
#include "vocabulary_support.h"

namespace lmzip::vocab::test {
namespace {

/// Writes the hash of a changed file anew, so that what comes after the hash is tested.
void rehash(bytes& file) {
  file.resize(file.size() - 32);
  const hash256 hash = sha256_of(file);
  file.insert(file.end(), hash.begin(), hash.end());
}

void check_refused(const bytes& file, errc code, const std::string& words) {
  try {
    vocabulary::parse(file);
    FAIL("accepted, not refused with: ", words);
  } catch (const error& caught) {
    CHECK(caught.code() == code);
    CHECK_MESSAGE(std::string(caught.what()).find(words) != std::string::npos, caught.what());
  }
}

/// A file of the 256 bytes, the given tokens, and leaves of the given depths.
bytes made_file(const std::vector<std::string>& tokens, const std::vector<std::uint8_t>& depths) {
  bytes file = to_bytes(std::string_view(reinterpret_cast<const char*>(file_magic.data()), 8));
  const auto put = [&](auto value) {
    file.resize(file.size() + sizeof value);
    store_le(file.data() + file.size() - sizeof value, value);
  };
  put(file_version);
  put(static_cast<std::uint16_t>(byte_tokens + tokens.size()));
  for (unsigned b = 0; b < byte_tokens; ++b) {
    put(std::uint8_t{1});
    put(static_cast<std::uint8_t>(b));
  }
  for (const std::string& token : tokens) {
    put(static_cast<std::uint8_t>(token.size()));
    const bytes content = to_bytes(token);
    file.insert(file.end(), content.begin(), content.end());
  }
  for (const std::uint8_t depth : depths) put(depth);
  file.resize(file.size() + 32);
  rehash(file);
  return file;
}

/// Depths of a tree with `leaves` leaves, 256 ... 512 of them.
std::vector<std::uint8_t> flat_depths(std::size_t leaves) {
  std::vector<std::uint8_t> depths(2 * (leaves - 256), 9);
  depths.resize(leaves, 8);
  return depths;
}

}  // namespace

TEST_CASE("the shipped vocabulary is complete") {
  const vocabulary& words = shipped_vocabulary();
  CHECK(words.size() == max_tokens);
  const auto file = shipped_vocabulary_bytes();
  CHECK(std::equal(words.content_hash().begin(), words.content_hash().end(), file.end() - 32));
  CHECK(token_text(words, token_called(words, " the")) == " the");
  for (unsigned b = 0; b < byte_tokens; ++b) {
    CHECK(token_text(words, static_cast<token_id>(b)) == std::string(1, static_cast<char>(b)));
  }
}

TEST_CASE("the shipped vocabulary is sound, as its reader takes for granted") {
  const vocabulary checked = vocabulary::parse(shipped_vocabulary_bytes());
  const vocabulary& words = shipped_vocabulary();
  REQUIRE(words.size() == checked.size());
  CHECK(words.content_hash() == checked.content_hash());
  std::size_t merged = 0;
  for (std::size_t t = byte_tokens; t < words.size(); ++t) {
    // Every token is the merge of some pair, the same one in both.
    const auto bytes = words.bytes(static_cast<token_id>(t));
    token_id parts[max_token_bytes];
    REQUIRE(words.merges().encode(bytes, parts) == 1);
    merged += parts[0] == t && checked.merges().encode(bytes, parts) == 1 ? 1 : 0;
  }
  CHECK(merged == words.size() - byte_tokens);
}

TEST_CASE("copies of a vocabulary share the merges that are found at their first use") {
  const vocabulary late = vocabulary::parse_sound(made_file({"ab", "abc"}, flat_depths(258)));
  const vocabulary copy = late;
  CHECK(copy.merges().find(256, 'c') == 257);
  CHECK(&late.merges() == &copy.merges());
}

TEST_CASE("leaves are the tokens in alphabetical order") {
  for (const auto& words : {vocabulary::parse(small_file()), shipped_vocabulary()}) {
    std::string last;
    for (std::size_t leaf = 0; leaf < words.size(); ++leaf) {
      const token_id token = words.token_of_leaf(leaf);
      CHECK(words.leaf_of_token(token) == leaf);
      const std::string text = token_text(words, token);
      CHECK((leaf == 0 || last < text));
      last = text;
    }
  }
}

TEST_CASE("a made vocabulary is read back") {
  const vocabulary words = vocabulary::parse(made_file({"ab", "abc"}, flat_depths(258)));
  CHECK(words.size() == 258);
  CHECK(words.merges().find('a', 'b') == 256);
  CHECK(words.merges().find(256, 'c') == 257);
  CHECK(words.merges().find('b', 'c') == 0);
  CHECK(words.depth(0) == 9);
  CHECK(words.depth(257) == 8);
  CHECK(tokens_of(words, to_bytes("abcab")) == std::vector<token_id>{257, 256});
}

TEST_CASE("the example of SPEC.md is true") {
  const vocabulary words = vocabulary::parse(made_file({"th", "the"}, flat_depths(258)));
  CHECK(tokens_of(words, to_bytes("then, 1234")) ==
        std::vector<token_id>{257, 'n', ',', ' ', '1', '2', '3', '4'});
}

TEST_CASE("a vocabulary file of another kind, version or length is rejected") {
  const bytes file = small_file();
  bytes other = file;
  other[0] ^= std::byte{1};
  check_refused(other, errc::damaged, "not a vocabulary file");
  other = file;
  other[8] = std::byte{1};
  check_refused(other, errc::unsupported, "version 1");
  check_refused({}, errc::truncated, "ends too early");
  check_refused(bytes(file.begin(), file.begin() + 20), errc::truncated, "ends too early");
  for (std::size_t size = 44; size < file.size(); ++size) {
    check_refused(bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)),
                  errc::damaged, "wrong checksum");
  }
  other = file;
  other.push_back(std::byte{0});
  check_refused(other, errc::damaged, "wrong checksum");
}

TEST_CASE("every flipped bit of a vocabulary file is seen") {
  const bytes file = small_file();
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      bytes flipped = file;
      flipped[at] ^= static_cast<std::byte>(1u << bit);
      CHECK_THROWS_AS(vocabulary::parse(flipped), error);
    }
  }
}

TEST_CASE("a vocabulary that contradicts itself is rejected in spite of its checksum") {
  const auto count = [](std::uint16_t value) {
    bytes file = small_file();
    store_le(file.data() + 10, value);
    rehash(file);
    return file;
  };
  check_refused(count(255), errc::damaged, "number of tokens");
  check_refused(count(16385), errc::damaged, "number of tokens");
  check_refused(count(16384), errc::truncated, "ends too early");
  check_refused(count(269), errc::damaged, "");

  bytes file = small_file();
  file[12 + 2 * 65 + 1] = std::byte{66};
  rehash(file);
  check_refused(file, errc::damaged, "not its byte");

  const auto depths = flat_depths(257);
  check_refused(made_file({""}, depths), errc::damaged, "wrong length");
  check_refused(made_file({std::string(49, 'a')}, depths), errc::damaged, "wrong length");
  check_refused(made_file({"a"}, depths), errc::damaged, "token 256");
  check_refused(made_file({"abc"}, depths), errc::damaged, "token 256");
  check_refused(made_file({"ab", "ab"}, flat_depths(258)), errc::damaged, "token 257");
  check_refused(made_file({"ab", "bc", "abc", "abcd", "abcde", "abc"}, flat_depths(262)),
                errc::damaged, "token 261");
}

TEST_CASE("depths that are no binary tree are rejected") {
  auto depths = flat_depths(257);
  CHECK(vocabulary::parse(made_file({"ab"}, depths)).size() == 257);
  depths[256] = 9;
  check_refused(made_file({"ab"}, depths), errc::damaged, "no tree");
  depths[256] = 7;
  check_refused(made_file({"ab"}, depths), errc::damaged, "no tree");
  depths[256] = 0;
  check_refused(made_file({"ab"}, depths), errc::damaged, "wrong depth");
  depths[256] = 33;
  check_refused(made_file({"ab"}, depths), errc::damaged, "wrong depth");
  // All shares add up, but a leaf lies across two subtrees.
  depths = flat_depths(257);
  std::swap(depths[1], depths[2]);
  check_refused(made_file({"ab"}, depths), errc::damaged, "no tree");

  bytes longer = made_file({"ab"}, flat_depths(257));
  longer.insert(longer.end() - 32, std::byte{8});
  rehash(longer);
  check_refused(longer, errc::damaged, "after the last depth");
}

}  // namespace lmzip::vocab::test
