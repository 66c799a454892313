// Range ANS in interleaved lanes: models, round trips, equality of instruction sets, bad streams.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "entropy/lane_rans.h"
#include "isa_support.h"
#include "lmzip/error.h"

using namespace lmzip;
using lmzip::test::all_isas;
using lmzip::test::on_isa;

namespace {

using bytes = std::vector<std::byte>;

/// Elements to code, and what they are coded with.
struct example {
  lane_rans_model::shape alphabet;
  std::vector<std::uint8_t> raw_bits;  ///< empty: none
  std::vector<std::uint8_t> contexts, symbols;
  std::vector<std::uint16_t> raw;
  std::vector<std::uint32_t> counts;
  unsigned lanes = 128;

  std::size_t size() const { return symbols.size(); }
  lane_elements elements(std::size_t from = 0) {
    return {alphabet.contexts > 1 ? contexts.data() + from : nullptr, symbols.data() + from,
            raw_bits.empty() ? nullptr : raw.data() + from};
  }
};

struct stream {
  bytes states, words;
};

example random_example(std::mt19937& random, std::size_t size) {
  example e;
  const bool with_raw = random() % 2 == 0;
  e.alphabet.precision = 9 + random() % (with_raw ? 2 : 4);
  e.alphabet.contexts = random() % 2 == 0 ? 1 : 1 + random() % 16;
  e.alphabet.symbols = 2 + random() % 255;
  e.alphabet.escape = random() % e.alphabet.symbols;
  e.lanes = lane_unit << random() % 4;
  const unsigned steep = 1 + random() % 8;
  if (with_raw) {
    e.raw_bits.resize(256);
    for (auto& bits : e.raw_bits) bits = static_cast<std::uint8_t>(random() % 16);
    e.raw_bits[e.alphabet.escape] = 0;
  }
  e.counts.resize(std::size_t{e.alphabet.contexts} * 256);
  for (std::size_t i = 0; i < size; ++i) {
    unsigned symbol = random() % e.alphabet.symbols;
    for (unsigned k = 1; k < steep; ++k)
      symbol = std::min<unsigned>(symbol, random() % e.alphabet.symbols);
    const unsigned context = random() % e.alphabet.contexts;
    e.symbols.push_back(static_cast<std::uint8_t>(symbol));
    e.contexts.push_back(static_cast<std::uint8_t>(context));
    e.raw.push_back(with_raw ? random() & ((1U << e.raw_bits[symbol]) - 1) : 0);
    if (random() % 3 == 0) ++e.counts[context * 256 + symbol];
  }
  return e;
}

/// Codes in blocks of `block` elements; symbols that became escapes are so in `e` afterwards.
stream encode(example& e, const lane_rans_model& model, std::size_t block) {
  const lane_encode_table table(model, e.raw_bits);
  bytes room(lane_rans_encoder::room_for(e.size()));
  lane_rans_encoder coder(table, e.lanes, room);
  for (std::size_t blocks = (e.size() + block - 1) / block; blocks-- > 0;)
    coder.prepend(e.elements(blocks * block), std::min(block, e.size() - blocks * block));
  stream made;
  for (const std::uint32_t state : coder.states())
    for (int shift = 0; shift < 32; shift += 8)
      made.states.push_back(static_cast<std::byte>(state >> shift));
  made.words.assign(coder.words().begin(), coder.words().end());
  return made;
}

struct decoded {
  std::vector<std::uint8_t> symbols;
  std::vector<std::uint16_t> raw;
  bool finished;
};

decoded decode(const example& e, const lane_rans_model& model, const stream& coded,
               std::size_t block) {
  const lane_decode_table table(model, e.raw_bits);
  lane_rans_decoder coder(table, e.lanes, coded.states, coded.words);
  decoded result{std::vector<std::uint8_t>(e.size()), std::vector<std::uint16_t>(e.size()), false};
  for (std::size_t at = 0; at < e.size(); at += block)
    coder.decode(
        {e.alphabet.contexts > 1 ? e.contexts.data() + at : nullptr, result.symbols.data() + at,
         e.raw_bits.empty() ? nullptr : result.raw.data() + at},
        std::min(block, e.size() - at));
  result.finished = coder.finished();
  return result;
}

/// The raw bits of what is not escaped.
std::vector<std::uint16_t> kept_raw(const example& e) {
  std::vector<std::uint16_t> kept = e.raw;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (e.symbols[i] == e.alphabet.escape) kept[i] = 0;
  return kept;
}

void check_all_isas(example e, std::size_t block) {
  const auto model = lane_rans_model::fit(e.alphabet, e.counts, 16);
  std::optional<stream> first;
  for (const isa encoder : all_isas) {
    const on_isa chosen(encoder);
    example copy = e;
    const stream coded = encode(copy, model, block);
    if (first) {
      CHECK(coded.states == first->states);
      CHECK(coded.words == first->words);
    }
    first = coded;
    for (const isa decoder : all_isas) {
      const on_isa other(decoder);
      const decoded back = decode(e, model, coded, block);
      CHECK(back.finished);
      CHECK(back.symbols == copy.symbols);
      if (!e.raw_bits.empty()) CHECK(back.raw == kept_raw(copy));
    }
  }
}

}  // namespace

TEST_CASE("lanes give back symbols and raw bits of any size on every instruction set") {
  std::mt19937 random(1);
  for (const std::size_t size : {0, 1, 2, 15, 16, 17, 31, 127, 128, 129, 255, 1000, 4096, 4097})
    for (int round = 0; round < 4; ++round) check_all_isas(random_example(random, size), 4096);
  check_all_isas(random_example(random, 20000), 4096);
  check_all_isas(random_example(random, 20000), 128);
}

TEST_CASE("what a model does not know becomes an escape") {
  example e;
  e.alphabet = {12, 1, 256, 255};
  e.counts.assign(256, 0);
  e.counts[7] = 1000;
  e.symbols.assign(5000, 7);
  e.contexts.assign(5000, 0);
  e.raw.assign(5000, 0);
  e.symbols[0] = e.symbols[77] = e.symbols[4999] = 3;
  check_all_isas(e, 4096);
  const auto model = lane_rans_model::fit(e.alphabet, e.counts, 16);
  encode(e, model, 4096);
  CHECK(e.symbols[0] == 255);
  CHECK(e.symbols[77] == 255);
  CHECK(e.symbols[4999] == 255);
  CHECK(std::count(e.symbols.begin(), e.symbols.end(), 7) == 4997);
}

TEST_CASE("frequencies add up, and none is everything") {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    example e = random_example(random, random() % 3000);
    const auto model = lane_rans_model::fit(e.alphabet, e.counts, random() % 64);
    for (unsigned context = 0; context < e.alphabet.contexts; ++context) {
      std::uint32_t sum = 0;
      for (const std::uint16_t f : model.frequencies(context)) {
        CHECK(f < 1U << e.alphabet.precision);
        sum += f;
      }
      CHECK(sum == 1U << e.alphabet.precision);
      CHECK(model.frequencies(context)[e.alphabet.escape] > 0);
    }
  }
}

TEST_CASE("a stored model is read back, and a shorter or longer one is not") {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    example e = random_example(random, random() % 3000);
    const auto model = lane_rans_model::fit(e.alphabet, e.counts, 16);
    bytes stored;
    model.append_to(stored);
    cursor in(stored);
    const auto read = lane_rans_model::read(e.alphabet, in);
    CHECK(in.remaining() == 0);
    for (unsigned context = 0; context < e.alphabet.contexts; ++context)
      CHECK(std::ranges::equal(read.frequencies(context), model.frequencies(context)));

    bytes longer = stored;
    longer.resize(longer.size() + 5);  // more than a code may be longer unnoticed
    longer[0] = static_cast<std::byte>((longer.size() - 2) & 255);
    longer[1] = static_cast<std::byte>((longer.size() - 2) >> 8);
    cursor in_longer(longer);
    CHECK_THROWS_AS(lane_rans_model::read(e.alphabet, in_longer), error);
    bytes shorter(stored.begin(), stored.end() - 1);
    cursor in_shorter(shorter);
    CHECK_THROWS_AS(lane_rans_model::read(e.alphabet, in_shorter), error);
  }
}

TEST_CASE("a model without its escape or with one symbol is refused") {
  bytes stored;
  lane_rans_model::fit({12, 1, 256, 255}, std::vector<std::uint32_t>(256, 1), 16).append_to(stored);
  const bytes nothing = {std::byte{0}, std::byte{0}};
  cursor in(nothing);
  CHECK_THROWS_AS(lane_rans_model::read({12, 1, 256, 255}, in), error);
}

TEST_CASE("damaged words and states are seen or decode to something, the same everywhere") {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    example e = random_example(random, 1 + random() % 3000);
    const auto model = lane_rans_model::fit(e.alphabet, e.counts, 16);
    stream coded = encode(e, model, 4096);
    if (round % 3 == 0 && !coded.words.empty())
      coded.words.resize(random() % coded.words.size());
    else if (round % 3 == 1)
      for (int i = 0; i < 3 && !coded.words.empty(); ++i)
        coded.words[random() % coded.words.size()] ^= static_cast<std::byte>(1 << random() % 8);
    else
      coded.states[random() % coded.states.size()] ^= static_cast<std::byte>(1 << random() % 7);
    std::optional<decoded> first;
    for (const isa which : all_isas) {
      const on_isa chosen(which);
      try {
        const decoded back = decode(e, model, coded, 4096);
        if (first) {
          CHECK(back.symbols == first->symbols);
          CHECK(back.raw == first->raw);
          CHECK(back.finished == first->finished);
        }
        first = back;
      } catch (const error& bad) {
        CHECK(bad.code() == errc::damaged);
      }
    }
    if (round % 3 == 0 && first && !coded.words.empty()) CHECK_FALSE(first->finished);
  }
}

TEST_CASE("states out of range and of the wrong number are refused") {
  const auto model =
      lane_rans_model::fit({12, 1, 256, 255}, std::vector<std::uint32_t>(256, 1), 16);
  const lane_decode_table table(model, {});
  bytes states(64);
  for (std::size_t i = 0; i < states.size(); i += 4) states[i + 1] = std::byte{0x80};
  CHECK_NOTHROW(lane_rans_decoder(table, 16, states, {}));
  CHECK(lane_rans_decoder(table, 16, states, {}).finished());
  bytes low = states, high = states;
  low[1] = std::byte{0x7f};
  high[63] = std::byte{0x80};
  CHECK_THROWS_AS(lane_rans_decoder(table, 16, low, {}), error);
  CHECK_THROWS_AS(lane_rans_decoder(table, 16, high, {}), error);
  CHECK_THROWS_AS(lane_rans_decoder(table, 32, states, {}), error);
}
