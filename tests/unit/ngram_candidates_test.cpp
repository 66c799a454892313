#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "codec/text/text_data.h"
#include "core/io/zeroed_memory.h"
#include "model/ngram_candidates.h"

using namespace lmzip;
using namespace lmzip::model;

namespace {

/// Candidates of the shipped table with a cache of their own.
struct cached {
  explicit cached(unsigned log2_pairs)
      : memory(ngram_candidates::lines(table.symbols(), log2_pairs) * sizeof(candidate_line)),
        candidates(table, reinterpret_cast<candidate_line*>(memory.data()), log2_pairs) {}

  const ngram_table& table = codec::text::token_ngrams();
  io::zeroed_memory memory;
  ngram_candidates candidates;
};

/// Codes of the heaviest successors of a row, found by sorting all of them.
std::vector<std::uint16_t> heaviest(const ngram_table& table, const ngram_table::row& row,
                                    const ngram_table::row* shorter) {
  std::vector<ngram_table::entry> entries;
  table.for_each_entry(row, [&](const ngram_table::entry& e) { entries.push_back(e); });
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.mass > b.mass; });
  std::vector<std::uint16_t> codes;
  for (const auto& e : entries) {
    const auto code =
        candidate_code(shorter == nullptr ? e.choice : table.choice(*shorter, e.choice));
    if (code != 0 && codes.size() < candidate_line::size) codes.push_back(code);
  }
  codes.resize(candidate_line::size);
  return codes;
}

std::vector<std::uint16_t> codes_of(const candidate_line& line) {
  std::vector<std::uint16_t> codes;
  for (const std::uint16_t entry : line.entry)
    codes.push_back(static_cast<std::uint16_t>(entry >> 2));
  return codes;
}

}  // namespace

TEST_CASE("usual candidates of one symbol are its heaviest successors, with falling levels") {
  cached c(ngram_candidates::min_log2_pairs);
  for (std::uint32_t leaf = 0; leaf < c.table.symbols(); leaf += 7) {
    const candidate_line& line = c.candidates.after(leaf);
    REQUIRE(line.check != 0);
    REQUIRE(codes_of(line) == heaviest(c.table, c.table.row_of(leaf), nullptr));
    for (std::size_t i = 1; i < line.entry.size(); ++i)
      REQUIRE((line.entry[i] & 3) <= (line.entry[i - 1] & 3));
  }
}

TEST_CASE("usual candidates of two symbols are the heaviest of the longer history, or none") {
  cached c(ngram_candidates::max_log2_pairs);
  std::mt19937 random(3);
  int with_row = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t last = random() % c.table.symbols();
    const std::uint32_t before = i % 2 == 0 ? random() % 256 : random() % c.table.symbols();
    const ngram_table::row* const row = c.table.row_of(before, last);
    const std::vector<std::uint16_t> nothing(candidate_line::size);
    REQUIRE(codes_of(c.candidates.after(before, last)) ==
            (row == nullptr ? nothing : heaviest(c.table, *row, &c.table.row_of(last))));
    with_row += row != nullptr ? 1 : 0;
  }
  CHECK(with_row > 20);
}

TEST_CASE("usual candidates do not depend on the size of their cache") {
  cached small(ngram_candidates::min_log2_pairs);
  cached large(ngram_candidates::max_log2_pairs);
  std::mt19937 random(4);
  for (int i = 0; i < 200000; ++i) {
    const std::uint32_t before = random() % 512 * 31 % small.table.symbols();
    const std::uint32_t last = random() % 512 * 29 % small.table.symbols();
    REQUIRE(codes_of(small.candidates.after(before, last)) ==
            codes_of(large.candidates.after(before, last)));
  }
}
