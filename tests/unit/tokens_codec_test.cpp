#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "codec/text/leaves.h"
#include "codec/text/text_data.h"
#include "codec/tokens/line_kernels_scalar.h"
#include "codec/tokens/token_coder.h"
#include "codec/tokens/token_match.h"
#include "codec/tokens/tokens_codec.h"
#include "codec/tokens/tokens_data.h"
#include "codec/tokens/value_trainer.h"
#include "core/cpu.h"
#include "lmzip/error.h"
#include "model/row_mixture.h"
#include "model/step_tree.h"

using namespace lmzip;
using namespace lmzip::codec;
using namespace lmzip::codec::tokens;

namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// Text with words, numbers, repeats long enough for runs, and some bytes of every value.
std::vector<std::byte> mixed_text(std::size_t size, unsigned seed) {
  static const std::vector<std::string> words{
      "the ",   "compression ",   "of ",    "text",      ", ",      "tokens ",
      "\n",     "2026-11-29 ",    "ERROR ", "{\"id\": ", "}, ",     "größer ",
      "слово ", "int main() {\n", "\t",     "0.125,",    "https://"};
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) {
    text += words[random() % words.size()];
    if (random() % 40 == 0) text += static_cast<char>(random() & 255);
    if (random() % 200 == 0 && text.size() > 2000) text += text.substr(text.size() - 1500, 1200);
  }
  text.resize(size);
  return bytes_of(text);
}

std::vector<std::byte> random_bytes(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random() & 255);
  return bytes;
}

token_setup setup_with(unsigned log2_lines) {
  return {
      .data = &shipped_tokens_data(), .values = shipped_start_values(), .log2_lines = log2_lines};
}

std::vector<const token_coder*> coders() {
  std::vector<const token_coder*> all{&scalar::coder};
#if defined(__x86_64__)
  if (best_isa() >= isa::avx2) all.push_back(&avx2::coder);
#endif
  return all;
}

std::vector<std::byte> decoded_by(const token_coder& coder, const token_setup& setup,
                                  std::span<const std::byte> coded, std::size_t size) {
  std::vector<std::byte> plain(size);
  coder.decode(setup, coded, plain);
  return plain;
}

}  // namespace

TEST_CASE("every instruction set gives the same code of tokens and decodes it") {
  for (const unsigned log2_lines : {8U, 12U, 16U}) {
    const auto plain = mixed_text(200000, log2_lines);
    const auto leaves = text::leaves_of_tokens(plain);
    const token_setup setup = setup_with(log2_lines);
    const auto reference = scalar::coder.encode(setup, leaves);
    for (const token_coder* coder : coders()) {
      CHECK(coder->encode(setup, leaves) == reference);
      CHECK(decoded_by(*coder, setup, reference, plain.size()) == plain);
    }
    CHECK(reference.size() < plain.size() / 4);
  }
}

TEST_CASE("hard inputs come back as tokens: constant, random, short, every byte value") {
  std::vector<std::vector<std::byte>> inputs{random_bytes(150000, 2),
                                             std::vector<std::byte>(70000, std::byte{0}),
                                             std::vector<std::byte>(3000, std::byte{255}),
                                             {},
                                             mixed_text(1, 3),
                                             mixed_text(2, 4),
                                             mixed_text(257, 5)};
  std::vector<std::byte> counting(1024);
  for (std::size_t i = 0; i < counting.size(); ++i) counting[i] = static_cast<std::byte>(i & 255);
  inputs.push_back(counting);
  const auto encoder = make_tokens_encoder();
  for (const auto& plain : inputs) {
    const encoded block = encoder->encode(plain);
    std::vector<std::byte> decoded(plain.size());
    tokens_decoder_v0.decode(block.how.parameters, block.coded, decoded);
    CHECK(decoded == plain);
    CHECK(block.coded.size() < plain.size() + plain.size() / 4 + 32);
    CHECK(tokens_decoder_v0.memory(block.how.parameters, plain.size()) <=
          encoder->decoder_memory(plain.size()));
    CHECK(encoder->estimate(plain).coded_bytes == block.coded.size());
  }
}

TEST_CASE("sequences of any leaves come back, the first and the last among them") {
  std::mt19937 random(6);
  const auto& data = shipped_tokens_data();
  const std::uint32_t last = data.tree().leaf_count() - 1;
  std::vector<std::uint16_t> leaves;
  std::size_t size = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t any = static_cast<std::uint32_t>(random()) % (last + 1);
    const std::uint32_t leaf = i % 3 == 0 ? last : i % 3 == 1 ? 0 : i % 7 == 0 ? any : 5;
    leaves.push_back(static_cast<std::uint16_t>(leaf));
    size += data.length(leaf);
  }
  for (const token_coder* coder : coders()) {
    const auto coded = coder->encode(setup_with(10), leaves);
    const auto plain = decoded_by(*coder, setup_with(10), coded, size);
    std::size_t at = 0;
    bool same = true;
    for (const std::uint16_t leaf : leaves)
      for (std::size_t i = 0; i < data.length(leaf); ++i)
        same = same && std::to_integer<std::uint8_t>(plain[at++]) == data.text(leaf)[i];
    CHECK(same);
  }
}

TEST_CASE("any bytes decode to tokens or to an error, on every instruction set alike") {
  std::mt19937 random(7);
  const auto good = mixed_text(3000, 7);
  const auto good_code = scalar::coder.encode(setup_with(8), text::leaves_of_tokens(good));
  for (unsigned round = 0; round < 150; ++round) {
    auto coded = random_bytes(random() % 400, round);
    if (round % 3 == 0) {
      coded = good_code;
      coded[random() % coded.size()] ^= static_cast<std::byte>(1 + random() % 255);
    }
    if (round % 3 == 1)
      std::copy_n(good_code.begin(), std::min<std::size_t>(coded.size(), 100), coded.begin());
    std::vector<std::vector<std::byte>> results;
    for (const token_coder* coder : coders()) {
      std::vector<std::byte> plain(3000);
      try {
        coder->decode(setup_with(8), coded, plain);
      } catch (const error& e) {
        CHECK(e.code() == errc::damaged);
      }
      results.push_back(plain);
    }
    for (const auto& result : results) CHECK(result == results.front());
  }
}

TEST_CASE("a code of tokens that is cut, too long or for another size is damaged") {
  const auto plain = mixed_text(5000, 8);
  const auto coded = scalar::coder.encode(setup_with(9), text::leaves_of_tokens(plain));
  const auto refuses = [](std::span<const std::byte> code, std::size_t size) {
    CHECK_THROWS_AS(decoded_by(active_token_coder(), setup_with(9), code, size), error);
  };
  for (std::size_t size = 0; size < coded.size(); size += 7)
    refuses(std::span(coded).first(size), plain.size());
  auto longer = coded;
  longer.insert(longer.end(), 4, std::byte{0});
  refuses(longer, plain.size());
  refuses(coded, plain.size() - 1);
  refuses(coded, plain.size() + 1);
}

TEST_CASE("tokens codec parameters that no encoder writes are rejected") {
  CHECK_NOTHROW(tokens_decoder_v0.memory(12, 1000));
  CHECK(tokens_decoder_v0.describe(12) == "2^12 lines a context");
  for (const std::uint32_t bad : {0U, min_log2_lines - 1, max_log2_lines + 1, 1U << 31 | 12U})
    CHECK_THROWS_AS(tokens_decoder_v0.memory(bad, 1000), error);
}

TEST_CASE("the step tree leads to every leaf") {
  const model::alphabet words = text::token_alphabet();
  for (const model::alphabet* symbols : {&words, &model::alphabet::of_bytes()}) {
    const model::step_tree tree(symbols->tree());
    CHECK(tree.leaf_count() == symbols->size());
    bool found = true;
    for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
      std::uint32_t at = 0;
      unsigned depth = 0;
      for (; (at & model::step_tree::leaf_mark) == 0 && depth < tree.depth(); ++depth) {
        const std::uint32_t way = tree.path(leaf)[depth];
        found = found && static_cast<int>(way) < tree.ways(at);
        at = tree.child(at, way);
      }
      found = found && at == (leaf | model::step_tree::leaf_mark);
    }
    CHECK(found);
  }
}

TEST_CASE("start values survive their quantisation but for a step") {
  const value_layout& layout = shipped_tokens_data().layout();
  const auto untrained = layout.untrained();
  const auto values = layout.quantise(untrained);
  CHECK(values.size() == layout.quantised_values());
  const auto restored = layout.restore(values);
  const auto again = layout.quantise(restored);
  bool near = true;
  for (std::size_t i = 0; i < values.size(); ++i)
    near = near && std::abs(static_cast<std::int8_t>(values[i] - again[i])) <= 1;
  CHECK(near);
  CHECK_THROWS_AS(layout.restore(std::span(values).first(values.size() - 1)), error);
}

TEST_CASE("any start values are sound: rows rise, weights sum to one at most") {
  const value_layout& layout = shipped_tokens_data().layout();
  std::mt19937 random(9);
  std::vector<std::uint8_t> values(layout.quantised_values());
  for (std::uint8_t& v : values) v = static_cast<std::uint8_t>(random() & 255);
  const auto image = layout.restore(values);
  const auto* rows = reinterpret_cast<const model::distribution_row*>(
      image.data() + layout.offset(value_layout::rows));
  bool sound = true;
  for (std::size_t i = 0; i < layout.count(value_layout::rows); ++i)
    sound = sound && std::is_sorted(rows[i].below.begin(), rows[i].below.end()) &&
            rows[i].below.back() <= model::distribution_row::highest;
  const auto* mixtures = reinterpret_cast<const model::mixture_weights*>(
      image.data() + layout.offset(value_layout::step_weights));
  for (std::size_t i = 0; i < layout.count(value_layout::step_weights); ++i) {
    std::int64_t sum = 0;
    for (const std::int32_t w : mixtures[i].weight) sum += w;
    sound = sound && sum <= model::mixture_weights::one;
  }
  CHECK(sound);

  const auto plain = mixed_text(20000, 10);
  const token_setup setup{.data = &shipped_tokens_data(), .values = image, .log2_lines = 10};
  const auto leaves = text::leaves_of_tokens(plain);
  for (const token_coder* coder : coders())
    CHECK(decoded_by(*coder, setup, scalar::coder.encode(setup, leaves), plain.size()) == plain);
}

TEST_CASE("trained start values make a short text of the kind smaller") {
  const auto text = mixed_text(300000, 11);
  const value_layout& layout = shipped_tokens_data().layout();
  const auto trained = layout.restore(train_values(text, {}));
  const auto plain = mixed_text(4000, 12);
  const auto leaves = text::leaves_of_tokens(plain);
  token_setup setup = setup_with(10);
  const std::size_t before =
      active_token_coder().encode({setup.data, layout.untrained(), 10}, leaves).size();
  const std::size_t after = active_token_coder().encode({setup.data, trained, 10}, leaves).size();
  CHECK(after * 10 < before * 9);
}

TEST_CASE("a match goes on where the same tokens came before") {
  std::vector<std::uint32_t> table(1 << 8);
  std::vector<std::uint16_t> history(100);
  for (std::size_t i = 0; i < history.size(); ++i) history[i] = static_cast<std::uint16_t>(i % 20);
  std::vector<std::uint32_t> far_table(1 << 8);
  token_match match(table.data(), 8, far_table.data(), 8, history.data());
  std::uint16_t before = 0;
  for (std::uint32_t i = 0; i < 60; ++i) {
    match.advance(history[i], before, i);
    before = history[i];
  }
  match.find(60);
  REQUIRE(match.active());
  CHECK(match.expected() == history[60]);
  CHECK(match.length() >= 16);
}

TEST_CASE("what comes again after very many tokens is found") {
  const auto once = random_bytes(400000, 13);
  auto twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  const auto encoder = make_tokens_encoder();
  const encoded block = encoder->encode(twice);
  CHECK(block.coded.size() < encoder->encode(once).coded.size() + 4000);
  std::vector<std::byte> decoded(twice.size());
  tokens_decoder_v0.decode(block.how.parameters, block.coded, decoded);
  CHECK(decoded == twice);
}
