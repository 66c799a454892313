// Where files of tensors are cut into blocks.

#include "engine/tensor_cuts.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>

#include "engine/block_cutter.h"
#include "engine/block_io.h"
#include "engine_support.h"
#include "lmzip/inspect.h"
#include "zip_support.h"

using namespace lmzip;
using namespace lmzip::test;
using engine::content;
using engine::cut;
using tensors::tensor_layout;

namespace {

constexpr std::uint64_t kibibyte = 1024;

/// A layout of tensors that follow each other after a header of 100 bytes.
tensor_layout layout_of(const std::vector<std::pair<dtype, std::vector<std::uint64_t>>>& tensors) {
  tensor_layout layout{
      .format = tensors::format_kind::safetensors, .tensors = {}, .bytes = 100, .reason = {}};
  for (const auto& [type, shape] : tensors) {
    tensors::tensor t;
    t.type = type;
    t.shape = shape;
    t.offset = layout.bytes;
    t.bytes = bits_of(type);
    for (const std::uint64_t axis : shape) t.bytes *= axis;
    t.bytes /= 8;
    layout.bytes += t.bytes;
    layout.tensors.push_back(t);
  }
  return layout;
}

std::uint64_t sum_of(const std::vector<cut>& cuts) {
  return std::accumulate(cuts.begin(), cuts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const cut& c) { return sum + c.bytes; });
}

/// A safetensors file of these tensors.
bytes file_of(const std::string& header, const bytes& numbers) {
  bytes file(8 + header.size());
  for (int i = 0; i < 8; ++i) file[std::size_t(i)] = std::byte(header.size() >> 8 * i);
  std::memcpy(file.data() + 8, header.data(), header.size());
  file.insert(file.end(), numbers.begin(), numbers.end());
  return file;
}

std::vector<cut> blocks_of(const bytes& file, std::uint64_t block_bytes) {
  engine::span_source in(file);
  engine::block_cutter cutter(in, block_bytes);
  engine::byte_buffer buffer;
  std::vector<cut> blocks;
  std::uint64_t at = 0;
  std::vector<engine::based_part> based;
  for (cut next; const std::size_t size = cutter.read(buffer, next, based); at += size) {
    REQUIRE(at + size <= file.size());
    CHECK(std::memcmp(buffer.first(size).data(), file.data() + at, size) == 0);
    blocks.push_back({size, next.holds});
  }
  CHECK(at == file.size());
  return blocks;
}

}  // namespace

TEST_CASE("a large tensor has blocks of its own, equal ones that begin with a row") {
  const auto cuts = engine::cut_by(layout_of({{dtype::f32, {3000, 1001}}}), 16 << 20);
  REQUIRE(cuts.size() == 4);
  CHECK(cuts[0].bytes == 100);
  CHECK_FALSE(cuts[0].holds.has_numbers());
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(cuts[i].holds == content{dtype::f32, 1001});
    CHECK(cuts[i].bytes == 1000 * 4004);
  }
}

TEST_CASE("rows too long for blocks are cut between numbers") {
  for (const dtype type : {dtype::f64, dtype::c128, dtype::f4, dtype::f6_e2m3, dtype::u8}) {
    CAPTURE(name_of(type));
    const tensor_layout layout = layout_of({{type, {8, 8 * 33333}}});
    const auto cuts = engine::cut_by(layout, 64 * kibibyte);
    CHECK(sum_of(cuts) == layout.bytes);
    for (std::size_t i = 1; i + 1 < cuts.size(); ++i) {
      CHECK(cuts[i].bytes <= 64 * kibibyte);
      CHECK(cuts[i].bytes * 8 % bits_of(type) == 0);
      CHECK(cuts[i].holds.type == type);
    }
  }
}

TEST_CASE("small tensors of one type share a block, of two types do not") {
  const auto cuts = engine::cut_by(layout_of({{dtype::bf16, {64, 64}},
                                              {dtype::bf16, {5000}},
                                              {dtype::f32, {1000}},
                                              {dtype::f32, {20, 50}}}),
                                   16 << 20);
  REQUIRE(cuts.size() == 3);
  CHECK(cuts[1].holds == content{dtype::bf16, 0});
  CHECK(cuts[1].bytes == 2 * (64 * 64 + 5000));
  CHECK(cuts[2].holds == content{dtype::f32, 0});
  CHECK(cuts[2].bytes == 8000);
}

TEST_CASE("what is too little for a block joins the bytes around it") {
  const auto cuts = engine::cut_by(
      layout_of({{dtype::i64, {1}}, {dtype::f32, {10}}, {dtype::f32, {64, 1024}}}), 16 << 20);
  REQUIRE(cuts.size() == 2);
  CHECK(cuts[0].bytes == 100 + 8 + 40);
  CHECK_FALSE(cuts[0].holds.has_numbers());
  CHECK(cuts[1].holds == content{dtype::f32, 1024});
}

TEST_CASE("a million tensors of a few bytes make few blocks") {
  tensor_layout layout = layout_of(
      std::vector<std::pair<dtype, std::vector<std::uint64_t>>>(100000, {dtype::f16, {3}}));
  const auto cuts = engine::cut_by(layout, 16 << 20);
  CHECK(sum_of(cuts) == layout.bytes);
  CHECK(cuts.size() == 2);
}

TEST_CASE("blocks of a checkpoint begin with its tensors, and plain data follow it") {
  const std::string header = R"({"w":{"dtype":"F32","shape":[256,100],"data_offsets":[0,102400]}})";
  bytes file = file_of(header, random_bytes(102400));
  auto blocks = blocks_of(file, 1 << 20);
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].bytes == 8 + header.size());
  CHECK(blocks[1].holds == content{dtype::f32, 100});

  const bytes twice = [&] {
    bytes all = file;
    all.insert(all.end(), file.begin(), file.end());
    const bytes rest = prose(5000);
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }();
  blocks = blocks_of(twice, 1 << 20);
  REQUIRE(blocks.size() == 5);
  CHECK(blocks[3].holds == content{dtype::f32, 100});
  CHECK(blocks[4].bytes == 5000);
}

TEST_CASE("a checkpoint that ends early, or whose header lies, is cut like any data") {
  const std::string header = R"({"w":{"dtype":"F32","shape":[256,100],"data_offsets":[0,102400]}})";
  bytes file = file_of(header, random_bytes(102400));
  file.resize(file.size() - 1001);
  auto blocks = blocks_of(file, 1 << 20);
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[1].bytes == 102400 - 1001);
  blocks = blocks_of(file_of(header.substr(1), random_bytes(102400)), 1 << 20);
  REQUIRE(blocks.size() == 1);
  CHECK_FALSE(blocks[0].holds.has_numbers());
  CHECK(blocks_of({}, 4096).empty());
  CHECK(blocks_of(bytes(1), 4096).size() == 1);
}

TEST_CASE("blocks of a zip archive begin with its tensors") {
  tensor_support::zip_file from = tensor_support::npz_file();
  from.members[0].data = tensor_support::npy(100000);
  const std::string text = from.file();
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  const auto blocks = blocks_of({data, data + text.size()}, 1 << 20);
  REQUIRE(blocks.size() == 4);
  CHECK(blocks[1].bytes == 100000);
  CHECK(blocks[1].holds.type == dtype::f32);
  CHECK_FALSE(blocks[2].holds.has_numbers());  // the second member
  CHECK_FALSE(blocks[3].holds.has_numbers());  // the directory
}

TEST_CASE("a header in memory is counted, one that is too long makes plain data") {
  const bytes small = file_of("{}", {});
  engine::span_source in(small);
  CHECK(engine::block_cutter(in, 4096).memory() == 11 * small.size());
  const bytes cut_short(small.begin(), small.begin() + 9);
  engine::span_source plain_source(cut_short);
  CHECK(engine::block_cutter(plain_source, 4096).memory() == 0);
  bytes large = file_of(std::string(2, ' '), {});
  const std::uint64_t size = engine::block_cutter::max_header_bytes + 1;
  for (int i = 0; i < 8; ++i) large[std::size_t(i)] = std::byte(size >> 8 * i);
  large.resize(8 + size, std::byte(' '));
  large[8] = std::byte('{');
  large.back() = std::byte('}');
  CHECK(blocks_of(large, 64 << 20).size() == 1);
}

TEST_CASE("archives of checkpoints give them back at all levels, in blocks of any size") {
  std::mt19937 generator(5);
  std::normal_distribution<float> normal(0, 0.02F);
  bytes numbers(4 * 70000);
  for (std::size_t i = 0; i < 70000; ++i) {
    const float x = normal(generator);
    std::memcpy(&numbers[4 * i], &x, 4);
  }
  const bytes file =
      file_of(R"({"a":{"dtype":"F32","shape":[200,300],"data_offsets":[0,240000]},)"
              R"("b":{"dtype":"BF16","shape":[19999],"data_offsets":[240000,279998]},)"
              R"("c":{"dtype":"I8","shape":[2],"data_offsets":[279998,280000]}})",
              numbers);
  for (int level = min_level; level <= 7; ++level)
    for (const std::uint64_t block : {std::uint64_t{0}, std::uint64_t{4096}}) {
      CAPTURE(level);
      const bytes archive = compress(file, {.level = level, .block_bytes = block});
      CHECK(decompress(archive) == file);
      CHECK(archive.size() < file.size() * 9 / 10);
    }
}

TEST_CASE("against a base, neighbours of one type share blocks whatever their size") {
  const tensor_layout layout = layout_of({{dtype::bf16, {600, 1000}},
                                          {dtype::bf16, {3}},
                                          {dtype::bf16, {700, 1000}},
                                          {dtype::f32, {5}},
                                          {dtype::f32, {3000, 1001}},
                                          {dtype::f32, {7}}});
  const auto cuts = engine::cut_for_base(layout, 16 << 20);
  CHECK(sum_of(cuts) == layout.bytes);
  REQUIRE(cuts.size() == 6);
  CHECK(cuts[0].slices.empty());
  CHECK(cuts[1].bytes == 2 * (600 * 1000 + 3 + 700 * 1000));
  REQUIRE(cuts[1].slices.size() == 3);
  CHECK(cuts[1].holds == content{dtype::bf16, 0});
  CHECK(cuts[1].slices[2].tensor == 2);
  CHECK(cuts[1].slices[2].offset == 0);
  CHECK(cuts[1].slices[2].columns == 1000);
  CHECK(cuts[2].slices.size() == 1);  // the next one is too large for the same block
  for (std::size_t i = 3; i < 6; ++i) {
    CHECK(cuts[i].slices[0].tensor == 4);
    CHECK(cuts[i].slices[0].offset == (i - 3) * 1000 * 4004);
  }
  CHECK(cuts[5].slices.size() == 2);
  for (const cut& each : cuts) {
    std::uint64_t bytes = each.slices.empty() ? each.bytes : 0;
    for (const engine::tensor_slice& part : each.slices) bytes += part.bytes;
    CHECK(bytes == each.bytes);
  }
}

TEST_CASE("blocks against a base keep to the block size, and hold so many tensors") {
  const tensor_layout layout = layout_of(
      std::vector<std::pair<dtype, std::vector<std::uint64_t>>>(20000, {dtype::f16, {5}}));
  for (const std::uint64_t block_bytes : {4 * kibibyte, 16 * kibibyte, 16384 * kibibyte}) {
    const auto cuts = engine::cut_for_base(layout, block_bytes);
    CHECK(sum_of(cuts) == layout.bytes);
    for (const cut& each : cuts) {
      CHECK(each.bytes <= block_bytes);
      CHECK(each.slices.size() <= 4096);
    }
  }
}

TEST_CASE("parts that are not coded against the base are cut as without one") {
  const tensor_layout layout =
      layout_of({{dtype::bf16, {64, 64}}, {dtype::bf16, {300, 1000}}, {dtype::bf16, {5}}});
  const auto all = engine::cut_for_base(layout, 16 << 20);
  REQUIRE(all.size() == 2);
  const auto cuts = engine::cut_slices(dtype::bf16, all[1].slices, 16 << 20);
  const auto wanted = engine::cut_by(layout, 16 << 20);
  REQUIRE(cuts.size() == wanted.size() - 1);
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    CHECK(cuts[i].bytes == wanted[i + 1].bytes);
    CHECK(cuts[i].holds == wanted[i + 1].holds);
  }
}
