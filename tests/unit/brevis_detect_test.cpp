// What the detectors of structure in tensors find, and what they refuse.

#include <doctest/doctest.h>

#include <algorithm>

#include "brevis_support.h"
#include "codec/brevis/detect_grid.h"
#include "codec/brevis/detect_layout.h"
#include "codec/brevis/detect_values.h"
#include "codec/brevis/formula_guesses.h"
#include "codec/brevis/relations.h"
#include "codec/brevis/row_index.h"
#include "codec/delta/cast.h"

using namespace lmzip;
using namespace lmzip::test;
using namespace lmzip::codec::brevis;

namespace {

std::vector<std::uint64_t> progression(std::size_t count, std::uint64_t first, std::uint64_t step) {
  std::vector<std::uint64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = first + i * step;
  return numbers;
}

test_tensor cast_to(const test_tensor& from, dtype type) {
  test_tensor result{{type, from.type.shape}, {}};
  result.bytes.resize(from.view().elements() * bits_of(type) / 8);
  codec::delta::cast(from.type.type, from.bytes.data(), from.view().elements(), type,
                     result.bytes.data());
  return result;
}

test_tensor with(test_tensor t, std::size_t element, std::uint64_t bits) {
  std::byte all[8];
  store_le(all, bits);
  const std::size_t width = t.view().element_bytes();
  std::copy_n(all, width, &t.bytes[element * width]);
  return t;
}

}  // namespace

TEST_CASE("trained weights have none of the structures") {
  const test_tensor w = weight_tensor(64, 96, 1);
  const tensor_view x = w.view();
  CHECK_FALSE(find_constant(x));
  CHECK_FALSE(find_integer_progression(x));
  CHECK(find_few_values(x, 256).empty());
  CHECK_FALSE(find_narrow_type(x));
  CHECK(count_zeros(x) == 0);
  CHECK(find_period(x) == 0);
  CHECK(find_repeated_axis(x).count == 0);
  CHECK_FALSE(find_band(x));
  CHECK_FALSE(find_grid(x));
  CHECK_FALSE(guess_formula(x, 0));
}

TEST_CASE("a tensor without elements, or of one, has nothing to find") {
  for (const std::size_t count : {0, 1}) {
    const test_tensor t = tensor_of(dtype::f32, {count}, std::vector<std::uint64_t>(count, 7));
    const tensor_view x = t.view();
    CHECK(find_constant(x).has_value() == (count == 1));
    CHECK_FALSE(find_integer_progression(x));
    CHECK(find_few_values(x, 256).empty());
    CHECK(find_period(x) == 0);
    CHECK_FALSE(find_grid(x));
    CHECK_FALSE(guess_formula(x, 0));
  }
}

TEST_CASE("a constant is found, one other element refuses it wherever it is") {
  const test_tensor t = tensor_of(dtype::bf16, {40, 25}, std::vector<std::uint64_t>(1000, 0x3f80));
  CHECK(find_constant(t.view()) == 0x3f80);
  for (const std::size_t at : {0, 1, 500, 999})
    CHECK_FALSE(find_constant(with(t, at, 0x3f81).view()));
}

TEST_CASE("progressions wrap around their type, and no step is none") {
  const auto found =
      find_integer_progression(tensor_of(dtype::u8, {600}, progression(600, 250, 3)).view());
  REQUIRE(found);
  CHECK(found->first == 250);
  CHECK(found->step == 3);
  CHECK(find_integer_progression(
      tensor_of(dtype::i64, {1, 512}, progression(512, 0, ~std::uint64_t{0})).view()));
  CHECK_FALSE(find_integer_progression(
      tensor_of(dtype::i64, {9}, std::vector<std::uint64_t>(9, 4)).view()));
  auto bent = progression(5000, 0, 1);
  bent[4321] = 0;
  CHECK_FALSE(find_integer_progression(tensor_of(dtype::i32, {5000}, bent).view()));
}

TEST_CASE("few values are all told, and too many refused") {
  std::mt19937 random(3);
  std::vector<std::uint64_t> bits(4000);
  for (auto& b : bits) b = 0x3f800000 + random() % 11 * 1000;
  bits[17] = 5;
  const auto values = find_few_values(tensor_of(dtype::f32, {4000}, bits).view(), 256);
  CHECK(values.size() == 12);
  CHECK(std::is_sorted(values.begin(), values.end()));
  CHECK(find_few_values(tensor_of(dtype::f32, {4000}, bits).view(), 11).empty());
}

TEST_CASE("types narrow as far as every value survives") {
  const test_tensor w = weight_tensor(30, 40, 2);
  for (const dtype narrow : {dtype::bf16, dtype::f16})
    CHECK(find_narrow_type(cast_to(cast_to(w, narrow), dtype::f32).view()) == narrow);
  CHECK(find_narrow_type(cast_to(w, dtype::f64).view()) == dtype::f32);
  CHECK(find_narrow_type(tensor_of(dtype::i64, {500}, progression(500, 0, 1)).view()) ==
        dtype::u16);
  CHECK(find_narrow_type(tensor_of(dtype::i32, {100}, progression(100, 0xffffffce, 1)).view()) ==
        dtype::i8);
  CHECK_FALSE(find_narrow_type(tensor_of(dtype::u16, {500}, progression(500, 0, 1)).view()));
}

TEST_CASE("repeats are found by shape and by content") {
  const auto once = bits_of_floats(layer_weights(60, 4));
  std::vector<std::uint64_t> tiled, broadcast;
  for (int i = 0; i < 5; ++i) tiled.insert(tiled.end(), once.begin(), once.end());
  for (const std::uint64_t b : once) broadcast.insert(broadcast.end(), 7, b);
  CHECK(find_period(tensor_of(dtype::f32, {5, 60}, tiled).view()) == 60);
  CHECK(find_period(tensor_of(dtype::f32, {300}, tiled).view()) == 60);
  const repeated_axis axis = find_repeated_axis(tensor_of(dtype::f32, {60, 7}, broadcast).view());
  CHECK(axis.count == 7);
  CHECK(axis.inner == 1);
  tiled.back() ^= 1;
  broadcast.back() ^= 1;
  CHECK(find_period(tensor_of(dtype::f32, {5, 60}, tiled).view()) == 0);
  CHECK(find_repeated_axis(tensor_of(dtype::f32, {60, 7}, broadcast).view()).count == 0);
}

TEST_CASE("bands have edges on either side or on none") {
  const auto masked = [](std::int64_t low, std::int64_t high) {
    std::vector<std::uint64_t> bits;
    for (std::int64_t r = 0; r < 20; ++r)
      for (std::int64_t c = 0; c < 30; ++c) bits.push_back(c - r >= low && c - r <= high ? 1 : 0);
    return tensor_of(dtype::boolean, {1, 20, 30}, bits);
  };
  const auto causal = find_band(masked(-20, 0).view());
  REQUIRE(causal);
  CHECK(causal->first == -20);
  CHECK(causal->last == 0);
  CHECK(causal->inside == 1);
  const auto window = find_band(masked(-3, 2).view());
  REQUIRE(window);
  CHECK(window->first == -3);
  CHECK(window->last == 2);
  CHECK_FALSE(find_band(with(masked(-3, 2), 599, 1).view()));
  CHECK_FALSE(find_band(masked(-20, 30).view()));
}

TEST_CASE("integers times a scale are found, with one scale or one a row") {
  std::mt19937 random(6);
  for (const bool by_row : {false, true}) {
    std::vector<float> numbers;
    for (int row = 0; row < 8; ++row) {
      const float scale = by_row ? 0.01F + 0.003F * static_cast<float>(row) : 0.0137F;
      for (int i = 0; i < 100; ++i)
        numbers.push_back(scale * static_cast<float>(static_cast<int>(random() % 255) - 127));
    }
    const auto grid = find_grid(tensor_of_floats({8, 100}, numbers).view());
    REQUIRE(grid);
    CHECK(grid->inner == (by_row ? 100 : 800));
    numbers[777] *= 1.01F;
    CHECK_FALSE(find_grid(tensor_of_floats({8, 100}, numbers).view()));
  }
}

TEST_CASE("relations are found whatever the scale, sign, type and order of axes") {
  const test_tensor w = weight_tensor(24, 36, 7);
  relation_index index;
  index.add(3, w.view());
  const auto first = [&](const test_tensor& t) { return index.find(t.view()); };
  REQUIRE_FALSE(first(w).empty());
  CHECK(first(w)[0].source == 3);

  test_tensor negated = w, scaled = w, transposed = w;
  transposed.type.shape = {36, 24};
  for (std::size_t i = 0; i < 24 * 36; ++i) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(w.view().bits(i)));
    negated = with(negated, i, std::bit_cast<std::uint32_t>(-x));
    scaled = with(scaled, i, std::bit_cast<std::uint32_t>(x * 8));
    transposed = with(transposed, i % 36 * 24 + i / 36, w.view().bits(i));
  }
  REQUIRE_FALSE(first(negated).empty());
  CHECK(first(negated)[0].negated);
  REQUIRE_FALSE(first(scaled).empty());
  CHECK(first(scaled)[0].exponent == 3);
  REQUIRE_FALSE(first(transposed).empty());
  CHECK(first(transposed)[0].transposed);
  for (const dtype narrow : {dtype::bf16, dtype::f16}) {
    REQUIRE_FALSE(first(cast_to(w, narrow)).empty());
    const auto again = first(cast_to(cast_to(w, narrow), dtype::f32));
    REQUIRE_FALSE(again.empty());
    CHECK(again[0].through == narrow);
  }
  CHECK(first(weight_tensor(24, 36, 8)).empty());
}

TEST_CASE("rows are found in any order, as parts of longer ones, and not if one is missing") {
  const test_tensor w = weight_tensor(40, 32, 9);
  row_index index;
  index.add(0, w.view());
  const std::vector<tensor_view> all = {w.view()};
  const auto gather = [&](const std::vector<std::size_t>& rows, std::size_t columns) {
    std::vector<std::uint64_t> bits;
    for (const std::size_t r : rows)
      for (std::size_t c = 0; c < columns; ++c) bits.push_back(w.view().bits(r * 32 + c));
    return tensor_of(dtype::f32, {rows.size(), columns}, bits);
  };
  const auto match = index.find(gather({5, 39, 0, 5}, 32).view(), all);
  REQUIRE(match);
  CHECK(match->places[1].row == 39);
  CHECK(match->places[3].row == 5);
  CHECK(index.find(gather({1, 2, 3}, 20).view(), all));
  const test_tensor broken = with(gather({5, 39, 0, 5}, 32), 100, 1);
  CHECK_FALSE(index.find(broken.view(), all));
}

TEST_CASE("names tell classes, and the more special part of a name decides") {
  CHECK(class_of_name("model.layers.0.input_layernorm.weight") == name_class::norm);
  CHECK(class_of_name("state.w.exp_avg_sq") == name_class::second_moment);
  CHECK(class_of_name("model.rotary_emb.inv_freq") == name_class::rotary);
  CHECK(class_of_name("h.0.attn.bias") == name_class::mask);
  CHECK(class_of_name("x") == name_class::other);
}
