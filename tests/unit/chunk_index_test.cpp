#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "archive/chunks/chunk_index.h"
#include "core/endian.h"
#include "lmzip/error.h"

using namespace lmzip;
using archive::chunk_index;
using archive::chunk_place;

namespace {

/// A hash whose four words are given.
hash256 hash_of(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  hash256 hash;
  store_le(hash.data(), a);
  store_le(hash.data() + 8, b);
  store_le(hash.data() + 16, c);
  store_le(hash.data() + 24, d);
  return hash;
}

hash256 random_hash(std::mt19937_64& generator) {
  const std::uint64_t a = generator(), b = generator(), c = generator();
  return hash_of(a, b, c, generator());
}

void check_memory(const chunk_index& index) {
  const std::uint64_t bound =
      index.size() * chunk_index::max_bytes_per_chunk + chunk_index::fixed_bytes;
  if (index.memory_bytes() > bound || index.peak_memory_bytes() > bound) {
    CHECK(index.memory_bytes() <= bound);
    CHECK(index.peak_memory_bytes() <= bound);
  }
}

}  // namespace

TEST_CASE("an index finds what was put in, and nothing else") {
  chunk_index index;
  CHECK_FALSE(index.find(hash_of(1, 2, 3, 4), 10).has_value());
  CHECK(index.insert(hash_of(1, 2, 3, 4), {.offset = 5, .member = 1, .bytes = 10}));
  CHECK(index.find(hash_of(1, 2, 3, 4), 10) == chunk_place{5, 1, 10});
  CHECK_FALSE(index.find(hash_of(1, 2, 3, 5), 10).has_value());
  CHECK_FALSE(index.find(hash_of(0, 0, 0, 0), 10).has_value());
  CHECK(index.size() == 1);
}

TEST_CASE("a hash that is known with another length is not found") {
  chunk_index index;
  index.insert(hash_of(1, 2, 3, 4), {5, 1, 10});
  CHECK_FALSE(index.find(hash_of(1, 2, 3, 4), 11).has_value());
}

TEST_CASE("a million chunks take at most 64 bytes each, at every size on the way") {
  std::mt19937_64 generator(1);
  chunk_index index;
  constexpr std::uint32_t count = 1'000'000;
  for (std::uint32_t i = 0; i < count; ++i) {
    index.insert(random_hash(generator),
                 {.offset = std::uint64_t{i} << 14, .member = i, .bytes = i});
    check_memory(index);
  }
  CHECK(index.size() == count);
  generator.seed(1);
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    wrong += index.find(random_hash(generator), i) != chunk_place{std::uint64_t{i} << 14, i, i};
  CHECK(wrong == 0);
  for (std::uint32_t i = 0; i < count; ++i)
    wrong += index.find(random_hash(generator), i).has_value();
  CHECK(wrong == 0);
}

TEST_CASE("any order of insertion gives the same answers") {
  std::mt19937_64 generator(2);
  std::vector<std::pair<hash256, chunk_place>> items;
  std::map<hash256, chunk_place> first;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const hash256 hash = hash_of(generator() % 9000, 0, 0, 0);
    const chunk_place place{generator() % 100, static_cast<std::uint32_t>(generator() % 4), 7};
    items.emplace_back(hash, place);
    const auto [known, is_new] = first.emplace(hash, place);
    if (!is_new) known->second = std::min(known->second, place);
  }
  for (int run = 0; run < 4; ++run) {
    std::shuffle(items.begin(), items.end(), generator);
    chunk_index index(1'000'000, generator());
    for (const auto& [hash, place] : items) index.insert(hash, place);
    CHECK(index.size() == first.size());
    std::size_t wrong = 0;
    for (const auto& [hash, place] : first) wrong += index.find(hash, 7) != place;
    CHECK(wrong == 0);
  }
}

TEST_CASE("hashes that agree in all but a few bits are found as fast as others") {
  // With long probes each of these would take hours.
  constexpr std::uint64_t count = 300'000;
  for (int word = 0; word < 4; ++word) {
    for (const int shift : {0, 44}) {
      const auto hash = [&](std::uint64_t i) {
        std::uint64_t words[4] = {1, 2, 3, 4};
        words[word] ^= i << shift;
        return hash_of(words[0], words[1], words[2], words[3]);
      };
      chunk_index index;
      for (std::uint64_t i = 0; i < count; ++i) index.insert(hash(i), {i, 0, 1});
      std::uint64_t wrong = 0;
      for (std::uint64_t i = 0; i < count; ++i)
        wrong += index.find(hash(i), 1) != chunk_place{i, 0, 1};
      CHECK(index.size() == count);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a full index refuses more and stays as it is") {
  chunk_index index(1000);
  for (std::uint32_t i = 0; i < 1000; ++i) CHECK(index.insert(hash_of(i, 0, 0, 0), {i, 0, 1}));
  CHECK_FALSE(index.insert(hash_of(5, 0, 0, 0), {9999, 0, 1}));
  try {
    index.insert(hash_of(1000, 0, 0, 0), {1, 0, 1});
    FAIL("more chunks than allowed");
  } catch (const error& e) {
    CHECK(e.code() == errc::memory_limit);
  }
  CHECK(index.size() == 1000);
  for (std::uint32_t i = 0; i < 1000; ++i)
    CHECK(index.find(hash_of(i, 0, 0, 0), 1) == chunk_place{i, 0, 1});
  CHECK_FALSE(index.find(hash_of(1000, 0, 0, 0), 1).has_value());
}

TEST_CASE("the last slots lead on to the first ones") {
  // Small indexes with many seeds meet every way in which probes go round the end.
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    chunk_index index(1024, seed);
    for (std::uint32_t i = 0; i < 1024; ++i) index.insert(hash_of(0, i, 0, seed), {i, 0, 1});
    std::size_t wrong = 0;
    for (std::uint32_t i = 0; i < 1024; ++i)
      wrong += index.find(hash_of(0, i, 0, seed), 1) != chunk_place{i, 0, 1};
    CHECK(wrong == 0);
  }
}
