#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "archive/chunks/copies.h"
#include "archive/chunks/copy_finder.h"
#include "lmzip/error.h"

using namespace lmzip;
using archive::apply_copies;
using archive::content_kind;
using archive::copy;
using archive::copy_finder;
using archive::read_copies;
using archive::take_literals;
using archive::write_copies;

namespace {

using bytes = std::vector<std::byte>;

bytes random_bytes(std::size_t count, unsigned seed, unsigned values = 256) {
  std::mt19937 generator(seed);
  bytes made(count);
  for (std::byte& b : made) b = static_cast<std::byte>(generator() % values);
  return made;
}

void append(bytes& to, std::span<const std::byte> what) {
  to.insert(to.end(), what.begin(), what.end());
}

archive::base_reader reader_of(const bytes& base) {
  return [&base](std::uint64_t from, std::span<std::byte> out) {
    REQUIRE(from + out.size() <= base.size());
    if (!out.empty()) std::memcpy(out.data(), base.data() + from, out.size());
  };
}

/// Finds copies, writes and reads them, and puts the bytes together again. Returns the literals.
std::size_t literals_after_round_trip(const bytes& base, const bytes& plain,
                                      std::uint32_t shortest) {
  const auto copies = copy_finder(base, shortest).find(plain);
  for (const copy& c : copies) CHECK(c.bytes >= shortest);
  const auto read =
      read_copies(write_copies(copies), {.plain_bytes = plain.size(), .base_bytes = base.size()});
  CHECK(read == copies);
  const bytes literals = take_literals(plain, copies);
  bytes again(plain.size());
  apply_copies(read, literals, reader_of(base), again);
  CHECK(again == plain);
  return literals.size();
}

bytes list_of(std::initializer_list<int> numbers) {
  bytes list;
  for (const int n : numbers) list.push_back(static_cast<std::byte>(n));
  return list;
}

std::optional<error> fault_of(const bytes& list, const archive::copy_limits& limits) {
  try {
    read_copies(list, limits, 500);
  } catch (const error& e) {
    return e;
  }
  return std::nullopt;
}

bool is_damaged(const bytes& list, std::uint64_t offset) {
  const auto fault = fault_of(list, {.plain_bytes = 20, .base_bytes = 10});
  return fault && fault->code() == errc::damaged && fault->offset() == 500 + offset;
}

}  // namespace

TEST_CASE("changed, inserted, deleted and moved bytes leave few literals") {
  const bytes base = random_bytes(100'000, 1);
  for (const std::uint32_t shortest : {16U, 24U, 64U, 1000U}) {
    bytes changed = base;
    for (std::size_t i = 5000; i < changed.size(); i += 10'000) changed[i] ^= std::byte{1};
    CHECK(literals_after_round_trip(base, changed, shortest) == 10);
    bytes moved(base.begin() + 50'000, base.end());
    append(moved, random_bytes(7, 2));
    append(moved, std::span(base).first(30'000));
    append(moved, std::span(base).subspan(30'001, 19'999));
    CHECK(literals_after_round_trip(base, moved, shortest) <= 8);
  }
}

TEST_CASE("bytes that follow replaced ones have the place 0 in a list") {
  const bytes base = random_bytes(1000, 3);
  bytes changed = base;
  changed[500] ^= std::byte{1};
  const auto copies = copy_finder(base, 32).find(changed);
  CHECK(copies == std::vector<copy>{{0, 0, 500}, {501, 1, 499}});
  CHECK(write_copies(copies) == list_of({2, 0, 0xf4, 3, 0, 1, 0xf3, 3, 0}));
}

TEST_CASE("nothing in common, or nothing at all, is all literals") {
  const bytes some = random_bytes(5000, 4), other = random_bytes(5000, 5);
  CHECK(literals_after_round_trip(some, other, 16) == 5000);
  CHECK(literals_after_round_trip({}, other, 16) == 5000);
  CHECK(literals_after_round_trip(some, {}, 16) == 0);
  CHECK(literals_after_round_trip(bytes(7), bytes(7), 16) == 7);
  CHECK(literals_after_round_trip(bytes(15), bytes(15), 16) == 15);
  CHECK(literals_after_round_trip(bytes(16), bytes(16), 16) == 0);
}

TEST_CASE("nearly every stretch of the shortest length is found, and every longer one") {
  const bytes base = random_bytes(3000, 6);
  int stretches = 0, found = 0;
  for (std::size_t from = 0; from + 40 <= base.size(); from += 13) {
    bytes plain = random_bytes(50, static_cast<unsigned>(from));
    append(plain, std::span(base).subspan(from, 40));
    append(plain, random_bytes(50, static_cast<unsigned>(from + 1)));
    ++stretches;
    found += literals_after_round_trip(base, plain, 40) <= 100;
    const auto longer = std::span(base).subspan(from, std::min<std::size_t>(200, 3000 - from));
    if (longer.size() == 200)
      CHECK(literals_after_round_trip(base, {longer.begin(), longer.end()}, 40) == 0);
  }
  CHECK(found * 100 >= stretches * 95);
}

TEST_CASE("strings of few values round-trip") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const unsigned values = 1 + seed % 3;
    const bytes base = random_bytes(seed * 7, seed, values);
    literals_after_round_trip(base, random_bytes(seed * 11, seed + 1000, values), 16);
  }
}

TEST_CASE("runs take linear time") {
  // At every position the whole rest could be compared.
  const bytes base(2'000'000), plain(4'000'000);
  CHECK(literals_after_round_trip(base, plain, 16) == 0);
  bytes nearly(4'000'000);
  for (std::size_t i = 0; i < nearly.size(); i += 60) nearly[i] = std::byte{1};
  CHECK(literals_after_round_trip(base, nearly, 64) == nearly.size());
}

TEST_CASE("sizes that are not supported are refused, and memory is as told") {
  for (const std::uint32_t shortest : {0U, 1U, 15U, 65537U, 0xffffffffU}) {
    try {
      copy_finder finder({}, shortest);
      FAIL("made");
    } catch (const error& e) {
      CHECK(e.code() == errc::usage);
    }
  }
  CHECK(copy_finder::memory(13 * 1000, 24) == 4 * 2048);
  CHECK(copy_finder::memory(0, 24) == 8);
  CHECK(archive::shortest_copy(content_kind::text) > archive::shortest_copy(content_kind::elf));
}

TEST_CASE("false lists are refused with the place of the fault") {
  const archive::copy_limits limits{.plain_bytes = 20, .base_bytes = 10};
  CHECK_FALSE(fault_of(list_of({0}), limits).has_value());
  CHECK_FALSE(fault_of(list_of({1, 10, 10, 0}), {20, 20}).has_value());
  CHECK_FALSE(fault_of(list_of({2, 5, 5, 9, 5, 5, 9}), limits).has_value());  // from 0 and 5
  CHECK(is_damaged(list_of({2, 5, 1, 9, 15, 1, 0}), 4));  // gaps of more than all bytes
  CHECK(is_damaged(list_of({1, 0, 0, 0}), 1));            // an empty copy
  CHECK(is_damaged(list_of({1, 11, 10, 21}), 2));         // more than all bytes
  CHECK(is_damaged(list_of({1, 0, 10, 2}), 1));           // past the end of the base
  CHECK(is_damaged(list_of({1, 0, 1, 1}), 1));            // before its beginning
  CHECK(is_damaged(list_of({1, 0, 10, 0, 0}), 4));        // a byte too many
  CHECK(is_damaged(list_of({2, 0, 10, 0}), 0));           // too short for its number
  CHECK(is_damaged(list_of({0x80, 0}), 0));
}

TEST_CASE("every cut of a list is seen") {
  const bytes list = write_copies(std::vector<copy>{{5, 1, 2}, {300, 200, 3}, {0, 0, 4}});
  for (std::size_t size = 0; size < list.size(); ++size) {
    const bytes cut(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(fault_of(cut, {1000, 1000}).has_value());
  }
}

TEST_CASE("too few or too many literals are refused") {
  const bytes base(10);
  const std::vector<copy> copies = {{0, 2, 5}};
  for (const std::size_t literals : {0U, 2U, 4U}) {
    bytes plain(10);
    try {
      apply_copies(copies, bytes(literals), reader_of(base), plain);
      FAIL("put together");
    } catch (const error& e) {
      CHECK(e.code() == errc::damaged);
    }
  }
}
