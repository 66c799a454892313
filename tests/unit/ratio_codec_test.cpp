// The ratio coder: round trips of every type, equality of instruction sets, refused payloads.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "codec/ratio/ratio_codec.h"
#include "codec/ratio/ratio_layout.h"
#include "core/endian.h"
#include "isa_support.h"
#include "lmzip/error.h"

using namespace lmzip;
using lmzip::test::all_isas;
using lmzip::test::on_isa;
using namespace lmzip::codec;

namespace {

using bytes = std::vector<std::byte>;

bytes random_bytes(std::size_t count, unsigned seed, unsigned values = 256) {
  std::mt19937 random(seed);
  bytes result(count);
  for (std::byte& b : result) b = static_cast<std::byte>(random() % values);
  return result;
}

/// Numbers like weights: a normal distribution of which each row has its own width.
std::vector<float> weights(std::size_t count, std::size_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 0.02F);
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i)
    result[i] = normal(random) * static_cast<float>(1 + i / columns % 5);
  return result;
}

/// Products of a row's and a column's number, with noise: second moments.
std::vector<float> moments(std::size_t count, std::size_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 1);
  std::vector<float> of_row(count / columns + 1), of_column(columns), result(count);
  for (float& f : of_row) f = std::exp2(3 * normal(random) - 20);
  for (float& f : of_column) f = std::exp2(3 * normal(random));
  for (std::size_t i = 0; i < count; ++i)
    result[i] = of_row[i / columns] * of_column[i % columns] * std::exp2(normal(random) / 4);
  return result;
}

bytes as_f32(const std::vector<float>& numbers) {
  bytes result(numbers.size() * 4);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    store_le(&result[4 * i], std::bit_cast<std::uint32_t>(numbers[i]));
  return result;
}

bytes as_bf16(const std::vector<float>& numbers) {
  bytes result(numbers.size() * 2);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    store_le(&result[2 * i],
             static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(numbers[i]) >> 16));
  return result;
}

bytes as_f64(const std::vector<float>& numbers) {
  bytes result(numbers.size() * 8);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    store_le(&result[8 * i], std::bit_cast<std::uint64_t>(static_cast<double>(numbers[i])));
  return result;
}

bytes as_f16(const std::vector<float>& numbers) {
  bytes result(numbers.size() * 2);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(numbers[i]);
    const std::uint32_t exponent = std::max<std::uint32_t>(bits >> 23 & 255, 112) - 112;
    store_le(&result[2 * i],
             static_cast<std::uint16_t>(bits >> 31 << 15 | exponent << 10 | (bits >> 13 & 1023)));
  }
  return result;
}

bytes decoded(const bytes& coded, std::size_t size) {
  bytes plain(size, std::byte{0xee});
  ratio::decode(coded, plain);
  return plain;
}

/// Codes on all instruction sets, decodes on all, and returns the payload.
bytes check(dtype type, std::uint32_t columns, const bytes& plain) {
  std::optional<bytes> first;
  for (const isa encoder : all_isas) {
    const on_isa chosen(encoder);
    const bytes coded = ratio::encode({type, columns}, plain);
    if (first) CHECK(coded == *first);
    first = coded;
    CHECK(coded.size() <= plain.size() + 1);
    for (const isa decoder : all_isas) {
      const on_isa other(decoder);
      CHECK(decoded(coded, plain.size()) == plain);
    }
  }
  return *first;
}

bool refused(const bytes& coded, std::size_t size) {
  try {
    decoded(coded, size);
  } catch (const error& e) {
    CHECK(e.code() == errc::damaged);
    return true;
  }
  return false;
}

bytes with_byte(bytes coded, std::size_t at, unsigned value) {
  coded[at] = static_cast<std::byte>(value);
  return coded;
}

}  // namespace

TEST_CASE("every type comes back at every size, random and skewed") {
  for (unsigned number = 0; number < dtype_count; ++number) {
    const auto type = static_cast<dtype>(number);
    for (const std::size_t size : {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 127, 511, 1024, 8192, 8193})
      for (const unsigned values : {256, 9, 1}) {
        const bytes plain = random_bytes(size, number + static_cast<unsigned>(size), values);
        const bytes coded = ratio::encode({type, 0}, plain);
        CHECK(coded.size() <= plain.size() + 1);
        CHECK(decoded(coded, plain.size()) == plain);
      }
  }
}

TEST_CASE("weights come back and get smaller") {
  for (const std::size_t count : {1000, 4096, 4097, 70000, 300001}) {
    const auto numbers = weights(count, 100, 1);
    const auto rate = [&](dtype type, const bytes& plain) {
      return static_cast<double>(check(type, 100, plain).size()) /
             static_cast<double>(plain.size());
    };
    const double small = count < 5000 ? 0.1 : 0;
    CHECK(rate(dtype::bf16, as_bf16(numbers)) < 0.69 + small);
    CHECK(rate(dtype::f16, as_f16(numbers)) < 0.89 + small);
    CHECK(rate(dtype::f32, as_f32(numbers)) < 0.85 + small);
    CHECK(rate(dtype::f64, as_f64(numbers)) < 0.6 + small + 0.35);
    CHECK(rate(dtype::c64, as_f32(numbers)) < 0.85 + small);
  }
}

TEST_CASE("second moments are predicted by row and column") {
  for (const std::size_t columns : {32, 100, 700}) {
    const auto numbers = moments(70000, columns, 2);
    const auto narrow = static_cast<std::uint32_t>(columns);
    CHECK(check(dtype::bf16, narrow, as_bf16(numbers)).size() <
          check(dtype::bf16, 0, as_bf16(numbers)).size() * 95 / 100);
    CHECK(check(dtype::f32, narrow, as_f32(numbers)).size() <
          check(dtype::f32, 0, as_f32(numbers)).size());
    CHECK(check(dtype::f64, narrow, as_f64(numbers)).size() <
          check(dtype::f64, 0, as_f64(numbers)).size());
  }
}

TEST_CASE("rare exponents, infinities, zeros and what is no number come back") {
  std::mt19937 random(3);
  auto numbers = weights(20000, 100, 4);
  for (int i = 0; i < 300; ++i) {
    numbers[random() % numbers.size()] = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    numbers[random() % numbers.size()] = 0;
    numbers[random() % numbers.size()] = -INFINITY;
  }
  for (const std::uint32_t columns : {0, 100}) {
    check(dtype::bf16, columns, as_bf16(numbers));
    check(dtype::f32, columns, as_f32(numbers));
    check(dtype::f64, columns, as_f64(numbers));
    check(dtype::f16, columns, as_f16(numbers));
  }
}

TEST_CASE("constant tensors and ones of two values take next to nothing") {
  bytes plain(200000, std::byte{0x3f});
  CHECK(check(dtype::u8, 0, plain).size() < 300);
  CHECK(check(dtype::i8, 0, random_bytes(200000, 5, 2)).size() < 26000);
}

TEST_CASE("integers of all widths are told by their magnitudes") {
  std::mt19937 random(6);
  const auto fill = [&](auto word, bool negative) {
    bytes plain(20001 * sizeof(word) + sizeof(word) - 1);
    for (std::size_t i = 0; i < 20001; ++i) {
      auto value = static_cast<decltype(word)>(random() % 1000);
      if (negative && random() % 2 == 0) value = static_cast<decltype(word)>(0 - value);
      if (i % 5000 == 7) value = static_cast<decltype(word)>(~std::uint64_t{0} / 3);
      store_le(&plain[i * sizeof(word)], value);
    }
    return plain;
  };
  CHECK(check(dtype::i16, 0, fill(std::uint16_t{}, true)).size() < 20001 * 12 / 8);
  CHECK(check(dtype::u16, 0, fill(std::uint16_t{}, false)).size() < 20001 * 11 / 8);
  CHECK(check(dtype::i32, 0, fill(std::uint32_t{}, true)).size() < 20001 * 12 / 8);
  CHECK(check(dtype::u32, 0, fill(std::uint32_t{}, false)).size() < 20001 * 11 / 8);
  CHECK(check(dtype::i64, 0, fill(std::uint64_t{}, true)).size() < 20001 * 12 / 8);
  CHECK(check(dtype::u64, 0, fill(std::uint64_t{}, false)).size() < 20001 * 11 / 8);
}

TEST_CASE("groups of zeros cost nothing, lower bytes of large integers are kept") {
  bytes plain(400000, std::byte{});
  const bytes noise = random_bytes(40000, 7);
  std::copy(noise.begin(), noise.end(), plain.begin() + 80000);
  const bytes coded = check(dtype::i32, 0, plain);
  CHECK(coded.size() < 41500);
}

TEST_CASE("estimates are close to what coding takes") {
  const auto near = [](dtype type, const bytes& plain) {
    const auto bits = static_cast<double>(ratio::estimate(type, plain)) / 65536;
    const auto coded = static_cast<double>(ratio::encode({type, 0}, plain).size()) * 8;
    CHECK(bits < coded * 1.01);
    CHECK(bits > coded * 0.98);
  };
  const auto numbers = weights(100000, 100, 8);
  near(dtype::bf16, as_bf16(numbers));
  near(dtype::f32, as_f32(numbers));
  near(dtype::f16, as_f16(numbers));
  near(dtype::f64, as_f64(numbers));
  near(dtype::u8, random_bytes(100000, 9, 30));
  CHECK(ratio::estimate(dtype::bf16, {}) == 0);
}

TEST_CASE("the codec's table decodes what its encoder codes") {
  const bytes plain = as_bf16(weights(5000, 100, 10));
  const auto encoder = make_ratio_encoder(dtype::bf16, 100);
  const encoded coded = encoder->encode(plain);
  CHECK(coded.how.codec == codec_id::ratio);
  CHECK(coded.how.parameters == static_cast<std::uint32_t>(dtype::bf16));
  CHECK(ratio_decoder_v0.describe(coded.how.parameters) == "BF16");
  CHECK(ratio_decoder_v0.memory(coded.how.parameters, plain.size()) <=
        encoder->decoder_memory(plain.size()));
  bytes back(plain.size());
  ratio_decoder_v0.decode(coded.how.parameters, coded.coded, back);
  CHECK(back == plain);
  CHECK_THROWS_AS(ratio_decoder_v0.memory(dtype_count, 10), error);
  CHECK_THROWS_AS(ratio_decoder_v0.memory(0, max_ratio_block_bytes + 1), error);
  CHECK(encoder->estimate(plain).coded_bytes < plain.size());
}

TEST_CASE("no cut or longer payload is accepted, and no wrong size") {
  const auto numbers = weights(3000, 100, 11);
  const auto squares = moments(3200, 100, 12);
  const bytes examples[] = {ratio::encode({dtype::bf16, 0}, as_bf16(numbers)),
                            ratio::encode({dtype::bf16, 100}, as_bf16(squares)),
                            ratio::encode({dtype::f32, 0}, as_f32(numbers)),
                            ratio::encode({dtype::f16, 0}, as_f16(numbers)),
                            ratio::encode({dtype::i8, 0}, random_bytes(3000, 13, 20)),
                            ratio::encode({dtype::i32, 0}, [] {
                              bytes plain(12000);
                              for (std::size_t i = 0; i < plain.size(); i += 4)
                                plain[i] = static_cast<std::byte>(i % 90);
                              return plain;
                            }())};
  const std::size_t sizes[] = {6000, 6400, 12000, 6000, 3000, 12000};
  for (std::size_t i = 0; i < std::size(examples); ++i) {
    const bytes& coded = examples[i];
    REQUIRE(coded[0] != std::byte{0});
    CHECK_FALSE(refused(coded, sizes[i]));
    for (std::size_t cut = 0; cut < coded.size(); cut += 1 + cut / 50)
      CHECK(refused(bytes(coded.begin(), coded.begin() + static_cast<std::ptrdiff_t>(cut)),
                    sizes[i]));
    bytes longer = coded;
    longer.push_back(std::byte{0});
    CHECK(refused(longer, sizes[i]));
    longer.push_back(std::byte{0});
    CHECK(refused(longer, sizes[i]));
    CHECK(refused(coded, sizes[i] + 1000));
    CHECK(refused(coded, 0));
  }
}

TEST_CASE("what no encoder writes is refused") {
  const bytes plain = as_bf16(weights(3000, 100, 14));
  const bytes coded = ratio::encode({dtype::bf16, 0}, plain);
  CHECK(refused({}, 10));
  CHECK(refused(with_byte(coded, 0, 9), plain.size()));  // layout
  CHECK(refused(with_byte(coded, 0, 255), plain.size()));
  CHECK(refused(with_byte(coded, 1, 0x40), plain.size()));  // flags
  CHECK(refused(with_byte(coded, 5, 1), plain.size()));     // escapes
  CHECK(refused(with_byte(coded, 2, 1), plain.size()));
  const bytes eights = ratio::encode({dtype::u8, 0}, random_bytes(3000, 15, 20));
  CHECK(refused(with_byte(eights, 1, 0x10), 3000));
  bytes words(12000);
  for (std::size_t i = 0; i < words.size(); i += 4) words[i] = static_cast<std::byte>(i % 90);
  const bytes integers = ratio::encode({dtype::i32, 0}, words);
  CHECK(refused(with_byte(integers, 1, 0x20), 12000));  // flags
  CHECK(refused(with_byte(integers, 2, 0x7c), 12000));  // lower bytes, precision
  CHECK(refused(with_byte(integers, 2, 0x40), 12000));  // as many lower bytes as there are
  CHECK(refused(with_byte(integers, 3, 0x10), 12000));  // contexts
}

TEST_CASE("contexts in no order and wrong columns are refused") {
  const bytes plain = as_bf16(moments(6400, 100, 16));
  const bytes coded = ratio::encode({dtype::bf16, 100}, plain);
  REQUIRE((std::to_integer<unsigned>(coded[1]) & ratio::flag_row_column) != 0);
  CHECK(refused(with_byte(coded, 6, 1), plain.size()));   // one column
  CHECK(refused(with_byte(coded, 9, 1), plain.size()));   // more than elements
  CHECK(refused(with_byte(coded, 6, 99), plain.size()));  // other sizes of the lists
}

TEST_CASE("random damage never does more than fail or decode to something") {
  std::mt19937 random(17);
  const bytes plains[] = {as_bf16(weights(3000, 100, 18)), as_f32(moments(3200, 100, 19)),
                          random_bytes(3000, 20, 20)};
  const dtype types[] = {dtype::bf16, dtype::f32, dtype::i16};
  for (int round = 0; round < 600; ++round) {
    const std::size_t which = random() % 3;
    bytes coded = ratio::encode({types[which], 100}, plains[which]);
    for (unsigned i = 0; i <= random() % 3; ++i)
      coded[random() %
            (round % 2 == 0 ? std::min<std::size_t>(coded.size(), 100) : coded.size())] ^=
          static_cast<std::byte>(1 + random() % 255);
    std::optional<bytes> first;
    bool first_refused = false;
    for (const isa which_isa : {isa::scalar, isa::avx2}) {
      const on_isa chosen(which_isa);
      bytes back(plains[which].size());
      bool bad = false;
      try {
        ratio::decode(coded, back);
      } catch (const error& e) {
        bad = true;
        CHECK(e.code() == errc::damaged);
      }
      if (first) {
        CHECK(bad == first_refused);
        if (!bad) CHECK(back == *first);
      }
      first = back;
      first_refused = bad;
    }
  }
}
