#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "codec/text/leaves.h"
#include "codec/text/symbol_coder.h"
#include "codec/text/text_codec.h"
#include "codec/text/text_data.h"
#include "codec/text/text_parameters.h"
#include "codec/text/x86_filter.h"
#include "core/cpu.h"
#include "lmzip/error.h"
#include "model/symbol_distribution.h"

using namespace lmzip;
using namespace lmzip::codec;
using namespace lmzip::codec::text;

namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// Text with words, numbers, columns, repeats, and some bytes of every value.
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
    if (random() % 50 == 0 && text.size() > 300) text += text.substr(text.size() - 300, 200);
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

/// One of the coders.
struct way {
  int strength;
  symbol_kind kind;

  coding_setup setup(std::uint64_t plain_bytes, unsigned log2_lines = 10) const {
    return text_parameters{.strength = strength, .kind = kind, .log2_lines = log2_lines}.setup(
        plain_bytes);
  }
  const symbol_coder& coder() const { return find_coder(strength, kind); }
  std::vector<std::uint16_t> leaves_of(std::span<const std::byte> plain) const {
    return kind == symbol_kind::tokens ? leaves_of_tokens(plain) : leaves_of_bytes(plain);
  }

  /// The coder for each instruction set that this processor has, the scalar one first.
  std::vector<const symbol_coder*> coders() const {
    std::vector<const symbol_coder*> all{&in(scalar::coders)};
#if defined(__x86_64__)
    if (best_isa() >= isa::avx2) all.push_back(&in(avx2::coders));
    if (best_isa() >= isa::avx512) all.push_back(&in(avx512::coders));
#endif
    return all;
  }

 private:
  const symbol_coder& in(const symbol_coder_table& table) const {
    return table.alone[static_cast<std::size_t>(strength - min_strength)]
                      [static_cast<std::size_t>(kind)];
  }
};

std::vector<way> all_ways() {
  std::vector<way> all;
  for (int strength = min_strength; strength <= max_strength; ++strength)
    for (const auto kind : {symbol_kind::tokens, symbol_kind::letters, symbol_kind::records})
      all.push_back({strength, kind});
  return all;
}

constexpr way tokens3{3, symbol_kind::tokens};

/// Knows the symbols that come and puts most of the mass on each; `sharpness` of 0 knows nothing.
class oracle final : public model::symbol_distribution {
 public:
  oracle(std::vector<std::uint16_t> leaves, std::uint32_t symbols, std::uint64_t sharpness)
      : leaves_(std::move(leaves)), symbols_(symbols), sharpness_(sharpness) {}

  std::uint64_t total() override { return (sharpness_ + 1) * symbols_; }
  std::uint64_t mass_below(std::uint32_t leaf) override {
    const bool passed = next_ < leaves_.size() && leaf > leaves_[next_];
    return leaf + (passed ? sharpness_ * symbols_ : 0);
  }
  void keep(bool) override {}
  void advance(std::uint32_t) override { ++next_; }

 private:
  std::vector<std::uint16_t> leaves_;
  std::size_t next_ = 0;
  std::uint32_t symbols_;
  std::uint64_t sharpness_;
};

}  // namespace

TEST_CASE("every instruction set gives the same coded bytes and decodes them") {
  for (const way& w : all_ways()) {
    const auto plain = mixed_text(30000, 1);
    const auto leaves = w.leaves_of(plain);
    const auto setup = w.setup(plain.size(), 12);
    const auto reference = w.coders().front()->encode(setup, leaves);
    for (const symbol_coder* coder : w.coders()) {
      CHECK(coder->encode(setup, leaves) == reference);
      std::vector<std::byte> decoded(plain.size());
      coder->decode(setup, reference, decoded);
      CHECK(decoded == plain);
    }
  }
}

TEST_CASE("hard inputs come back: constant, random, short, every byte value") {
  std::vector<std::vector<std::byte>> inputs{random_bytes(5000, 2),
                                             std::vector<std::byte>(70000, std::byte{0}),
                                             std::vector<std::byte>(3000, std::byte{255}),
                                             mixed_text(1, 3),
                                             mixed_text(2, 4),
                                             mixed_text(257, 5)};
  std::vector<std::byte> counting(1024);
  for (std::size_t i = 0; i < counting.size(); ++i) counting[i] = static_cast<std::byte>(i & 255);
  inputs.push_back(counting);
  for (const auto& plain : inputs) {
    for (const way& w : all_ways()) {
      const auto setup = w.setup(plain.size());
      const auto coded = w.coder().encode(setup, w.leaves_of(plain));
      std::vector<std::byte> decoded(plain.size());
      w.coder().decode(setup, coded, decoded);
      CHECK(decoded == plain);
      CHECK(coded.size() < plain.size() + plain.size() / 4 + 16);
    }
  }
}

TEST_CASE("an external distribution is one more input of the mixer") {
  const auto plain = mixed_text(20000, 6);
  const auto leaves = leaves_of_tokens(plain);
  const std::uint32_t symbols = token_alphabet().size();
  std::vector<std::size_t> sizes;
  for (const std::uint64_t sharpness : {0, 1, 1000}) {
    auto setup = tokens3.setup(plain.size());
    setup.make_prior = [&] { return std::make_unique<oracle>(leaves, symbols, sharpness); };
    const auto coded = tokens3.coder().encode(setup, leaves);
    std::vector<std::byte> decoded(plain.size());
    tokens3.coder().decode(setup, coded, decoded);
    CHECK(decoded == plain);
    sizes.push_back(coded.size());
  }
  CHECK(sizes[1] < sizes[0]);
  CHECK(sizes[2] < sizes[0] / 2);
}

TEST_CASE("any bytes decode to something or to an error, on every instruction set alike") {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const way w = all_ways()[static_cast<std::size_t>(round) % all_ways().size()];
    const auto coded = random_bytes(random() % 400, static_cast<unsigned>(round));
    std::vector<std::vector<std::byte>> results;
    for (const symbol_coder* coder : w.coders()) {
      std::vector<std::byte> plain(2000);
      try {
        coder->decode(w.setup(plain.size(), min_log2_lines), coded, plain);
      } catch (const error& e) {
        CHECK(e.code() == errc::damaged);
      }
      results.push_back(plain);
    }
    for (const auto& result : results) CHECK(result == results.front());
  }
}

TEST_CASE("left-over coded bytes are damage") {
  const auto plain = mixed_text(500, 8);
  const auto setup = tokens3.setup(plain.size());
  auto coded = tokens3.coder().encode(setup, leaves_of_tokens(plain));
  coded.insert(coded.end(), 8, std::byte{1});
  std::vector<std::byte> decoded(plain.size());
  CHECK_THROWS_AS(tokens3.coder().decode(setup, coded, decoded), error);
}

TEST_CASE("the text encoder chooses tokens for prose and bytes for machine words") {
  const auto encoder = make_text_encoder(3);
  const auto prose = mixed_text(30000, 9);
  std::vector<std::byte> records;
  std::mt19937 random(10);
  for (std::uint32_t i = 0; i < 6000; ++i)
    for (const std::uint32_t value :
         std::array{i & 255, i >> 8, static_cast<std::uint32_t>(random() & 3), 0U, 200U})
      records.push_back(static_cast<std::byte>(value));
  for (const auto& plain : {prose, records}) {
    const encoded block = encoder->encode(plain);
    CHECK(encoder->estimate(plain).coded_bytes > 0);
    CHECK((text_parameters::parse(block.how.parameters).kind == symbol_kind::tokens) ==
          (plain == prose));
    std::vector<std::byte> decoded(plain.size());
    text_decoder_v0.decode(block.how.parameters, block.coded, decoded);
    CHECK(decoded == plain);
    CHECK(text_decoder_v0.memory(block.how.parameters, plain.size()) <=
          encoder->decoder_memory(plain.size()));
  }
}

TEST_CASE("the choice of a trial keeps to the encoder's strength") {
  const auto plain = mixed_text(9000, 12);
  for (int strength = min_text_strength; strength <= max_text_strength; ++strength) {
    const auto encoder = make_text_encoder(strength);
    const encoded undecided_block = encoder->encode(plain);
    const encoded decided = encoder->encode_as(plain, encoder->estimate(plain).choice);
    for (const encoded& block : {undecided_block, decided})
      CHECK(text_parameters::parse(block.how.parameters).strength == strength);
    CHECK(decided.coded == undecided_block.coded);
  }
}

TEST_CASE("parameters that no encoder writes are rejected") {
  const std::uint32_t good = text_parameters{.log2_lines = 10}.pack();
  CHECK_NOTHROW(text_parameters::parse(good));
  for (const std::uint32_t bad : {0U, good | 1U << 31, (good | 1U << 7) - 1, good | 9U << 4, good + 2, good | 1U << 6,
                                  good | 3U << 4, 3U | 7U << 8, 3U | 40U << 8})
    CHECK_THROWS_AS(text_parameters::parse(bad), error);
  CHECK_THROWS_AS(make_text_encoder(9), error);
}

TEST_CASE("the x86 filter is undone by its inverse on any bytes") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    auto code = random_bytes(seed * 13, seed);
    for (std::byte& b : code) {
      const auto value = std::to_integer<unsigned>(b);
      b = static_cast<std::byte>(value % 3 == 0 ? 0xe8 : value % 3 == 1 ? 0 : 0xff);
    }
    auto turned = code;
    x86_forward(turned);
    if (seed == 39) CHECK(turned != code);
    x86_inverse(turned);
    CHECK(turned == code);
  }
  CHECK_FALSE(looks_like_x86(random_bytes(100000, 11)));
}
