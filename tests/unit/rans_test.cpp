#include <doctest/doctest.h>

#include <random>
#include <span>
#include <vector>

#include "entropy/rans.h"

using namespace lmzip;

namespace {

/// A symbol of any of the three kinds.
struct item {
  enum class kind { interval, bit, raw } what;
  std::uint32_t a;  // start, bit, value
  std::uint32_t b;  // frequency, probability, number of bits
};

std::vector<item> random_items(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  const auto random = [&generator] { return static_cast<std::uint32_t>(generator()); };
  std::vector<item> items;
  for (std::size_t i = 0; i < count; ++i) {
    switch (random() % 3) {
      case 0: {
        const std::uint32_t frequency = random() % 8 == 0 ? rans_one : 1 + (random() & 1023);
        items.push_back({item::kind::interval, random() % (rans_one - frequency + 1), frequency});
        break;
      }
      case 1: {
        const bool sure = random() % 2 == 0;
        const std::uint32_t probability = sure ? 65535 : 2 + random() % 65534;
        items.push_back({item::kind::bit, sure ? 1 : random() & 1, probability});
        break;
      }
      default: {
        const unsigned bits = random() % 16;
        items.push_back({item::kind::raw, random() & ((1U << bits) - 1), bits});
      }
    }
  }
  return items;
}

std::vector<std::byte> encode(const std::vector<item>& items, std::size_t chunk) {
  rans_encoder encoder(chunk);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && i % chunk == 0) encoder.flush();
    const item& it = items[i];
    if (it.what == item::kind::interval) encoder.put(it.a, it.b);
    if (it.what == item::kind::bit) encoder.code(it.a != 0, it.b);
    if (it.what == item::kind::raw) encoder.put_raw(it.a, it.b);
  }
  encoder.flush();
  return encoder.take();
}

/// Decodes `items` and tells whether all of them came.
bool decodes(const std::vector<item>& items, std::size_t chunk, rans_decoder& decoder) {
  bool right = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && i % chunk == 0) decoder.next_chunk();
    const item& it = items[i];
    if (it.what == item::kind::interval) {
      right = right && decoder.place() - it.a < it.b;
      decoder.advance(it.a, it.b);
    }
    if (it.what == item::kind::bit) right = (decoder.code(it.b) == (it.a != 0)) && right;
    if (it.what == item::kind::raw) right = (decoder.get_raw(it.b) == it.a) && right;
  }
  return right;
}

}  // namespace

TEST_CASE("symbols, bits and raw bits come back from one rANS stream, in chunks of any size") {
  for (const std::size_t count : {0, 1, 2, 3, 1000, 20001}) {
    for (const std::size_t chunk : {1, 7, 1000, 100000}) {
      const auto items = random_items(count, static_cast<unsigned>(count + chunk));
      const auto coded = encode(items, chunk);
      rans_decoder decoder(coded);
      CHECK(decodes(items, chunk, decoder));
      CHECK(decoder.exhausted());
    }
  }
}

TEST_CASE("an rANS code is as long as the information in it") {
  rans_encoder encoder(80000);
  for (int i = 0; i < 80000; ++i) encoder.code(i % 16 == 0, 4096);
  encoder.flush();
  const double expected = 80000 * (0.0625 * 4 + 0.9375 * 0.09311) / 8;
  CHECK(static_cast<double>(encoder.size()) < expected * 1.001 + 16);
  CHECK(static_cast<double>(encoder.size()) > expected * 0.999);
}

TEST_CASE("missing and left-over bytes of an rANS stream are noticed, whatever is decoded") {
  const auto items = random_items(500, 3);
  const auto coded = encode(items, 200);
  for (std::size_t size = 0; size < coded.size(); ++size) {
    const auto part = std::span(coded).first(size);
    rans_decoder decoder(part);
    decodes(items, 200, decoder);
    CHECK_FALSE(decoder.exhausted());
  }
  for (const std::size_t more : {1, 4, 16}) {
    auto longer = coded;
    longer.insert(longer.end(), more, std::byte{0});
    rans_decoder decoder(longer);
    CHECK(decodes(items, 200, decoder));
    CHECK_FALSE(decoder.exhausted());
  }
}

TEST_CASE("a changed byte of an rANS stream gives other symbols or is noticed") {
  const auto items = random_items(500, 4);
  const auto coded = encode(items, 200);
  for (std::size_t at = 0; at < coded.size(); at += 5) {
    auto changed = coded;
    changed[at] ^= std::byte{4};
    rans_decoder decoder(changed);
    const bool same = decodes(items, 200, decoder);
    CHECK_FALSE((same && decoder.exhausted()));
  }
}
