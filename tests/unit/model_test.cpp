#include <doctest/doctest.h>

#include <numeric>
#include <random>
#include <vector>

#include "core/cpu.h"
#include "lmzip/error.h"
#include "model/alphabet.h"
#include "model/candidate_set.h"
#include "model/counter_slots.h"
#include "model/logistic.h"
#include "model/parameters.h"
#include "model/symbol_distribution.h"
#include "model/token_tree.h"

using namespace lmzip;
using namespace lmzip::model;

TEST_CASE("squash and stretch rise and undo each other") {
  for (int x = -max_stretch; x < max_stretch; ++x) CHECK(squash(x) <= squash(x + 1));
  for (std::uint32_t p = 16; p < 65520; p += 16) CHECK(stretch(p) <= stretch(p + 16));
  for (int x = -1500; x <= 1500; x += 50)
    CHECK(std::abs(stretch(static_cast<std::uint32_t>(squash(x))) - x) <= 20);
  CHECK(squash(0) == 32768);
  CHECK(squash(5000) == squash(max_stretch));
  CHECK(squash(-5000) == squash(-max_stretch));
}

TEST_CASE("the logistic tables hold the values of every earlier build") {
  // Archives depend on each entry: a changed table must not pass unseen.
  std::uint64_t sum = 0;
  for (int x = -max_stretch; x <= max_stretch; ++x)
    sum = sum * 31 + static_cast<std::uint64_t>(squash(x));
  for (std::uint32_t p = 0; p < 65536; p += 16)
    sum = sum * 31 + static_cast<std::uint64_t>(stretch(p) + 4096);
  CHECK(sum == 14813975896419133971U);
}

TEST_CASE("a token tree is built from the depths of its leaves") {
  const std::vector<std::uint8_t> depths{2, 2, 1};
  const token_tree tree{depths};
  REQUIRE(tree.leaf_count() == 3);
  CHECK(tree[0].middle == 2);
  CHECK(tree[0].child[0] == 1);
  CHECK(tree[0].child[1] == (token_tree::leaf_mark | 2));
  CHECK(tree[1].middle == 1);
  CHECK(tree[1].depth == 1);
}

TEST_CASE("depths that describe no full binary tree are rejected") {
  for (const std::vector<std::uint8_t>& depths : std::vector<std::vector<std::uint8_t>>{
           {}, {1}, {1, 1, 1}, {2, 2, 2}, {1, 2}, {2, 1, 2}, {0, 1}, {3, 3, 2, 2}, {33, 33}}) {
    CHECK_THROWS_AS(token_tree{depths}, error);
  }
}

TEST_CASE("a fresh counter is even and learns fast, then slower") {
  bit_counter counter{};
  CHECK(counter.probability() == 32768);
  counter.update(true);
  const auto first = counter.probability() - 32768;
  const auto before = counter.probability();
  for (int i = 0; i < 20; ++i) counter.update(true);
  const auto late = counter.probability();
  counter.update(true);
  CHECK(first > 10000);
  CHECK(counter.probability() - late < counter.probability() - before);
  for (int i = 0; i < 1000; ++i) counter.update(false);
  CHECK(counter.probability() < 2000);
}

TEST_CASE("masses turn into stretches") {
  CHECK(stretch_of_masses(1000, 1000) == 0);
  CHECK(stretch_of_masses(std::uint64_t{1} << 39, 0) == max_stretch);
  CHECK(stretch_of_masses(0, std::uint64_t{1} << 39) == -max_stretch);
  CHECK(std::abs(stretch_of_masses(900000, 100000) - stretch(58982)) <= 3);
  for (std::uint64_t a = 1; a < 1000000; a = a * 3 / 2 + 1)
    CHECK(stretch_of_masses(a, 5000) == -stretch_of_masses(5000, a));
}

TEST_CASE("parameters survive quantisation to 8 bits") {
  const parameter_layout layout({.symbols = 256,
                                 .lanes = 8,
                                 .used_lanes = 8,
                                 .inputs = 24,
                                 .real_inputs = 12,
                                 .matches = 2,
                                 .last_group = 0,
                                 .before_last_group = 2});
  const auto values = layout.quantise(layout.untrained());
  REQUIRE(values.size() == layout.total_values());
  const auto restored = layout.restore(values);
  CHECK(layout.quantise(restored) == values);
  CHECK_THROWS_AS(layout.restore(std::span(values).first(values.size() - 1)), error);
}

TEST_CASE("facts of symbols: words, lines, classes") {
  const std::vector<std::string> words{"\n", " the", "a\nbc", "ing"};
  std::vector<std::span<const std::uint8_t>> bytes;
  for (const std::string& w : words)
    bytes.emplace_back(reinterpret_cast<const std::uint8_t*>(w.data()), w.size());
  const std::vector<std::uint8_t> depths{2, 2, 2, 2};
  const alphabet symbols(depths, bytes);
  CHECK(symbols.facts(0).after_newline == 0);
  CHECK(symbols.facts(1).word == word_part::tail);
  CHECK(symbols.facts(1).kind == (8 | 16));
  CHECK(symbols.facts(2).after_newline == 2);
  CHECK(symbols.facts(3).word == word_part::all);
}
