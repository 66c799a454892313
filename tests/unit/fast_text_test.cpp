// The fast text encoder: which of its two codecs it takes.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "codec/codec.h"
#include "codec/codec_data.h"
#include "codec/fast_text/fast_text_encoder.h"

using namespace lmzip;
using namespace lmzip::codec;

namespace {

using bytes = std::vector<std::byte>;

bytes of_text(const std::string& text) {
  const auto all = std::as_bytes(std::span(text));
  return {all.begin(), all.end()};
}

/// The library's own source, from the start.
bytes code(std::size_t count) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator("lib"))
    if (file.path().extension() == ".cpp" || file.path().extension() == ".h")
      files.push_back(file.path());
  std::sort(files.begin(), files.end());
  std::string text;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    text.append(std::istreambuf_iterator<char>(in), {});
  }
  REQUIRE(text.size() >= count);
  return of_text(text.substr(0, count));
}

/// Words in letters of two bytes each that no vocabulary has.
bytes unknown_script(std::size_t count) {
  std::mt19937 generator(5);
  std::vector<std::string> words(500);
  for (std::string& word : words) {
    for (unsigned letters = 2 + generator() % 7; letters > 0; --letters) {
      word += static_cast<char>(0xda);
      word += static_cast<char>(0x80 + generator() % 40);
    }
    word += ' ';
  }
  std::string text;
  while (text.size() < count) text += words[generator() % 500 * (generator() % 500) / 500];
  return of_text(text.substr(0, count));
}

bytes decoded(const encoded& result, std::size_t plain_bytes) {
  const decoder* how = find_decoder(result.how.codec, result.how.version);
  REQUIRE(how != nullptr);
  how->memory(result.how.parameters, plain_bytes);
  bytes plain(plain_bytes);
  how->decode(result.how.parameters, result.coded, plain);
  return plain;
}

}  // namespace

TEST_CASE("the fast text encoder takes the smaller of its codecs") {
  const auto coder = make_fast_text_encoder();
  for (const std::size_t size : {20000, 300000}) {
    const encoded known = coder->encode(code(size));
    CHECK(known.how.codec == codec_id::tokens);
    CHECK(decoded(known, size) == code(size));
    const encoded unknown = coder->encode(unknown_script(size));
    CHECK(unknown.how.codec == codec_id::bwt);
    CHECK(decoded(unknown, size) == unknown_script(size));
    CHECK(needs_codec_data(unknown.how.codec));
  }
}

TEST_CASE("the fast text encoder keeps to what a sample has told") {
  const auto coder = make_fast_text_encoder();
  const bytes sample = unknown_script(20000);
  const outlook expected = coder->estimate(sample);
  CHECK(expected.choice != undecided);
  CHECK(expected.coded_bytes > 0);
  CHECK(expected.coded_bytes < sample.size());
  CHECK(coder->encode_as(code(100000), expected.choice).how.codec == codec_id::bwt);
  CHECK(coder->encode_as(unknown_script(100000), coder->estimate(code(20000)).choice).how.codec ==
        codec_id::tokens);
}

TEST_CASE("the fast text encoder codes small blocks and what is too large to be sorted") {
  const auto coder = make_fast_text_encoder();
  for (const std::size_t size : {0, 1, 2, 100}) {
    const bytes plain = code(size);
    CHECK(decoded(coder->encode(plain), size) == plain);
  }
  const bytes large = unknown_script((std::size_t{1} << 24) + 1);
  const encoded result = coder->encode(large);
  CHECK(result.how.codec == codec_id::tokens);
  CHECK(coder->memory(large.size()) > large.size());
  CHECK(coder->decoder_memory(large.size()) > 0);
}
