// What a codec makes of a block depends on the block alone, not on those coded before it.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "codec/bwt/bwt_codec.h"
#include "codec/codec.h"
#include "codec/fast_text/fast_text_encoder.h"
#include "codec/text/text_codec.h"
#include "codec/tokens/tokens_codec.h"
#include "codec/zstd/zstd_codec.h"

using namespace lmzip;
using namespace lmzip::codec;

namespace {

using bytes = std::vector<std::byte>;

bytes prose(std::size_t count, unsigned seed) {
  static const char* const words[] = {
      "the ",   "block ",      "follows, ", "2026-11-30 ", "{\"id\": ", "größer ", "слово ",  "\n",
      "0.125,", "int main() ", "coded ",    "https://x",   "ERROR ",    "\t",      "itself. "};
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < count) text += words[random() % std::size(words)];
  const auto all = std::as_bytes(std::span(text).first(count));
  return {all.begin(), all.end()};
}

bytes records(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  bytes result(count);
  for (std::size_t i = 0; i < count; ++i)
    result[i] = static_cast<std::byte>(i % 12 < 8 ? i % 12 : random() % 5 + i / 1000);
  return result;
}

/// Small and large blocks: a few whose working memory comes from the C library, and a few whose
/// memory is mapped.
std::vector<bytes> some_blocks() {
  return {prose(4096, 1), records(4096, 2), prose(1, 3),      prose(4096, 4),
          prose(700, 5),  prose(60000, 6),  records(9000, 7), prose(4096, 8)};
}

/// Leaves memory behind that is not zero, for the next allocations to find.
void dirty_free_memory() {
  for (const std::size_t size : {std::size_t{3000} << 10, std::size_t{1500} << 10,
                                 std::size_t{200} << 10, std::size_t{20} << 10}) {
    const auto free = [](void* memory) { std::free(memory); };
    const std::unique_ptr<void, decltype(free)> memory(std::malloc(size));
    REQUIRE(memory != nullptr);
    std::memset(memory.get(), 0xa5, size);
    // Used, as far as the compiler can tell.
    const volatile auto* const last = static_cast<const unsigned char*>(memory.get()) + size - 1;
    REQUIRE(*last == 0xa5);
  }
}

std::vector<std::unique_ptr<encoder>> all_encoders() {
  std::vector<std::unique_ptr<encoder>> all;
  all.push_back(make_zstd_encoder(3));
  all.push_back(make_bwt_encoder());
  all.push_back(make_tokens_encoder());
  all.push_back(make_fast_text_encoder());
  for (int strength = min_text_strength; strength <= max_text_strength; ++strength)
    all.push_back(make_text_encoder(strength));
  return all;
}

}  // namespace

TEST_CASE("a block's code and what it decodes to do not depend on the blocks before it") {
  const std::vector<bytes> blocks = some_blocks();
  const auto encoders = all_encoders();
  std::vector<std::vector<encoded>> first(encoders.size());
  for (std::size_t e = 0; e < encoders.size(); ++e)
    for (const bytes& block : blocks) first[e].push_back(encoders[e]->encode(block));

  struct job {
    std::size_t coder;
    std::size_t block;
  };
  std::vector<job> jobs;
  for (std::size_t e = 0; e < encoders.size(); ++e)
    for (std::size_t b = 0; b < blocks.size(); ++b) jobs.push_back({e, b});
  std::mt19937 random(9);
  for (int round = 0; round < 2; ++round) {
    std::shuffle(jobs.begin(), jobs.end(), random);
    for (const job& next : jobs) {
      CAPTURE(encoders[next.coder]->name());
      CAPTURE(next.block);
      const bytes& plain = blocks[next.block];
      const encoded& expected = first[next.coder][next.block];
      dirty_free_memory();
      const encoded again = encoders[next.coder]->encode(plain);
      CHECK(again.how.parameters == expected.how.parameters);
      CHECK(again.coded == expected.coded);
      dirty_free_memory();
      bytes decoded(plain.size());
      find_decoder(expected.how.codec, expected.how.version)
          ->decode(expected.how.parameters, expected.coded, decoded);
      CHECK(decoded == plain);
    }
  }
}
