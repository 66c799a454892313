#include "entropy/arithmetic_coder.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace lmzip;

TEST_CASE("bits of any probability come back, and the code ends where its bytes do") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t count = random() % 60;
    std::vector<std::pair<bool, std::uint32_t>> bits(count);
    for (auto& [bit, probability] : bits) {
      probability = round % 3 == 0 ? 24 : round % 3 == 1 ? 65512 : 1 + random() % 65535;
      bit = round % 5 == 0 || random() % 65536 < probability;
    }
    arithmetic_encoder encoder;
    for (const auto& [bit, probability] : bits) encoder.encode(bit, probability);
    const auto coded = encoder.finish();
    arithmetic_decoder decoder(coded);
    for (const auto& [bit, probability] : bits) REQUIRE(decoder.decode(probability) == bit);
    CHECK(decoder.exhausted());
    if (!coded.empty()) {
      auto longer = coded;
      longer.insert(longer.end(), 5, std::byte{0});
      arithmetic_decoder wasteful(longer);
      for (const auto& [bit, probability] : bits) REQUIRE(wasteful.decode(probability) == bit);
      CHECK_FALSE(wasteful.exhausted());
    }
  }
}

TEST_CASE("the code is close to the entropy of its bits") {
  std::mt19937 random(2);
  arithmetic_encoder encoder;
  for (int i = 0; i < 80000; ++i) encoder.encode(random() % 65536 < 655, 655);  // 0.0808 bits each
  const auto size = encoder.finish().size();
  CHECK(size > 760);
  CHECK(size < 860);
}
