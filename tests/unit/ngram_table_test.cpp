#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "codec/text/leaves.h"
#include "codec/text/ngram_trainer.h"
#include "codec/text/text_data.h"
#include "lmzip/error.h"
#include "model/fixed_log.h"
#include "model/ngram_table.h"

using namespace lmzip;
using namespace lmzip::model;

namespace {

std::vector<std::byte> training_text() {
  std::string text;
  for (int document = 0; document < 40; ++document) {
    text += "the cat sat on the mat and the dog sat on the log; document ";
    text += std::to_string(document);
    text += '\0';
  }
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

std::vector<std::uint8_t> trained() { return codec::text::train_ngrams(training_text()); }

std::uint32_t symbols() { return codec::text::token_alphabet().size(); }

std::vector<std::uint16_t> leaves_of(const std::string& text) {
  return codec::text::leaves_of_tokens(std::as_bytes(std::span(text)));
}

double chance(symbol_distribution& distribution, std::uint32_t leaf) {
  return static_cast<double>(distribution.mass_below(leaf + 1) - distribution.mass_below(leaf)) /
         static_cast<double>(distribution.total());
}

}  // namespace

TEST_CASE("log2 in fixed point is close to the true one and rises") {
  CHECK(log2_fixed(1) == 0);
  CHECK(log2_fixed(1U << 20) == 20 * 65536);
  CHECK(log2_fixed(3) == doctest::Approx(1.58496 * 65536).epsilon(0.001));
  for (std::uint64_t v = 1; v < 5000; ++v) CHECK(log2_fixed(v) <= log2_fixed(v + 1));
}

TEST_CASE("an n-gram table predicts what its text says") {
  const auto section = trained();
  const ngram_table table = ngram_table::parse(section, symbols());
  ngram_distribution distribution(table);
  const auto history = leaves_of("the cat");
  const auto next = leaves_of(" sat");
  REQUIRE(next.size() == 1);
  const double before = chance(distribution, next[0]);
  for (const std::uint16_t leaf : history) distribution.advance(leaf);
  CHECK(chance(distribution, next[0]) > 0.3);
  CHECK(before < 0.2);
}

TEST_CASE("masses never fall with the leaf, whatever came before, and every symbol has some") {
  const auto section = trained();
  const ngram_table table = ngram_table::parse(section, symbols());
  ngram_distribution distribution(table);
  std::mt19937 random(1);
  const auto leaves = leaves_of("the cat sat on the log");
  for (int round = 0; round < 60; ++round) {
    std::uint64_t last = distribution.mass_below(0);
    CHECK(last == 0);
    for (std::uint32_t leaf = 1; leaf <= symbols(); ++leaf) {
      const std::uint64_t mass = distribution.mass_below(leaf);
      if (mass < last) FAIL("falls");
      last = mass;
    }
    CHECK(last == distribution.total());
    distribution.advance(round % 3 == 0 ? random() % symbols()
                                        : leaves[static_cast<std::size_t>(round) % leaves.size()]);
  }
}

TEST_CASE("the shipped masses rise to exactly the total, also for the last leaves") {
  const ngram_table& table = codec::text::token_ngrams();
  for (std::uint32_t leaf = 0; leaf < table.symbols(); ++leaf)
    if (table.mass_below(leaf) > table.mass_below(leaf + 1)) FAIL("falls at leaf " << leaf);
  CHECK(table.mass_below(table.symbols()) == ngram_table::total);
}

TEST_CASE("the same text gives the same n-gram section") { CHECK(trained() == trained()); }

TEST_CASE("an n-gram section that is cut, too long or changed is rejected or a valid table") {
  auto section = trained();
  for (std::size_t cut = 0; cut < section.size(); cut += cut < 64 ? 1 : 997)
    CHECK_THROWS_AS(ngram_table::parse(std::span(section).first(cut), symbols()), error);
  CHECK_THROWS_AS(ngram_table::parse(section, symbols() - 1), error);
  auto longer = section;
  longer.push_back(0);
  CHECK_THROWS_AS(ngram_table::parse(longer, symbols()), error);
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    auto changed = section;
    for (int i = 0; i < 3; ++i)
      changed[round % 2 == 0 ? random() % 64 : random() % changed.size()] =
          static_cast<std::uint8_t>(random());
    try {
      const ngram_table table = ngram_table::parse(changed, symbols());
      ngram_distribution distribution(table);
      for (int i = 0; i < 50; ++i) {
        distribution.advance(random() % symbols());
        CHECK(distribution.mass_below(symbols()) >= distribution.mass_below(random() % symbols()));
      }
    } catch (const error& e) {
      CHECK((e.code() == errc::damaged || e.code() == errc::truncated));
    }
  }
}
