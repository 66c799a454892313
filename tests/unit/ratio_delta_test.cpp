// The delta coder: round trips against bases, casts, equality of instruction sets, refusals.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "codec/delta/cast.h"
#include "codec/delta/delta_codec.h"
#include "core/endian.h"
#include "isa_support.h"
#include "lmzip/error.h"

using namespace lmzip;
using lmzip::test::all_isas;
using lmzip::test::on_isa;
using namespace lmzip::codec;

namespace {

using bytes = std::vector<std::byte>;

constexpr dtype whole_bytes[] = {
    dtype::bytes,   dtype::boolean, dtype::u8,      dtype::i8,          dtype::u16,
    dtype::i16,     dtype::u32,     dtype::i32,     dtype::u64,         dtype::i64,
    dtype::f16,     dtype::bf16,    dtype::f32,     dtype::f64,         dtype::c64,
    dtype::c128,    dtype::f8_e5m2, dtype::f8_e4m3, dtype::f8_e5m2fnuz, dtype::f8_e4m3fnuz,
    dtype::f8_e8m0, dtype::f6_e2m3, dtype::f6_e3m2, dtype::f4};

bytes random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  bytes result(count);
  for (std::byte& b : result) b = static_cast<std::byte>(random());
  return result;
}

bytes f32_bytes(const std::vector<float>& numbers) {
  bytes result(numbers.size() * 4);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    store_le(&result[4 * i], std::bit_cast<std::uint32_t>(numbers[i]));
  return result;
}

struct pair_of_tensors {
  bytes base, next;
};

/// Weights, and those a few steps later; `still` of a hundred rows of 500 have not moved.
pair_of_tensors trained(std::size_t count, float step, unsigned still, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 1);
  std::vector<float> base(count), next(count);
  for (std::size_t i = 0; i < count; ++i) {
    base[i] = 0.02F * normal(random);
    next[i] = i / 500 % 100 < still ? base[i] : base[i] + step * normal(random);
  }
  return {f32_bytes(base), f32_bytes(next)};
}

bytes cast_to(dtype to, const bytes& f32) {
  bytes result(f32.size() / 4 * bits_of(to) / 8);
  delta::cast(dtype::f32, f32.data(), f32.size() / 4, to, result.data());
  return result;
}

bytes decoded(const bytes& coded, const delta::base_numbers& base, std::size_t size) {
  bytes plain(size, std::byte{0xee});
  delta::decode(coded, base, plain);
  return plain;
}

bytes check(dtype type, const delta::base_numbers& base, const bytes& plain) {
  std::optional<bytes> first;
  for (const isa encoder : all_isas) {
    const on_isa chosen(encoder);
    const bytes coded = delta::encode(type, base, plain);
    if (first) CHECK(coded == *first);
    first = coded;
    CHECK(coded.size() <= plain.size() + 1);
    for (const isa decoder : all_isas) {
      const on_isa other(decoder);
      CHECK(decoded(coded, base, plain.size()) == plain);
    }
  }
  return *first;
}

double rate(const bytes& coded, const bytes& plain) {
  return static_cast<double>(coded.size()) / static_cast<double>(plain.size());
}

bool refused(const bytes& coded, const delta::base_numbers& base, std::size_t size) {
  try {
    decoded(coded, base, size);
  } catch (const error& e) {
    CHECK(e.code() == errc::damaged);
    return true;
  }
  return false;
}

std::uint32_t cast_one(dtype from, std::uint64_t bits, dtype to) {
  std::byte number[8], result[8] = {};
  store_le(number, bits);
  delta::cast(from, number, 1, to, result);
  return load_le<std::uint32_t>(result);
}

}  // namespace

TEST_CASE("every type comes back against every base at every size") {
  for (const dtype type : whole_bytes) {
    const std::size_t word = bits_of(type) < 8 ? 1 : std::min(bits_of(type) / 8, 8U);
    for (const std::size_t count : {0, 1, 3, 64, 255, 256, 257, 1000, 4097}) {
      const bytes base = random_bytes(count * word, 1), other = random_bytes(count * word, 2);
      bytes near = base;
      for (std::size_t i = 0; i < near.size(); i += word * 3) near[i] ^= std::byte{1};
      for (const bytes& plain : {base, other, near}) {
        const bytes coded = delta::encode(type, {type, base}, plain);
        CHECK(coded.size() <= plain.size() + 1);
        CHECK(decoded(coded, {type, base}, plain.size()) == plain);
      }
    }
  }
}

TEST_CASE("later weights get much smaller, in all floating-point types") {
  for (const std::size_t count : {5000, 70001}) {
    const auto pair = trained(count, 1e-4F, 0, 3);
    CHECK(rate(check(dtype::f32, {dtype::f32, pair.base}, pair.next), pair.next) < 0.62);
    for (const dtype type : {dtype::bf16, dtype::f16}) {
      const bytes base = cast_to(type, pair.base), next = cast_to(type, pair.next);
      CHECK(rate(check(type, {type, base}, next), next) < (type == dtype::bf16 ? 0.25 : 0.42));
    }
    const bytes base = cast_to(dtype::f64, pair.base), next = cast_to(dtype::f64, pair.next);
    CHECK(rate(check(dtype::f64, {dtype::f64, base}, next), next) < 0.85);
  }
}

TEST_CASE("a base of another type is cast") {
  const auto pair = trained(20000, 1e-4F, 0, 4);
  for (const dtype type : {dtype::bf16, dtype::f16, dtype::f64}) {
    const bytes next = cast_to(type, pair.next), cast_base = cast_to(type, pair.base);
    const bytes coded = check(type, {dtype::f32, pair.base}, next);
    CHECK(coded.size() == delta::encode(type, {type, cast_base}, next).size());
    const bytes same = delta::encode(type, {dtype::f32, pair.base}, cast_base);
    CHECK(same.size() < 500);
  }
  const bytes half = cast_to(dtype::bf16, pair.base);
  check(dtype::f32, {dtype::bf16, half}, pair.next);
}

TEST_CASE("rows that did not move cost next to nothing") {
  const auto still = trained(100000, 1e-4F, 80, 5), moving = trained(100000, 1e-4F, 0, 5);
  const auto coded = check(dtype::f32, {dtype::f32, still.base}, still.next);
  CHECK(coded.size() * 4 <
        delta::encode(dtype::f32, {dtype::f32, moving.base}, moving.next).size());
  const bytes equal = check(dtype::f32, {dtype::f32, still.base}, still.base);
  CHECK(equal.size() < 300);
}

TEST_CASE("signs that change, infinities and what is no number come back") {
  std::mt19937 random(6);
  for (const dtype type : {dtype::f32, dtype::bf16, dtype::f16, dtype::f64}) {
    const std::size_t word = bits_of(type) / 8;
    const auto pair = trained(9000, 1e-3F, 0, 7);
    bytes base = type == dtype::f32 ? pair.base : cast_to(type, pair.base);
    bytes next = type == dtype::f32 ? pair.next : cast_to(type, pair.next);
    for (int i = 0; i < 300; ++i) {
      next[random() % 9000 * word + word - 1] ^= std::byte{0x80};
      base[random() % 9000 * word + word - 1] = std::byte{0x7f};
      next[random() % 9000 * word + word - 1] = std::byte{0xff};
    }
    check(type, {type, base}, next);
  }
}

TEST_CASE("estimates are close to what coding takes") {
  const auto pair = trained(100000, 1e-4F, 0, 8);
  for (const dtype type : {dtype::f32, dtype::bf16, dtype::f16}) {
    const bytes base = type == dtype::f32 ? pair.base : cast_to(type, pair.base);
    const bytes next = type == dtype::f32 ? pair.next : cast_to(type, pair.next);
    const auto bits = static_cast<double>(delta::estimate(type, {type, base}, next)) / 65536;
    const auto coded = static_cast<double>(delta::encode(type, {type, base}, next).size()) * 8;
    CHECK(bits < coded * 1.01);
    CHECK(bits > coded * 0.97);
  }
  CHECK(delta::estimate(dtype::f32, {dtype::f32, {}}, {}) == 0);
}

TEST_CASE("casts round to the nearest number, of two to the even one") {
  const auto f32_to = [](dtype to, std::uint32_t bits) { return cast_one(dtype::f32, bits, to); };
  CHECK(f32_to(dtype::bf16, 0x3f808000) == 0x3f80);  // a tie, to even
  CHECK(f32_to(dtype::bf16, 0x3f818000) == 0x3f82);
  CHECK(f32_to(dtype::bf16, 0x3f808001) == 0x3f81);
  CHECK(f32_to(dtype::bf16, 0x7f7fffff) == 0x7f80);  // too large
  CHECK(f32_to(dtype::bf16, 0xff800000) == 0xff80);
  CHECK((f32_to(dtype::bf16, 0x7f800001) & 0x7fff) > 0x7f80);  // no number
  CHECK(f32_to(dtype::f16, 0x3f800000) == 0x3c00);
  CHECK(f32_to(dtype::f16, 0xc77fe000) == 0xfbff);  // -65504
  CHECK(f32_to(dtype::f16, 0x477ff000) == 0x7c00);  // 65520
  CHECK(f32_to(dtype::f16, 0x38800000) == 0x0400);  // the smallest normal number
  CHECK(f32_to(dtype::f16, 0x33800000) == 0x0001);  // the smallest number
  CHECK(f32_to(dtype::f16, 0x33000000) == 0x0000);  // half of it, a tie
  CHECK(f32_to(dtype::f16, 0x33000001) == 0x0001);
  CHECK(f32_to(dtype::f16, 0x387fffff) == 0x0400);  // subnormal, rounds up to a normal number
  CHECK((f32_to(dtype::f16, 0x7fc00000) & 0x7fff) > 0x7c00);
  CHECK(cast_one(dtype::f64, 0x3ff0000000000000, dtype::f32) == 0x3f800000);
  CHECK(cast_one(dtype::f64, 0x36a0000000000000, dtype::f32) == 1);
  CHECK(cast_one(dtype::f64, 0x47efffffffffffff, dtype::f32) == 0x7f800000);
}

TEST_CASE("casts to a wider type are exact") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
    for (const dtype type : {dtype::f16, dtype::bf16})
      for (const dtype wide : {dtype::f32, dtype::f64}) {
        std::byte number[2], wider[8], back[2];
        store_le(number, static_cast<std::uint16_t>(bits));
        delta::cast(type, number, 1, wide, wider);
        delta::cast(wide, wider, 1, type, back);
        const bool is_number = (bits & 0x7fff) <= (type == dtype::f16 ? 0x7c00U : 0x7f80U);
        if (is_number && std::memcmp(number, back, 2) != 0) FAIL("not exact: ", bits);
      }
  std::byte one[2] = {std::byte{1}, std::byte{0}}, wide[4];
  delta::cast(dtype::f16, one, 1, dtype::f32, wide);
  CHECK(std::bit_cast<float>(load_le<std::uint32_t>(wide)) == std::ldexp(1.0F, -24));
}

TEST_CASE("bases that do not fit are refused") {
  const bytes base(400), plain(400);
  CHECK_FALSE(delta::can_be_base(dtype::i32, dtype::f32));
  CHECK(delta::can_be_base(dtype::f64, dtype::bf16));
  CHECK(delta::can_be_base(dtype::i64, dtype::i64));
  CHECK_THROWS_AS(delta::encode(dtype::f32, {dtype::i32, base}, plain), error);
  CHECK_THROWS_AS(delta::encode(dtype::f32, {dtype::f32, base}, bytes(396)), error);
  CHECK_THROWS_AS(delta::encode(dtype::f32, {dtype::f32, base}, bytes(399)), error);
  const bytes coded = delta::encode(dtype::f32, {dtype::f32, base}, plain);
  REQUIRE(coded[0] == std::byte{1});
  CHECK(refused(coded, {dtype::i32, base}, 400));
  CHECK(refused(coded, {dtype::f32, std::span(base).first(396)}, 400));
  CHECK(refused(coded, {dtype::f32, base}, 404));
}

TEST_CASE("no cut, longer or impossible payload is accepted") {
  const auto pair = trained(3000, 1e-4F, 30, 9);
  const delta::base_numbers base{dtype::f32, pair.base};
  const bytes coded = delta::encode(dtype::f32, base, pair.next);
  REQUIRE(coded[0] == std::byte{1});
  for (std::size_t cut = 0; cut < coded.size(); cut += 1 + cut / 50)
    CHECK(refused(bytes(coded.begin(), coded.begin() + static_cast<std::ptrdiff_t>(cut)), base,
                  pair.next.size()));
  bytes longer = coded;
  longer.push_back(std::byte{0});
  CHECK(refused(longer, base, pair.next.size()));
  longer.push_back(std::byte{0});
  CHECK(refused(longer, base, pair.next.size()));
  const auto with = [&](std::size_t at, unsigned value) {
    bytes changed = coded;
    changed[at] = static_cast<std::byte>(value);
    return changed;
  };
  CHECK(refused(with(0, 2), base, pair.next.size()));
  CHECK(refused(with(1, 99), base, pair.next.size()));
  CHECK(refused(with(1, static_cast<unsigned>(dtype::i32)), base, pair.next.size()));
  CHECK(refused(with(2, static_cast<unsigned>(dtype::bf16)), base, pair.next.size()));
  CHECK(refused(with(4, 0x10), base, pair.next.size()));  // contexts
  CHECK(refused(with(4, 15), base, pair.next.size()));    // of no order
}

TEST_CASE("random damage decodes the same on every instruction set") {
  std::mt19937 random(10);
  const auto pair = trained(3000, 1e-4F, 30, 11);
  const bytes base = cast_to(dtype::bf16, pair.base), next = cast_to(dtype::bf16, pair.next);
  const bytes sound = delta::encode(dtype::bf16, {dtype::bf16, base}, next);
  for (int round = 0; round < 600; ++round) {
    bytes coded = sound;
    const std::size_t range =
        round % 2 == 0 ? std::min<std::size_t>(coded.size(), 100) : coded.size();
    coded[random() % range] ^= static_cast<std::byte>(1 + random() % 255);
    std::optional<bytes> first;
    bool first_refused = false;
    for (const isa which : {isa::scalar, isa::avx2}) {
      const on_isa chosen(which);
      bytes back(next.size());
      bool bad = false;
      try {
        delta::decode(coded, {dtype::bf16, base}, back);
      } catch (const error& e) {
        bad = true;
        CHECK(e.code() == errc::damaged);
      }
      if (first) CHECK(bad == first_refused);
      if (first && !bad) CHECK(back == *first);
      first = back;
      first_refused = bad;
    }
  }
}
