#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tensor_support.h"

using namespace tensor_support;

namespace {

std::string text(std::string_view value) { return u64(value.size()) + std::string(value); }

struct gguf_tensor {
  std::string name;
  std::vector<std::uint64_t> axes;  ///< as in the file: the innermost first
  std::uint32_t type = 0;
  std::uint64_t offset = 0;
};

/// A file of the given pairs (each whole) and tensors, with `data_bytes` bytes of data.
struct gguf_file {
  std::uint32_t version = 3;
  std::vector<std::string> pairs = {};
  std::vector<gguf_tensor> tensors = {};
  std::size_t data_bytes = 0;
  std::uint64_t alignment = 32;

  std::string header() const {
    std::string out = "GGUF" + u32(version) + u64(tensors.size()) + u64(pairs.size());
    for (const auto& p : pairs) out += p;
    for (const auto& t : tensors) {
      out += text(t.name) + u32(t.axes.size());
      for (const auto axis : t.axes) out += u64(axis);
      out += u32(t.type) + u64(t.offset);
    }
    return out;
  }

  std::string file() const {
    std::string out = header();
    out.resize((out.size() + alignment - 1) / alignment * alignment);
    return out + std::string(data_bytes, 'd');
  }
};

std::string alignment_pair(std::uint64_t value) {
  return text("general.alignment") + u32(4) + u32(value);
}

std::string array_of_texts(std::string_view key, std::size_t count) {
  std::string out = text(key) + u32(9) + u32(8) + u64(count);
  for (std::size_t i = 0; i < count; ++i) out += text("token");
  return out;
}

gguf_file example() {
  return {.pairs = {text("name") + u32(8) + text("x"), array_of_texts("tokens", 3),
                    text("n") + u32(10) + u64(7), text("f") + u32(7) + "\1",
                    text("ids") + u32(9) + u32(5) + u64(2) + u32(1) + u32(2)},
          .tensors = {{.name = "a", .axes = {3, 2}, .type = 0, .offset = 0},
                      {.name = "q", .axes = {64, 2}, .type = 2, .offset = 32},
                      {.name = "h", .axes = {5}, .type = 30, .offset = 128}},
          .data_bytes = 138};
}

tensor_layout valid(const gguf_file& from) {
  const auto layout = layout_of(from.file());
  CHECK_MESSAGE(layout.format == format_kind::gguf, layout.reason);
  const auto seen = probe_stream(from.file());
  CHECK(seen.is == probe_result::verdict::decided);
  CHECK(seen.layout.format == format_kind::gguf);
  CHECK(fits_ranges(seen.layout));
  return layout;
}

std::string invalid(const std::string& file) {
  const auto layout = layout_of(file);
  CHECK(is_plain(layout));
  CHECK(layout.reason.starts_with("not read as GGUF: "));
  return layout.reason;
}

std::string invalid(const gguf_file& from) { return invalid(from.file()); }

}  // namespace

TEST_CASE("tensors of a GGUF file are found with their blocks") {
  const gguf_file from = example();
  const auto layout = valid(from);
  const std::uint64_t start = from.file().size() - 138;
  REQUIRE(layout.tensors.size() == 3);
  CHECK(layout.tensors[0].type == dtype::f32);
  CHECK(layout.tensors[0].shape == std::vector<std::uint64_t>{2, 3});
  CHECK(layout.tensors[0].offset == start);
  CHECK(layout.tensors[0].bytes == 24);
  CHECK(layout.tensors[1].type == dtype::bytes);
  CHECK(layout.tensors[1].type_name == "Q4_0");
  CHECK(layout.tensors[1].record_bytes == 18);
  CHECK(layout.tensors[1].bytes == 72);
  CHECK(layout.tensors[1].offset == start + 32);
  CHECK(layout.tensors[2].type == dtype::bf16);
  CHECK(layout.tensors[2].bytes == 10);
}

TEST_CASE("GGUF of versions 2 and 3 is read, others are plain bytes") {
  gguf_file from = example();
  from.version = 2;
  valid(from);
  for (const std::uint32_t version : {0U, 1U, 4U}) {
    from.version = version;
    CHECK(invalid(from).find("version") != std::string::npos);
  }
  from.version = 0x03000000;
  CHECK(invalid(from).find("big-endian") != std::string::npos);
}

TEST_CASE("a GGUF file without tensors, and one cut in its last padding, are valid") {
  CHECK(valid({}).tensors.empty());
  gguf_file from = example();
  from.data_bytes = 160;
  valid(from);
  CHECK(layout_of(gguf_file{}.header()).format == format_kind::gguf);
  // An empty tensor where padding would end that is not there.
  const gguf_file empty = {.tensors = {{.name = "e", .axes = {0}, .type = 0, .offset = 0}}};
  CHECK(layout_of(empty.header()).tensors.size() == 1);
}

TEST_CASE("a GGUF file that ends within a tensor or its header is plain bytes") {
  gguf_file from = example();
  from.data_bytes = 137;
  CHECK(invalid(from).find("ends within tensor \"h\"") != std::string::npos);
  from.data_bytes = 0;
  invalid(from);
  const std::string file = from.file();
  for (std::size_t size = 4; size < from.header().size(); ++size) invalid(file.substr(0, size));
}

TEST_CASE("the alignment of a GGUF file is its own") {
  gguf_file from = example();
  from.pairs.push_back(alignment_pair(8));
  from.alignment = 8;
  from.tensors[1].offset = 24;
  from.tensors[2].offset = 96;
  CHECK(valid(from).tensors.size() == 3);
  for (const std::uint64_t bad : {0U, 3U, 48U}) {
    from.pairs.back() = alignment_pair(bad);
    CHECK(invalid(from).find("power of two") != std::string::npos);
  }
  from.pairs.back() = text("general.alignment") + u32(10) + u64(8);
  invalid(from);
}

TEST_CASE("GGUF tensors that do not follow each other make plain bytes") {
  for (const std::uint64_t offset : {0U, 24U, 31U, 64U}) {
    gguf_file from = example();
    from.tensors[1].offset = offset;
    CHECK(invalid(from).find("does not stand where") != std::string::npos);
  }
}

TEST_CASE("rows of GGUF tensors are whole blocks") {
  gguf_file from = {.tensors = {{.name = "q", .axes = {32, 3}, .type = 8, .offset = 0}},
                    .data_bytes = 102};
  valid(from);
  from.tensors[0].axes = {48, 2};
  CHECK(invalid(from).find("whole blocks") != std::string::npos);
  from.tensors[0].axes = {0, 3};
  CHECK(valid(from).tensors.at(0).bytes == 0);
  from.tensors[0].axes = {};
  from.tensors[0].type = 0;
  CHECK(valid(from).tensors.at(0).bytes == 4);
}

TEST_CASE("GGUF tensors of unknown type are bytes up to the next one") {
  gguf_file from = example();
  from.tensors[1].type = 4;
  const auto layout = valid(from);
  CHECK(layout.tensors[1].type == dtype::bytes);
  CHECK(layout.tensors[1].type_name == "type 4");
  CHECK(layout.tensors[1].bytes == 96);
  from.tensors[1].type = 1000;
  valid(from);
  from.tensors[2].offset = 129;
  invalid(from);
  from = example();
  from.tensors[2].type = 38;
  CHECK(valid(from).tensors.at(2).bytes == 10);
  // A stream does not tell where the last one ends.
  CHECK(probe({.bytes = bytes_of(from.file()), .total = {}}).layout.tensors.size() == 2);
}

TEST_CASE("sizes in a GGUF file that are too large make plain bytes") {
  gguf_file from = example();
  from.tensors[0].axes = {std::uint64_t{1} << 40, std::uint64_t{1} << 40};
  invalid(from);
  from.tensors[0].axes = {std::uint64_t{1} << 62};
  invalid(from);
  from.tensors[0].axes = {1, 1, 1, 1, 1};
  invalid(from);
  from = example();
  from.tensors[0].name = std::string(64, 'n');
  invalid(from);
  from.tensors[0].name = std::string(63, 'n');
  valid(from);
  invalid("GGUF" + u32(3) + u64(~std::uint64_t{0}) + u64(0));
  invalid("GGUF" + u32(3) + u64(0) + u64(~std::uint64_t{0}));
  const std::string one_pair = "GGUF" + u32(3) + u64(0) + u64(1);
  invalid(one_pair + u64(std::uint64_t{1} << 31) + "k");
  invalid(one_pair + text("k") + u32(13));
  invalid(one_pair + text("k") + u32(9) + u32(9) + u64(1) + u32(4) + u64(1) + u32(1));
  invalid(one_pair + text("k") + u32(9) + u32(10) + u64(std::uint64_t{1} << 61));
  invalid(one_pair + text("k") + u32(9) + u32(8) + u64(std::uint64_t{1} << 30));
}

TEST_CASE("keys and tensors of a GGUF file come once") {
  gguf_file from = example();
  from.pairs.push_back(from.pairs[0]);
  CHECK(invalid(from).find("key comes twice") != std::string::npos);
  from = example();
  from.tensors[2].name = "a";
  CHECK(invalid(from).find("tensor comes twice") != std::string::npos);
}

TEST_CASE("a long header of GGUF is asked for step by step, up to the limit") {
  gguf_file from = example();
  from.pairs.push_back(array_of_texts("more", 100000));
  CHECK(valid(from).tensors.size() == 3);
  const auto first = probe({.bytes = bytes_of(from.file()).first(4096), .total = {}});
  CHECK(first.is == probe_result::verdict::more);
  CHECK(first.wanted == 8192);
  const auto refused = layout_of(from.file(), {.header_bytes = 100000});
  CHECK(is_plain(refused));
  CHECK(refused.reason.find("too large") != std::string::npos);
}

TEST_CASE("mutated GGUF files give a layout of all their bytes") {
  gguf_file from = example();
  check_mutations(from.file(), from.header().size(), 4000);
  from.pairs.push_back(alignment_pair(32));
  from.tensors[2].type = 5;
  check_mutations(from.file(), from.header().size(), 4000);
}
