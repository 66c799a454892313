#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "entropy/lane_huffman.h"
#include "isa_support.h"
#include "lmzip/error.h"

using namespace lmzip;
using lmzip::test::all_isas;
using lmzip::test::on_isa;

namespace {

using values = std::vector<std::uint8_t>;

byte_counts count(const values& of) {
  byte_counts counts{};
  for (const std::uint8_t value : of) ++counts[value];
  return counts;
}

struct stream {
  std::vector<std::byte> words;
  std::vector<std::byte> escapes;
  lane_states states;
};

// Codes in calls of `piece` values.
stream code_values(const lane_code& code, unsigned lanes, const values& plain, std::size_t piece) {
  const lane_encoding_tables tables(code);
  std::vector<std::byte> words(2 * plain.size() + lane_encoder::slack);
  std::vector<std::byte> escapes(plain.size() + lane_encoder::slack);
  lane_encoder encoder(tables, lanes, words, escapes);
  for (std::size_t end = plain.size(); end > 0;) {
    const std::size_t size = std::min(piece, end);
    end -= size;
    encoder.encode(std::span(plain).subspan(end, size));
  }
  const auto w = encoder.words();
  const auto e = encoder.escapes();
  return {{w.begin(), w.end()}, {e.begin(), e.end()}, encoder.states()};
}

bool decodes_to(const lane_code& code, unsigned lanes, const stream& from, const values& plain,
                std::size_t piece) {
  const lane_decoding_tables tables(code, lanes);
  lane_decoder decoder(tables, from.states, from.words, from.escapes);
  values again(plain.size());
  for (std::size_t at = 0; at < again.size(); at += piece)
    if (!decoder.decode(std::span(again).subspan(at, std::min(piece, again.size() - at))))
      return false;
  return again == plain && decoder.exhausted();
}

// Values by chances that fall by `base` from one to the next.
values geometric(std::size_t size, double base, unsigned seed) {
  std::mt19937 random(seed);
  std::geometric_distribution<unsigned> next(1 - base);
  values made(size);
  for (auto& value : made) value = static_cast<std::uint8_t>(next(random) * 37 % 256);
  return made;
}

std::vector<values> distributions(std::size_t size) {
  std::vector<values> all;
  for (const double base : {0.1, 0.5, 0.7, 0.9, 0.98}) all.push_back(geometric(size, base, 1));
  all.emplace_back(size, std::uint8_t{200});  // all equal
  values uniform(size);
  std::mt19937 random(2);
  for (auto& value : uniform) value = static_cast<std::uint8_t>(random());
  all.push_back(uniform);
  return all;
}

void check_same(const stream& a, const stream& b, unsigned lanes) {
  CHECK(a.words == b.words);
  CHECK(a.escapes == b.escapes);
  CHECK(std::equal(a.states.bits.begin(), a.states.bits.begin() + lanes, b.states.bits.begin()));
  CHECK(std::equal(a.states.extra.begin(), a.states.extra.begin() + lanes, b.states.extra.begin()));
}

}  // namespace

TEST_CASE("a code is written and read back") {
  for (const unsigned limit : {7u, 8u})
    for (const values& plain : distributions(4096)) {
      const lane_code code(count(plain), limit, false);
      std::vector<std::byte> written;
      code.write(written);
      cursor in(written);
      const lane_code again(in, limit);
      CHECK(in.remaining() == 0);
      for (unsigned value = 0; value < 256; ++value) {
        const auto v = static_cast<std::uint8_t>(value);
        CHECK(code[v].length == again[v].length);
        CHECK(code[v].bits == again[v].bits);
      }
      CHECK(code.escape().bits == again.escape().bits);
      CHECK(code.escape_value() == again.escape_value());
      CHECK(code[code.escape_value()].length == 0);
    }
}

TEST_CASE("codes of any counts are complete and within their limit") {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    byte_counts counts{};
    const unsigned used = 1 + random() % 256;
    for (unsigned i = 0; i < used; ++i) counts[random() % 256] = 1 + (random() >> random() % 32);
    const unsigned limit = 7 + round % 2;
    const lane_code code(counts, limit, round % 3 == 0);
    unsigned space = code.escape().length != 0 ? 1u << (limit - code.escape().length) : 0;
    for (unsigned value = 0; value < 256; ++value) {
      const unsigned length = code[static_cast<std::uint8_t>(value)].length;
      CHECK(length <= limit);
      if (length != 0) space += 1u << (limit - length);
      if (length == 0 && counts[value] != 0) CHECK(code.escape().length != 0);
    }
    CHECK(space == 1u << limit);
  }
}

TEST_CASE("lengths are those of an optimal code where the limit does not bind") {
  // Chances of 1/2, 1/4, 1/8, 1/16, 1/16.
  byte_counts counts{};
  counts[10] = 16;
  counts[20] = 8;
  counts[30] = 4;
  counts[40] = counts[50] = 2;
  const lane_code code(counts, 7, true);
  CHECK(code[10].length == 1);
  CHECK(code[20].length == 2);
  CHECK(code[30].length == 3);
  CHECK(code[40].length == 4);
  CHECK(code[50].length == 4);
  CHECK(code.escape().length == 0);
  CHECK(code.cost(counts) == 16 + 16 + 12 + 16);
  CHECK(code.cheapest() == 10);
}

TEST_CASE("descriptions that are no code are refused") {
  const auto refused = [](std::initializer_list<unsigned> bytes) {
    std::vector<std::byte> given;
    for (const unsigned byte : bytes) given.push_back(static_cast<std::byte>(byte));
    cursor in(given);
    try {
      const lane_code code(in, 7);
    } catch (const error& fault) {
      return fault.code() == errc::damaged || fault.code() == errc::truncated;
    }
    return false;
  };
  CHECK_FALSE(refused({1, 5, 0, 0x11}));        // 5 and the escape, a bit each
  CHECK(refused({}));                           // nothing
  CHECK(refused({0, 0x01}));                    // the escape alone
  CHECK(refused({1, 5, 0}));                    // no lengths
  CHECK(refused({1, 5, 0, 0x21}));              // incomplete
  CHECK(refused({1, 5, 1, 0x11, 0x01}));        // too many codes
  CHECK(refused({1, 5, 1, 0x02, 0x02}));        // a value without a code
  CHECK(refused({1, 5, 1, 0x11, 0x10}));        // something in the half that is not used
  CHECK(refused({2, 5, 0, 5, 0, 0x22, 0x01}));  // the same value twice
  CHECK(refused({2, 5, 0, 6, 0, 0x22, 0x01}));  // runs that are one
  CHECK(refused({2, 9, 0, 5, 0, 0x22, 0x01}));  // out of order
  CHECK(refused({1, 255, 1, 0x22, 0x01}));      // past the last value
  CHECK(refused({1, 0, 63, 0x77}));             // 64 values
  CHECK(refused({1, 5, 0, 0x88}));              // longer than the limit
}

TEST_CASE("values of every distribution come back from all instruction sets, coded by all") {
  for (const unsigned lanes : {many_lanes, few_lanes})
    for (const unsigned limit : {7u, 8u})
      for (const std::size_t groups : {0, 1, 2, 3, 17, 100})
        for (const values& plain : distributions(groups * group_values(lanes))) {
          byte_counts counts = count(plain);
          if (plain.empty()) counts[7] = 1;
          const lane_code code(counts, limit, false);
          const stream reference = [&] {
            const on_isa scalar(isa::scalar);
            return code_values(code, lanes, plain, 4096);
          }();
          for (const isa which : all_isas) {
            const on_isa now(which);
            check_same(code_values(code, lanes, plain, group_values(lanes)), reference, lanes);
            CHECK(decodes_to(code, lanes, reference, plain, 4096));
            CHECK(decodes_to(code, lanes, reference, plain, group_values(lanes)));
          }
        }
}

TEST_CASE("a code made for other values escapes all") {
  const values sample(64, 3);
  const lane_code code(count(sample), 7, false);
  const values plain = geometric(64 * 256, 0.99, 5);
  for (const isa which : all_isas) {
    const on_isa now(which);
    const stream coded = code_values(code, many_lanes, plain, 4096);
    CHECK(coded.escapes.size() == plain.size() - count(plain)[3]);
    CHECK(decodes_to(code, many_lanes, coded, plain, 4096));
  }
}

TEST_CASE("streams that were cut, lengthened or changed are seen or decode to something") {
  const values plain = geometric(20 * 256, 0.8, 6);
  const lane_code code(count(plain), 7, false);
  const stream sound = code_values(code, many_lanes, plain, 4096);
  REQUIRE(sound.escapes.size() > 1);
  for (const isa which : all_isas) {
    const on_isa now(which);
    const auto damaged = [&](auto&& change) {
      stream changed = sound;
      change(changed);
      return !decodes_to(code, many_lanes, changed, plain, 4096);
    };
    CHECK(damaged([](stream& s) { s.words.clear(); }));
    CHECK(damaged([](stream& s) { s.words.resize(s.words.size() - 2); }));
    CHECK(damaged([](stream& s) { s.words.resize(s.words.size() / 2); }));
    CHECK(damaged([](stream& s) { s.words.resize(s.words.size() + 2); }));
    CHECK(damaged([](stream& s) { s.escapes.clear(); }));
    CHECK(damaged([](stream& s) { s.escapes.pop_back(); }));
    CHECK(damaged([](stream& s) { s.escapes.push_back(std::byte{1}); }));
    CHECK(damaged([](stream& s) { s.states.bits[9] ^= 1; }));
    for (std::size_t at = 0; at < sound.words.size(); at += 37)
      CHECK(damaged([&](stream& s) { s.words[at] ^= std::byte{0x10}; }));
  }
}
