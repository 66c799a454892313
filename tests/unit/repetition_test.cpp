#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "archive/chunks/repetition.h"

using namespace lmzip;
using archive::repetition_meter;
using archive::repetition_rate;

namespace {

std::vector<std::byte> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(generator());
  return bytes;
}

void append(std::vector<std::byte>& to, const std::vector<std::byte>& what) {
  to.insert(to.end(), what.begin(), what.end());
}

}  // namespace

TEST_CASE("random bytes do not repeat, of any size") {
  CHECK(repetition_rate({}) == 0);
  for (const std::size_t size : {1, 31, 32, 33, 1000, 100'000, 3'000'000})
    CHECK(repetition_rate(random_bytes(size, 1)) <= 2);
}

TEST_CASE("the share of what is there twice is found at any shift") {
  for (const std::size_t size : {20'000U, 300'000U, 4'000'000U}) {
    for (const unsigned twice : {100U, 300U, 500U}) {
      const std::size_t repeat = size * twice / 1000;
      auto bytes = random_bytes(size - repeat, 2);
      auto copy = bytes;
      copy.resize(repeat);
      append(bytes, random_bytes(13, 3));
      append(bytes, copy);
      const unsigned rate = repetition_rate(bytes);
      CHECK(rate + 40 >= twice);
      CHECK(rate <= twice + 40);
    }
  }
}

TEST_CASE("runs and short periods are repetition") {
  for (const std::size_t period : {1, 2, 3, 5, 8, 31, 100}) {
    const auto pattern = random_bytes(period, static_cast<unsigned>(period));
    std::vector<std::byte> bytes;
    while (bytes.size() < 1'000'000) append(bytes, pattern);
    CHECK(repetition_rate(bytes) >= 900);
  }
  CHECK(repetition_rate(std::vector<std::byte>(1'000'000)) >= 900);
}

TEST_CASE("chunks of a group repeat each other, and nothing lies across their borders") {
  const auto bytes = random_bytes(200'000, 4);
  repetition_meter meter(400'000);
  meter.add(bytes);
  CHECK(meter.rate() <= 2);
  meter.add(bytes);
  CHECK(meter.rate() >= 495);  // a few fingerprints lose their place to others
  CHECK(meter.rate() <= 500);
  repetition_meter small(400'000);
  for (int i = 0; i < 1000; ++i) small.add(std::span(bytes).first(31));
  CHECK(small.samples() == 0);
  CHECK(small.rate() == 0);
}

TEST_CASE("more than was expected is measured, if less well") {
  repetition_meter meter(1000);
  const auto bytes = random_bytes(3'000'000, 5);
  meter.add(bytes);
  CHECK(meter.rate() <= 2);
}
