// Blocks of programs: there and back, what is refused, and how tensors are gathered for them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "brevis_support.h"
#include "codec/brevis/brevis_encoder.h"
#include "engine/tensor_cuts.h"
#include "lmzip/compress.h"
#include "lmzip/decompress.h"
#include "lmzip/error.h"
#include "lmzip/inspect.h"

using namespace lmzip;
using namespace lmzip::test;
using namespace lmzip::codec::brevis;

namespace {

struct test_block {
  std::vector<tensor_part> parts;
  std::vector<std::byte> plain;

  void add(const test_tensor& t) {
    parts.push_back(t.part());
    plain.insert(plain.end(), t.bytes.begin(), t.bytes.end());
  }
};

test_block structured_block() {
  test_block block;
  const test_tensor w = weight_tensor(40, 50, 21);
  block.add(tensor_of(dtype::f32, {1000}, std::vector<std::uint64_t>(1000, 0x3f800000)));
  block.add(w);
  block.add(w);
  block.add({{dtype::bytes, {5}}, std::vector<std::byte>(5, std::byte{7})});
  block.add(tensor_of(dtype::i64, {}, {12}));
  block.add(weight_tensor(30, 20, 22));
  return block;
}

std::vector<std::byte> decoded(std::span<const std::byte> coded, std::size_t bytes) {
  std::vector<std::byte> plain(bytes);
  codec::brevis_decoder_v0.decode(0, coded, plain);
  return plain;
}

const search_options fast{};

std::optional<coded_block> code(const test_block& block, const search_options& options = fast,
                                without_structure otherwise = without_structure::give_up) {
  const leaf_coding leaves(options.effort);
  return encode(block.parts, block.plain, options, leaves, otherwise);
}

}  // namespace

TEST_CASE("a block of tensors comes back, and programs save most of what they stand for") {
  const test_block block = structured_block();
  const auto coded = code(block);
  REQUIRE(coded);
  CHECK(decoded(coded->payload, block.plain.size()) == block.plain);
  CHECK(coded->structured_bytes >= 4000 + 8000);
  CHECK(coded->program_bytes <= coded->structured_bytes / 3);
  CHECK(coded->payload.size() < 9800);
}

TEST_CASE("a block without structure is given up, or coded in streams all the same") {
  test_block block;
  for (unsigned i = 0; i < 6; ++i) block.add(weight_tensor(20, 30 + i, i));
  CHECK_FALSE(code(block));
  const auto coded = code(block, fast, without_structure::code_all_the_same);
  REQUIRE(coded);
  CHECK(coded->structured_bytes == 0);
  CHECK(decoded(coded->payload, block.plain.size()) == block.plain);
  CHECK_FALSE(code(block, {.effort = search_effort::none}));
}

TEST_CASE("tensors that are not the block's bytes are a mistake of the caller") {
  test_block block = structured_block();
  block.plain.pop_back();
  CHECK_THROWS_AS(code(block), error);
  block.parts.clear();
  CHECK_THROWS_AS(code(block), error);
}

TEST_CASE("cut and changed payloads are refused or decode to something, never past the end") {
  const test_block block = structured_block();
  const auto coded = code(block)->payload;
  const auto is_safe = [&](std::span<const std::byte> payload) {
    try {
      decoded(payload, block.plain.size());
    } catch (const error& e) {
      return e.code() == errc::damaged;
    }
    return true;
  };
  for (std::size_t size = 0; size < coded.size(); size += size < 300 ? 1 : 97) {
    CHECK(is_safe(std::span(coded).first(size)));
    auto changed = coded;
    for (const unsigned bit : {1U, 16U, 128U}) {
      changed[size] = coded[size] ^ static_cast<std::byte>(bit);
      CHECK(is_safe(changed));
    }
  }
  CHECK_THROWS_AS(decoded(std::span(coded).first(coded.size() - 1), block.plain.size()), error);
  CHECK_THROWS_AS(decoded(coded, block.plain.size() + 1), error);
}

TEST_CASE("every type of numbers can stand in a block") {
  for (unsigned i = 0; i < dtype_count; ++i) {
    const auto type = static_cast<dtype>(i);
    CAPTURE(i);
    test_block block;
    for (const unsigned seed : {1U, 1U, 2U}) {
      test_tensor t{{type, {8, 24}}, {}};
      t.bytes.resize(t.type.bytes());
      std::mt19937 random(seed);
      for (std::byte& b : t.bytes) b = static_cast<std::byte>(random() & 255);
      block.add(t);
    }
    const auto coded = code(block, fast, without_structure::code_all_the_same);
    REQUIRE(coded);
    CHECK(decoded(coded->payload, block.plain.size()) == block.plain);
  }
}

namespace {

tensors::tensor_layout layout_of(
    const std::vector<std::pair<dtype, std::vector<std::uint64_t>>>& all, std::uint64_t header) {
  tensors::tensor_layout layout{
      .format = tensors::format_kind::safetensors, .tensors = {}, .bytes = header, .reason = {}};
  for (const auto& [type, shape] : all) {
    tensors::tensor t;
    t.name = "t" + std::to_string(layout.tensors.size());
    t.type = type;
    t.shape = shape;
    t.offset = layout.bytes;
    t.bytes = tensor_type{type, shape}.bytes();
    layout.bytes += t.bytes;
    layout.tensors.push_back(t);
  }
  return layout;
}

void check_sums(const std::vector<engine::cut>& cuts, std::uint64_t bytes, std::uint64_t most) {
  std::uint64_t sum = 0;
  for (const engine::cut& c : cuts) {
    sum += c.bytes;
    CHECK(c.bytes <= most);
    std::uint64_t parts = 0, tensors = c.lead;
    for (const engine::cut& p : c.parts) parts += p.bytes;
    for (const tensor_part& t : c.holds.tensors) tensors += t.type.bytes();
    if (!c.parts.empty()) CHECK(parts == c.bytes);
    if (!c.holds.tensors.empty()) CHECK(tensors == c.bytes);
  }
  CHECK(sum == bytes);
}

}  // namespace

TEST_CASE("all tensors of a small file are gathered, whatever their types") {
  const auto layout =
      layout_of({{dtype::f32, {64, 1024}}, {dtype::i64, {3}}, {dtype::bf16, {300, 100}}}, 500);
  const auto cuts = engine::cut_by(layout, 16 << 20, engine::gathering::tensors);
  REQUIRE(cuts.size() == 1);
  CHECK(cuts[0].lead == 500);
  CHECK(cuts[0].holds.tensors.size() == 3);
  CHECK(cuts[0].parts.size() >= 3);
  check_sums(cuts, layout.bytes, 16 << 20);
}

TEST_CASE("large tensors of a large file have blocks of their own, and tell of their rows") {
  const auto layout = layout_of({{dtype::f32, {3000, 1000}},
                                 {dtype::f32, {10}},
                                 {dtype::u8, {40}},
                                 {dtype::f32, {100, 1000}}},
                                100);
  const auto cuts = engine::cut_by(layout, 16 << 20, engine::gathering::tensors);
  check_sums(cuts, layout.bytes, 16 << 20);
  std::uint64_t rows = 0;
  std::size_t pieces = 0;
  for (const engine::cut& c : cuts)
    if (c.holds.columns == 1000 && c.holds.tensors.size() == 1 && c.bytes > 400000) {
      CHECK(c.holds.tensors[0].first_row == rows);
      rows += c.holds.tensors[0].type.shape[0];
      ++pieces;
    }
  CHECK(rows == 3000);
  CHECK(pieces == 3);
}

TEST_CASE("gathered cuts keep to the size of blocks and the number of tensors") {
  const auto layout = layout_of(
      std::vector<std::pair<dtype, std::vector<std::uint64_t>>>(10000, {dtype::f16, {20}}), 100);
  for (const std::uint64_t block : {4096, 1 << 16, 16 << 20}) {
    const auto cuts = engine::cut_by(layout, block, engine::gathering::tensors);
    check_sums(cuts, layout.bytes, block);
    for (const engine::cut& c : cuts) CHECK(c.holds.tensors.size() <= 4096);
  }
}

TEST_CASE("archives of gathered tensors come back with blocks of any size and any search") {
  const std::string header = R"({"a":{"dtype":"F32","shape":[40,50],"data_offsets":[0,8000]},)"
                             R"("b":{"dtype":"F32","shape":[50,40],"data_offsets":[8000,16000]},)"
                             R"("c":{"dtype":"I64","shape":[100],"data_offsets":[16000,16800]}})";
  std::vector<std::byte> file(8 + header.size());
  file[0] = static_cast<std::byte>(header.size());
  std::memcpy(&file[8], header.data(), header.size());
  for (const test_tensor& t : {weight_tensor(40, 50, 31), weight_tensor(50, 40, 31)})
    file.insert(file.end(), t.bytes.begin(), t.bytes.end());
  for (unsigned i = 0; i < 800; ++i) file.push_back(static_cast<std::byte>(i % 8 == 0 ? i / 8 : 0));
  for (const tensor_search search : {tensor_search::none, tensor_search::fast, tensor_search::full})
    for (const std::uint64_t block : {0, 4096, 20000}) {
      const auto archive =
          compress(file, {.level = 6, .block_bytes = block, .search = search, .verify = true});
      CHECK(decompress(archive) == file);
      CHECK(archive ==
            compress(file, {.level = 6, .block_bytes = block, .search = search, .threads = 3}));
    }
}
