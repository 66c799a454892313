#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include "codec/lmc/lmc.h"
#include "codec/lmc/lmc_encoder.h"
#include "codec/lmc/planes.h"
#include "core/endian.h"
#include "isa_support.h"
#include "lmzip/error.h"

using namespace lmzip;
using lmzip::test::all_isas;
using lmzip::test::on_isa;
using namespace lmzip::codec;

namespace {

using bytes = std::vector<std::byte>;

std::vector<dtype> all_types() {
  std::vector<dtype> types;
  for (unsigned i = 0; i < dtype_count; ++i) types.push_back(static_cast<dtype>(i));
  return types;
}

// Numbers of which the upper bits are skewed, as they are in weights.
bytes skewed(dtype type, std::size_t size) {
  std::mt19937 random(static_cast<unsigned>(type) + 1);
  std::normal_distribution<float> normal;
  bytes made(size + 8);
  const unsigned width = std::max(1u, std::min(64u, bits_of(type)) / 8);
  for (std::size_t at = 0; at < size; at += width) {
    const float value = 0.02f * normal(random);
    switch (type) {
      case dtype::f64:
      case dtype::c128:
        store_le(&made[at], std::bit_cast<std::uint64_t>(static_cast<double>(value)));
        break;
      case dtype::f32:
        store_le(&made[at], std::bit_cast<std::uint32_t>(value));
        break;
      case dtype::c64:
        store_le(&made[at], std::bit_cast<std::uint32_t>(value));
        store_le(&made[at + 4], std::bit_cast<std::uint32_t>(-value));
        break;
      case dtype::bf16:
      case dtype::f16:
        store_le(&made[at], static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
        break;
      case dtype::f4:
        made[at] = static_cast<std::byte>(random() % 3 * 17);
        break;
      default:
        store_le(&made[at], static_cast<std::uint64_t>(static_cast<std::int64_t>(value * 500)));
    }
  }
  made.resize(size);
  return made;
}

bytes uniform(std::size_t size) {
  std::mt19937_64 random(9);
  bytes made(size);
  for (auto& byte : made) byte = static_cast<std::byte>(random());
  return made;
}

bool comes_back(dtype type, const bytes& plain) {
  const bytes coded = lmc::encode(type, plain);
  bytes again(plain.size());
  lmc::decode(type, coded, again);
  return again == plain;
}

void refused(dtype type, std::span<const std::byte> coded, std::size_t plain_bytes) {
  bytes plain(plain_bytes);
  try {
    lmc::decode(type, coded, plain);
    FAIL_CHECK("decoded");
  } catch (const error& fault) {
    CHECK(fault.code() == errc::damaged);
  }
}

}  // namespace

TEST_CASE("numbers of every type and any count come back") {
  for (const dtype type : all_types()) {
    CAPTURE(name_of(type));
    for (const std::size_t size : {0,   1,   2,   3,    5,    7,    8,    15,    16,     31,    33,
                                   100, 255, 257, 1000, 4095, 4096, 4099, 40000, 131071, 300001}) {
      CAPTURE(size);
      CHECK(comes_back(type, skewed(type, size)));
      CHECK(comes_back(type, uniform(size)));
      CHECK(comes_back(type, bytes(size, std::byte{0x3f})));
    }
  }
}

TEST_CASE("chunks have borders") {
  for (const dtype type : {dtype::f4, dtype::i8, dtype::f6_e2m3, dtype::bf16, dtype::i16}) {
    CAPTURE(name_of(type));
    const std::size_t chunk = lmc::chunk_numbers * bits_of(type) / 8;
    for (const std::size_t size : {chunk - 1, chunk, chunk + 1, 2 * chunk + 7})
      CHECK(comes_back(type, skewed(type, size)));
  }
}

TEST_CASE("all instruction sets write and read the same bytes") {
  for (const dtype type : all_types()) {
    CAPTURE(name_of(type));
    for (const std::size_t size : {1003, 300007}) {
      const bytes plain = skewed(type, size);
      const bytes reference = [&] {
        const on_isa scalar(isa::scalar);
        return lmc::encode(type, plain);
      }();
      for (const isa which : all_isas) {
        const on_isa now(which);
        CHECK(lmc::encode(type, plain) == reference);
        bytes again(plain.size());
        lmc::decode(type, reference, again);
        CHECK(again == plain);
      }
    }
  }
}

TEST_CASE("splits and joins of all instruction sets are those of the definition") {
  for (const dtype type : all_types()) {
    CAPTURE(name_of(type));
    const lmc::layout& shape = lmc::layout_of(type);
    for (const std::size_t count : {std::size_t{4}, std::size_t{8}, std::size_t{28},
                                    std::size_t{36}, std::size_t{1000}, lmc::batch_numbers}) {
      const bytes plain = uniform(count / shape.unit_numbers * shape.unit_bytes);
      std::vector<std::vector<std::uint8_t>> expected;
      for (const isa which : all_isas) {
        const on_isa now(which);
        bytes again(plain.size());
        std::size_t index = 0;
        for (const lmc::plane& part : shape.planes) {
          std::vector<std::uint8_t> symbols(count);
          std::vector<std::uint8_t> lists(part.bytes_size(count) + part.bits_size(count));
          std::uint8_t* const bits = lists.data() + part.bytes_size(count);
          lmc::find_split(part.kind)(part, reinterpret_cast<const std::uint8_t*>(plain.data()),
                                     symbols.data(), lists.data(), bits, count);
          CHECK(std::all_of(symbols.begin(), symbols.end(),
                            [&](auto symbol) { return symbol >> part.symbol_bits == 0; }));
          lmc::find_join(part.kind)(part, symbols.data(), lists.data(), bits,
                                    reinterpret_cast<std::uint8_t*>(again.data()), count);
          symbols.insert(symbols.end(), lists.begin(), lists.end());
          if (which == isa::scalar)
            expected.push_back(symbols);
          else
            CHECK(symbols == expected[index]);
          ++index;
        }
        CHECK(again == plain);
      }
    }
  }
}

TEST_CASE("fields lie where the format says") {
  const auto split = [](dtype type, std::size_t index, bytes plain) {
    const lmc::layout& shape = lmc::layout_of(type);
    const lmc::plane& part = shape.planes[index];
    const std::size_t count = plain.size() / shape.unit_bytes * shape.unit_numbers;
    std::vector<std::uint8_t> out(count + part.bytes_size(count) + part.bits_size(count));
    std::uint8_t* const lists = out.data() + count;
    lmc::find_split(part.kind)(part, reinterpret_cast<const std::uint8_t*>(plain.data()),
                               out.data(), lists, lists + part.bytes_size(count), count);
    return out;
  };
  const auto as_bytes = [](std::initializer_list<unsigned> of) {
    bytes made;
    for (const unsigned byte : of) made.push_back(static_cast<std::byte>(byte));
    return made;
  };
  using list = std::vector<std::uint8_t>;
  // -1.5 in each type of floating point numbers: exponent; mantissa, sign.
  CHECK(split(dtype::bf16, 0, as_bytes({0xc0, 0xbf})) == list{127, 0x81});
  CHECK(split(dtype::f32, 0, as_bytes({0, 0, 0xc0, 0xbf})) == list{127, 1, 0, 0x80});
  CHECK(split(dtype::f16, 0, as_bytes({0, 0xbe})) == list{15 << 1 | 1, 1, 0});
  CHECK(split(dtype::f8_e5m2, 0, as_bytes({0xbe})) == list{15, 5});
  CHECK(split(dtype::f8_e4m3, 0, as_bytes({0xbc})) == list{7 << 1 | 1, 1});
  CHECK(split(dtype::f64, 0, as_bytes({0, 0, 0, 0, 0, 0, 0xf8, 0xbf})) == list{0});
  CHECK(split(dtype::f64, 1, as_bytes({0, 0, 0, 0, 0, 0, 0xf8, 0xbf})) ==
        list{127, 0, 0, 0, 0, 0, 0, 0x18});
  CHECK(split(dtype::i16, 0, as_bytes({0xfe, 0xff, 1, 0x40})) == list{0, 0x80});
  CHECK(split(dtype::i16, 1, as_bytes({0xfe, 0xff, 1, 0x40})) == list{3, 2});
  CHECK(split(dtype::u16, 0, as_bytes({0xfe, 0x7f})) == list{0x7f});
  CHECK(split(dtype::f4, 0, as_bytes({0xa3})) == list{3, 10});
  CHECK(split(dtype::f6_e2m3, 0, as_bytes({0x41, 0x38, 0x0c})) == list{1, 1, 3, 3, 0x02 + 0x00});
}

TEST_CASE("what does not pay is stored") {
  for (const dtype type : all_types()) {
    CAPTURE(name_of(type));
    const bytes plain = uniform(100000);
    CHECK(lmc::encode(type, plain).size() <= plain.size() + 1);
    CHECK(lmc::estimate(type, plain) <= plain.size() + 1);
  }
}

TEST_CASE("small tensors gain too") {
  const bytes plain = skewed(dtype::bf16, 1024);
  CHECK(lmc::encode(dtype::bf16, plain).size() < 760);
}

TEST_CASE("estimates are near the truth") {
  for (const dtype type : {dtype::bf16, dtype::f32, dtype::f64, dtype::i8, dtype::i64, dtype::f4})
    for (const std::size_t size : {4096, 400000}) {
      CAPTURE(name_of(type));
      const bytes plain = skewed(type, size);
      const auto coded = static_cast<double>(lmc::encode(type, plain).size());
      const auto estimate = static_cast<double>(lmc::estimate(type, plain));
      CHECK(estimate > 0.98 * coded - 32);
      CHECK(estimate < 1.02 * coded + 32);
    }
}

TEST_CASE("a plane of one symbol takes none of the room") {
  // Between 1 and 2 all exponents are equal.
  std::mt19937 random(4);
  bytes plain(200000);
  for (std::size_t at = 0; at < plain.size(); at += 4)
    store_le(&plain[at], 0x3f800000 | static_cast<std::uint32_t>(random() & 0x7fffff));
  CHECK(lmc::encode(dtype::f32, plain).size() == 2 + plain.size() / 4 * 3);
  CHECK(comes_back(dtype::f32, plain));
  // A sample does not show what is not the same.
  store_le(&plain[4 * 777], std::uint32_t{0x12345678});
  CHECK(comes_back(dtype::f32, plain));
}

TEST_CASE("every cut of a payload is refused, and so is a byte too many") {
  for (const dtype type : {dtype::bf16, dtype::f16, dtype::i32, dtype::f64, dtype::f6_e3m2}) {
    CAPTURE(name_of(type));
    const bytes plain = skewed(type, 2405);
    bytes coded = lmc::encode(type, plain);
    REQUIRE(coded.size() < plain.size());
    for (std::size_t size = 0; size < coded.size(); ++size)
      refused(type, std::span(coded).first(size), plain.size());
    coded.push_back({});
    refused(type, coded, plain.size());
  }
}

TEST_CASE("changed payloads are refused or decode to something") {
  std::mt19937 random(8);
  for (const dtype type : {dtype::bf16, dtype::f16, dtype::i16, dtype::f64}) {
    for (const std::size_t size : {900, 80001}) {
      const bytes plain = skewed(type, size);
      const bytes coded = lmc::encode(type, plain);
      bytes again(size);
      for (int round = 0; round < 300; ++round) {
        bytes changed = coded;
        const std::size_t reach =
            round % 2 == 0 ? std::min<std::size_t>(changed.size(), 400) : changed.size();
        changed[random() % reach] ^= static_cast<std::byte>(1 + random() % 255);
        for (const isa which : all_isas) {
          const on_isa now(which);
          try {
            lmc::decode(type, changed, again);
          } catch (const error& fault) {
            CHECK(fault.code() == errc::damaged);
          }
        }
      }
    }
  }
}

TEST_CASE("unknown modes are refused") {
  for (unsigned head = 5; head < 256; ++head) {
    const bytes coded{static_cast<std::byte>(head), std::byte{1}, std::byte{2}, std::byte{3}};
    refused(dtype::bf16, coded, 2);
  }
  // Stored chunks have no second plane, and only first planes store a chunk.
  const bytes second_plain{std::byte{2}, std::byte{0}, std::byte{0}, std::byte{1}, std::byte{2}};
  refused(dtype::u16, second_plain, 2);
}

TEST_CASE("lanes with too few bits are refused") {
  const bytes plain = skewed(dtype::bf16, 4000);
  bytes coded = lmc::encode(dtype::bf16, plain);
  REQUIRE(std::to_integer<unsigned>(coded[0]) == 3);
  // After mode, two counts, runs, runs of two bytes, and half bytes stand the lanes.
  const auto runs = std::to_integer<std::size_t>(coded[5]);
  std::size_t symbols = 0;
  for (std::size_t run = 0; run < runs; ++run)
    symbols += std::to_integer<std::size_t>(coded[7 + 2 * run]) + 1;
  const std::size_t lanes_at = 6 + 2 * runs + (symbols + 2) / 2;
  CHECK(std::to_integer<unsigned>(coded[lanes_at + 3]) +
            std::to_integer<unsigned>(coded[lanes_at + 2]) >
        0);
  coded[lanes_at + 2] = coded[lanes_at + 3] = std::byte{0};
  refused(dtype::bf16, coded, plain.size());
}

TEST_CASE("the codec is registered and says what it codes") {
  const decoder* const found = find_decoder(codec_id::lmc, 0);
  REQUIRE(found == &lmc_decoder_v0);
  const auto encoder = make_lmc_encoder(dtype::bf16);
  const bytes plain = skewed(dtype::bf16, 50001);
  const encoded coded = encoder->encode(plain);
  CHECK(coded.how.codec == codec_id::lmc);
  CHECK(found->describe(coded.how.parameters) == "BF16");
  CHECK(found->memory(coded.how.parameters, plain.size()) == encoder->decoder_memory(plain.size()));
  CHECK(encoder->memory(plain.size()) > plain.size());
  CHECK(encoder->estimate(plain).coded_bytes < plain.size());
  bytes again(plain.size());
  found->decode(coded.how.parameters, coded.coded, again);
  CHECK(again == plain);
  CHECK_THROWS_AS(found->memory(dtype_count, 10), error);
  CHECK_THROWS_AS(found->decode(dtype_count, coded.coded, again), error);
}
