#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "archive/chunks/chunker.h"
#include "archive/chunks/gear.h"
#include "lmzip/error.h"

using namespace lmzip;
using archive::chunk_sizes;
using archive::chunker;

namespace {

std::vector<std::byte> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(generator());
  return bytes;
}

/// Ends of chunks, with pieces of the sizes that `piece_size` gives.
template <typename Sizes>
std::vector<std::size_t> borders(std::span<const std::byte> bytes, const chunk_sizes& sizes,
                                 Sizes piece_size) {
  chunker cutter(sizes);
  std::vector<std::size_t> ends;
  std::size_t done = 0;
  while (done < bytes.size()) {
    auto rest = bytes.subspan(done, std::min<std::size_t>(piece_size(), bytes.size() - done));
    while (!rest.empty()) {
      const auto piece = cutter.next(rest);
      done += piece.bytes;
      if (piece.ends) ends.push_back(done);
      rest = rest.subspan(piece.bytes);
    }
  }
  return ends;
}

std::vector<std::size_t> borders(std::span<const std::byte> bytes, const chunk_sizes& sizes) {
  return borders(bytes, sizes, [&] { return bytes.size(); });
}

/// The definition, a byte at a time.
std::vector<std::size_t> plain_borders(std::span<const std::byte> bytes, const chunk_sizes& sizes) {
  int bits = 0;
  while (1U << bits < sizes.average) ++bits;
  std::vector<std::size_t> ends;
  std::size_t start = 0;
  for (std::size_t end = 1; end <= bytes.size(); ++end) {
    const std::size_t length = end - start;
    if (length < sizes.min) continue;
    std::uint64_t hash = 0;
    for (std::size_t i = end - 64; i < end; ++i) hash = 2 * hash + archive::gear_of(bytes[i]);
    const int zeros = length <= sizes.average ? bits + 2 : bits - 2;
    if ((hash << 1 >> (64 - zeros)) != 0 && length < sizes.max) continue;
    ends.push_back(end);
    start = end;
  }
  return ends;
}

bool is_usage_error(const chunk_sizes& sizes) {
  try {
    chunker cutter(sizes);
  } catch (const error& e) {
    return e.code() == errc::usage;
  }
  return false;
}

}  // namespace

TEST_CASE("chunks end where the definition says, also for odd sizes") {
  const auto bytes = random_bytes(300'000, 1);
  for (const chunk_sizes& sizes :
       {chunk_sizes{64, 256, 2048}, chunk_sizes{101, 512, 1111}, chunk_sizes{1024, 4096, 32768},
        chunk_sizes{256, 256, 256}, chunk_sizes{512, 512, 5000}}) {
    const auto found = borders(bytes, sizes);
    CHECK(found.size() > 5);
    CHECK(found == plain_borders(bytes, sizes));
  }
}

TEST_CASE("borders do not depend on the pieces in which bytes come") {
  const auto bytes = random_bytes(200'000, 2);
  const chunk_sizes sizes{300, 1024, 8192};
  const auto whole = borders(bytes, sizes);
  for (std::size_t piece : {1, 2, 3, 63, 64, 65, 299, 300, 301, 1023, 1024, 1025, 4096})
    CHECK(borders(bytes, sizes, [&] { return piece; }) == whole);
  std::mt19937 generator(3);
  for (int run = 0; run < 20; ++run)
    CHECK(borders(bytes, sizes, [&] { return 1 + generator() % 2000; }) == whole);
}

TEST_CASE("sizes keep their bounds and lie around the average") {
  for (std::uint32_t average : {1024U, 4096U, 16384U}) {
    const chunk_sizes sizes = archive::sizes_around(average);
    const auto bytes = random_bytes(average * std::size_t{1500}, average);
    const auto ends = borders(bytes, sizes);
    std::size_t before = 0, near = 0, forced = 0;
    for (const std::size_t end : ends) {
      const std::size_t length = end - before;
      CHECK(length >= sizes.min);
      CHECK(length <= sizes.max);
      near += length >= average / 2 && length <= 2 * average;
      forced += length == sizes.max;
      before = end;
    }
    const double mean = static_cast<double>(before) / static_cast<double>(ends.size());
    CHECK(mean > 0.85 * average);
    CHECK(mean < 1.35 * average);
    CHECK(near > ends.size() * 8 / 10);
    CHECK(forced == 0);
  }
}

TEST_CASE("an insertion, a deletion or a changed byte moves few borders") {
  const auto bytes = random_bytes(2'000'000, 5);
  const chunk_sizes sizes = archive::sizes_around(4096);
  const auto before = borders(bytes, sizes);
  for (const int inserted : {1, 9, 4097, -1, -100, 0}) {
    auto changed = bytes;
    const auto at = changed.begin() + 1'000'000;
    if (inserted > 0) changed.insert(at, static_cast<std::size_t>(inserted), std::byte{7});
    if (inserted < 0) changed.erase(at, at - inserted);
    if (inserted == 0) *at ^= std::byte{1};
    std::set<std::size_t> after;
    for (const std::size_t end : borders(changed, sizes))
      after.insert(end > 1'000'000 ? end - static_cast<std::size_t>(inserted) : end);
    std::size_t lost = 0;
    for (const std::size_t end : before) lost += after.count(end) == 0;
    CHECK(lost <= 5);
  }
}

TEST_CASE("bytes that are all alike are cut at the maximum, or at the minimum") {
  for (int value = 0; value < 256; value += 15) {
    const std::vector<std::byte> bytes(100'000, static_cast<std::byte>(value));
    const auto ends = borders(bytes, {1024, 4096, 10'000});
    CHECK((ends.front() == 10'000 || ends.front() <= 4097));
  }
}

TEST_CASE("a new file starts a new chunk") {
  const auto bytes = random_bytes(50'000, 6);
  const chunk_sizes sizes = archive::sizes_around(1024);
  chunker cutter(sizes);
  const auto first = cutter.next(bytes);
  cutter.next(std::span(bytes).subspan(1000, 200));
  CHECK(cutter.position() == 200);
  cutter.restart();
  CHECK(cutter.position() == 0);
  const auto again = cutter.next(bytes);
  CHECK(again.bytes == first.bytes);
  CHECK(again.ends);
}

TEST_CASE("no bytes change nothing") {
  chunker cutter;
  const auto piece = cutter.next({});
  CHECK(piece.bytes == 0);
  CHECK_FALSE(piece.ends);
}

TEST_CASE("sizes that make no sense are refused") {
  CHECK(is_usage_error({63, 1024, 2048}));
  CHECK(is_usage_error({2048, 1024, 4096}));
  CHECK(is_usage_error({256, 1024, 1023}));
  CHECK(is_usage_error({256, 1000, 4096}));
  CHECK(is_usage_error({64, 128, 4096}));
  CHECK(is_usage_error({64, 1U << 25, 1U << 27}));
  CHECK(is_usage_error({64, 1U << 20, (1U << 28) + 1}));
  CHECK_FALSE(is_usage_error({64, 256, 256}));
}

TEST_CASE("the table of the rolling hash and the borders of a known stream stay what they are") {
  CHECK(archive::gear[0] == 0xe220a8397b1dcdaf);  // published first outputs of SplitMix64
  CHECK(archive::gear[1] == 0x6e789e6aa1b965f4);
  std::vector<std::byte> bytes(40'000);
  std::uint32_t state = 1;
  for (std::byte& b : bytes) {
    state = state * 1664525 + 1013904223;
    b = static_cast<std::byte>(state >> 24);
  }
  const auto ends = borders(bytes, archive::sizes_around(4096));
  CHECK(ends == plain_borders(bytes, archive::sizes_around(4096)));
  CHECK(ends == std::vector<std::size_t>{6804, 11076, 15422, 19667, 25469, 30932, 35555});
}
