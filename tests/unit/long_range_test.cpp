// Repeats of blocks within a window.

#include <doctest/doctest.h>

#include <random>

#include "engine/long_range/repeat_finder.h"
#include "engine_support.h"
#include "lmzip/error.h"

using namespace lmzip;
using namespace lmzip::test;
using engine::history;
using engine::repeat;
using engine::repeat_finder;

namespace {

/// Cuts bytes into blocks and puts them together again from literals and repeats.
bytes through(const bytes& plain, std::size_t block_bytes, std::uint64_t window,
              std::uint64_t* repeated = nullptr) {
  repeat_finder finder(window);
  history past(window);
  bytes again;
  for (std::size_t at = 0; at < plain.size(); at += block_bytes) {
    const auto block = std::span(plain).subspan(at, std::min(block_bytes, plain.size() - at));
    const auto repeats = finder.find(block);
    const bytes list = engine::write_repeats(repeats);
    const auto read = engine::read_repeats(list, block.size(), at, window);
    REQUIRE(read.repeats == repeats);
    CHECK(read.coded_bytes == list.size());
    bytes literals(block.size() - engine::bytes_of(repeats)), decoded(block.size());
    engine::gather_literals(block, repeats, literals);
    engine::spread_literals(literals, repeats, decoded);
    for (const repeat& r : repeats)
      past.copy(at + r.position - r.distance, std::span(decoded).subspan(r.position, r.bytes));
    past.append(decoded);
    again.insert(again.end(), decoded.begin(), decoded.end());
    if (repeated != nullptr) *repeated += engine::bytes_of(repeats);
  }
  return again;
}

bytes joined(std::initializer_list<bytes> parts) {
  bytes all;
  for (const bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

}  // namespace

TEST_CASE("repeats in later blocks are found, to the byte") {
  const bytes copy = random_bytes(100'000, 1);
  const bytes plain = joined({random_bytes(70'000, 2), copy, random_bytes(300'001, 3), copy,
                              random_bytes(50'000, 4), copy});
  std::uint64_t repeated = 0;
  CHECK(through(plain, 270'000, 4 * mebibyte, &repeated) == plain);
  CHECK(repeated >= 199'000);
  CHECK(repeated <= 200'001);
}

TEST_CASE("repeats beyond the window are not found") {
  const bytes copy = random_bytes(100'000, 1);
  const bytes plain = joined({copy, random_bytes(1'000'000, 2), copy});
  std::uint64_t repeated = 0;
  CHECK(through(plain, 100'000, 900'000, &repeated) == plain);
  CHECK(repeated == 0);
  CHECK(through(plain, 100'000, 0, &repeated) == plain);
  CHECK(repeated == 0);
  CHECK(through(plain, 100'000, 1'050'000, &repeated) == plain);
  CHECK(repeated > 40'000);
}

TEST_CASE("what has repeats of all lengths comes back in blocks and windows of any size") {
  std::mt19937 random(7);
  bytes plain = random_bytes(50'000, 9);
  while (plain.size() < 3'000'000) {
    const std::size_t count = std::size_t{1} << random() % 17;
    const std::size_t from = random() % (plain.size() - count % plain.size());
    const bytes part(plain.begin() + std::ptrdiff_t(from),
                     plain.begin() + std::ptrdiff_t(std::min(from + count, plain.size())));
    plain = joined({plain, part, random_bytes(random() % 3000, unsigned(random()))});
  }
  for (const std::size_t block : {4096U, 100'000U, 1'048'576U, 5'000'000U})
    for (const std::uint64_t window : {5000U, 1'048'576U, 1'048'577U, 100'000'000U})
      CHECK(through(plain, block, window) == plain);
  CHECK(through(bytes(2'000'000), 100'000, mebibyte) == bytes(2'000'000));
}

TEST_CASE("the history keeps the last bytes") {
  history past(mebibyte + 5);
  const bytes data = random_bytes(5 * mebibyte + 77, 3);
  for (std::size_t at = 0; at < data.size(); at += 99'999)
    past.append(std::span(data).subspan(at, std::min<std::size_t>(99'999, data.size() - at)));
  CHECK(past.end() == data.size());
  CHECK(past.begin() == data.size() - mebibyte - 5);
  bytes kept(mebibyte + 5);
  past.copy(past.begin(), kept);
  CHECK(std::equal(kept.begin(), kept.end(), data.end() - std::ptrdiff_t(kept.size())));
  past.append(data);  // more than the window at once
  CHECK(past.end() == 2 * data.size());
  past.copy(past.begin(), kept);
  CHECK(std::equal(kept.begin(), kept.end(), data.end() - std::ptrdiff_t(kept.size())));
}

TEST_CASE("lists of repeats that lie outside are refused") {
  const auto refused = [](const std::vector<repeat>& repeats, std::uint64_t plain,
                          std::uint64_t offset, std::uint64_t window) {
    const bytes list = engine::write_repeats(repeats);
    try {
      engine::read_repeats(list, plain, offset, window);
    } catch (const error& cause) {
      CHECK(cause.code() == errc::damaged);
      return true;
    }
    return false;
  };
  CHECK_FALSE(refused({{10, 20, 30}, {50, 50, 1050}}, 100, 1000, 1000));
  CHECK(refused({{10, 20, 29}}, 100, 1000, 1000));    // reaches into the block
  CHECK(refused({{10, 20, 1011}}, 100, 1000, 2000));  // before the member
  CHECK(refused({{10, 20, 911}}, 100, 1000, 900));    // beyond the window
  CHECK(refused({{10, 91, 500}}, 100, 1000, 1000));   // behind the block
  CHECK(refused({{101, 1, 500}}, 100, 1000, 1000));   // the same
  CHECK(refused({{10, 0, 500}}, 100, 1000, 1000));    // nothing
  const bytes list = engine::write_repeats(std::vector<repeat>{{10, 20, 30}, {50, 50, 1050}});
  for (std::size_t size = 0; size < list.size(); ++size)
    CHECK_THROWS_AS(engine::read_repeats(std::span(list).first(size), 100, 1000, 1000), error);
  const bytes many{std::byte{255}, std::byte{255}, std::byte{255}, std::byte{127}};
  CHECK_THROWS_AS(engine::read_repeats(many, 100, 1000, 1000), error);
  const bytes endless(20, std::byte{255});
  CHECK_THROWS_AS(engine::read_repeats(endless, 100, 1000, 1000), error);
}
