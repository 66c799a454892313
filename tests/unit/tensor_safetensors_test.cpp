#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "formats/tensors/safetensors.h"
#include "tensor_support.h"

using namespace tensor_support;

namespace {

/// Read as a file and as a stream alike.
tensor_layout valid(const std::string& file) {
  const tensor_layout layout = layout_of(file);
  CHECK_MESSAGE(layout.format == format_kind::safetensors, file, ": ", layout.reason);
  CHECK(layout.reason.empty());
  const probe_result seen = probe_stream(file);
  CHECK(seen.is == probe_result::verdict::decided);
  CHECK(seen.layout.bytes == file.size());
  CHECK(seen.layout.tensors.size() == layout.tensors.size());
  return layout;
}

/// The reason why not.
std::string invalid(const std::string& file) {
  const tensor_layout layout = layout_of(file);
  CHECK_MESSAGE(is_plain(layout), file);
  return layout.reason;
}

std::string one(std::string_view inner, std::size_t data_bytes = 1) {
  return safetensors("{'a':{" + std::string(inner) + "}}", data_bytes);
}

std::string shaped(std::string_view shape, std::string_view type, std::size_t bytes) {
  return safetensors("{" + entry("a", type, shape, 0, bytes) + "}", bytes);
}

std::string nested(unsigned levels) {
  return one("'dtype':'U8','shape':[1],'data_offsets':[0,1],'x':" + std::string(levels, '[') +
             std::string(levels, ']'));
}

}  // namespace

TEST_CASE("a tensor of a safetensors file has its name, type, shape and place") {
  const std::string file = safetensors(
      "{" + entry("w", "BF16", "2,3", 0, 12) + "," + entry("b", "F32", "3", 12, 24) + "}", 24);
  const tensor_layout layout = valid(file);
  REQUIRE(layout.tensors.size() == 2);
  const tensor& w = layout.tensors[0];
  CHECK(w.name == "w");
  CHECK(w.type == dtype::bf16);
  CHECK(w.type_name == "BF16");
  CHECK(w.shape == std::vector<std::uint64_t>{2, 3});
  CHECK(w.offset == file.size() - 24);
  CHECK(w.bytes == 12);
  CHECK(w.record_bytes == 2);
  CHECK(layout.tensors[1].offset == file.size() - 12);
  const auto ranges = ranges_of(layout);
  REQUIRE(ranges.size() == 3);
  CHECK(ranges[0].tensor == no_tensor);
  CHECK(ranges[0].bytes == file.size() - 24);
}

TEST_CASE("every type of safetensors is known and has its size") {
  for (unsigned i = 1; i < lmzip::dtype_count; ++i) {
    const auto type = static_cast<dtype>(i);
    const std::size_t bytes = lmzip::bits_of(type);  // of 8 elements
    const auto layout = valid(shaped("2,4", lmzip::name_of(type), bytes));
    CHECK(layout.tensors.at(0).type == type);
    CHECK(bytes % layout.tensors[0].record_bytes == 0);
    CHECK(is_plain(layout_of(shaped("2,4", lmzip::name_of(type), bytes + 8))));
  }
}

TEST_CASE("an empty header and a header of metadata alone are valid") {
  CHECK(valid(safetensors("{}")).tensors.empty());
  CHECK(valid(safetensors("{'__metadata__':{'format':'pt','a':''}}")).tensors.empty());
  valid(safetensors("{'__metadata__':{}}"));
  valid(safetensors("{'__metadata__':null}"));
  valid(safetensors("{'__metadata__':{'a':'1','a':'2'}}"));
  CHECK(valid(safetensors("{" + entry("__metadata__x", "U8", "1", 0, 1) + "}", 1)).tensors.size() ==
        1);
}

TEST_CASE("white space around the header is valid") {
  valid(safetensors(" \t\r\n{ " + entry("a", "U8", "1", 0, 1) + " }\n\r\t   ", 1));
  valid(safetensors(std::string(500, ' ') + "{}"));
  valid(safetensors("{}" + std::string(500, ' ')));
}

TEST_CASE("scalars and empty tensors are valid") {
  CHECK(valid(shaped("", "F32", 4)).tensors.at(0).shape.empty());
  CHECK(valid(shaped("2,0", "F32", 0)).tensors.at(0).bytes == 0);
  const std::string middle =
      safetensors("{" + entry("a", "F16", "3", 0, 6) + "," + entry("z", "F32", "0,7", 6, 6) + "," +
                      entry("y", "F32", "0", 6, 6) + "," + entry("b", "U8", "1", 6, 7) + "," +
                      entry("end", "U8", "0", 7, 7) + "}",
                  7);
  const auto layout = valid(middle);
  CHECK(layout.tensors.size() == 5);
  CHECK(ranges_of(layout).size() == 3);
  valid(safetensors("{" + entry("z", "U8", "0", 0, 0) + "}"));
}

TEST_CASE("the order of the header need not be that of the data") {
  const auto layout = valid(safetensors(
      "{" + entry("b", "F32", "1", 2, 6) + "," + entry("a", "F16", "1", 0, 2) + "}", 6));
  CHECK(layout.tensors.at(0).name == "a");
  CHECK(layout.tensors.at(1).name == "b");
}

TEST_CASE("types of less than a byte are valid if all of them fill bytes") {
  CHECK(valid(shaped("1,2", "F4", 1)).tensors.at(0).record_bytes == 1);
  CHECK(valid(shaped("4", "F6_E2M3", 3)).tensors.at(0).record_bytes == 3);
  invalid(shaped("3", "F4", 1));
  invalid(shaped("3", "F4", 2));
}

TEST_CASE("more members of a tensor are passed over") {
  valid(
      one("'dtype':'U8','x':{'y':[1,-2.5e3,null,true,'\\u00e9']},'shape':[1],'x':0,"
          "'data_offsets':[0,1]"));
  valid(nested(120));
  invalid(nested(126));
  invalid(nested(200));
  CHECK(invalid(nested(100000)).find("nested too deeply") != std::string::npos);
}

TEST_CASE("names may be empty, escaped and in any script") {
  for (const char* name : {"", "\\u0061\\\\\\/", "\\u0000", "\u7532\U0001f600", "\\ud83d\\ude00"})
    valid(safetensors("{" + entry(name, "U8", "1", 0, 1) + "}", 1));
  CHECK(
      valid(safetensors("{" + entry("\\u0061\\n", "U8", "1", 0, 1) + "}", 1)).tensors.at(0).name ==
      "a\n");
  // The escaped name of the metadata is its name.
  invalid(safetensors("{" + entry("\\u005f_metadata__", "U8", "1", 0, 1) + "}", 1));
}

TEST_CASE("of tensors of one name the last one counts") {
  const auto same = valid(
      safetensors("{" + entry("a", "U8", "2", 0, 2) + "," + entry("a", "U8", "2", 0, 2) + "}", 2));
  CHECK(same.tensors.size() == 1);
  const auto last =
      valid(safetensors("{" + entry("a", "U8", "9", 0, 9) + "," + entry("b", "U8", "1", 0, 1) +
                            "," + entry("\\u0061", "U8", "1", 1, 2) + "}",
                        2));
  REQUIRE(last.tensors.size() == 2);
  CHECK(last.tensors[0].name == "b");
  CHECK(last.tensors[1].bytes == 1);
  invalid(
      safetensors("{" + entry("a", "U8", "1", 0, 1) + "," + entry("a", "U8", "1", 1, 2) + "}", 2));
}

TEST_CASE("a shape may have a thousand axes") {
  std::string shape = "1";
  for (unsigned i = 1; i < 1000; ++i) shape += ",1";
  CHECK(valid(shaped(shape, "U8", 1)).tensors.at(0).shape.size() == 1000);
}

TEST_CASE("headers of any length and tensors at odd places are valid") {
  for (std::size_t spaces = 0; spaces < 9; ++spaces)
    valid(safetensors(std::string(spaces, ' ') + "{" + entry("a", "U8", "1", 0, 1) + "," +
                          entry("b", "F64", "2", 1, 17) + "}",
                      17));
}

TEST_CASE("tensors of a type that is not known are kept as bytes") {
  const auto layout = valid(shaped("4", "Q7", 8));
  CHECK(layout.tensors.at(0).type == dtype::bytes);
  CHECK(layout.tensors[0].type_name == "Q7");
  CHECK(layout.tensors[0].record_bytes == 2);
  CHECK(valid(shaped("3", "f32", 8)).tensors.at(0).record_bytes == 1);
  CHECK(valid(shaped("1", "", 5000)).tensors.at(0).record_bytes == 1);
  invalid(safetensors("{" + entry("a", "Q7", "4", 1, 8) + "}", 8));
}

TEST_CASE("files whose size of the header is wrong are plain bytes") {
  CHECK(invalid("").empty());
  CHECK(invalid("{}").empty());
  CHECK(invalid(std::string(7, '\0')).empty());
  CHECK(invalid(std::string(8, '\0')).empty());
  CHECK(invalid(u64(0) + "{}") != "");
  CHECK(invalid(safetensors("{}", 0, 100'000'001)).find("too large") != std::string::npos);
  CHECK(invalid(safetensors("{}", 0, ~std::uint64_t{0})).empty());
  CHECK(invalid(safetensors("{}", 0, 3)).find("ends within its header") != std::string::npos);
  invalid(safetensors("{}", 0, 100'000'000));
  invalid(safetensors("{}", 0, 1));
}

TEST_CASE("a limit on the header makes plain bytes of larger ones") {
  const std::string file = safetensors("{" + entry("a", "U8", "1", 0, 1) + "}", 1);
  const std::uint64_t header_bytes = file.size() - 9;
  CHECK(layout_of(file, {.header_bytes = header_bytes}).tensors.size() == 1);
  CHECK(is_plain(layout_of(file, {.header_bytes = header_bytes - 1})));
}

TEST_CASE("files whose header is not strict JSON are plain bytes") {
  const std::string good = entry("a", "U8", "1", 0, 1);
  invalid(safetensors("{" + good + "}" + std::string(1, '\0'), 1));
  invalid(safetensors("\xef\xbb\xbf{" + good + "}", 1));
  invalid(safetensors("{'\xff':" + good.substr(4) + "}", 1));
  invalid(safetensors("{" + good + ",}", 1));
  invalid(safetensors("[" + good + "]", 1));
  invalid(safetensors("[]"));
  invalid(safetensors("{" + good + "}{}", 1));
  invalid(safetensors("{" + entry("a\n", "U8", "1", 0, 1) + "}", 1));
  invalid(safetensors("{" + entry("\\ud800", "U8", "1", 0, 1) + "}", 1));
  invalid(safetensors("{'a':['U8',[1],[0,1]]}", 1));
  invalid(safetensors("{'a':null}"));
  invalid(safetensors("not json at all"));
}

TEST_CASE("tensors that do not cover their data exactly make plain bytes") {
  const auto two = [](std::uint64_t b1, std::uint64_t e1, std::uint64_t b2, std::uint64_t e2,
                      std::size_t data) {
    return safetensors("{" + entry("a", "U8", std::to_string(e1 - b1), b1, e1) + "," +
                           entry("b", "U8", std::to_string(e2 - b2), b2, e2) + "}",
                       data);
  };
  valid(two(0, 2, 2, 4, 4));
  CHECK(invalid(two(0, 2, 3, 5, 5)).find("hole") != std::string::npos);
  CHECK(invalid(two(0, 2, 1, 3, 3)).find("overlaps") != std::string::npos);
  invalid(two(0, 2, 0, 2, 2));
  invalid(two(1, 3, 3, 5, 5));
  invalid(two(0, 4, 2, 2, 4));
  invalid(two(0, 4, 5, 5, 4));
  CHECK(invalid(two(0, 2, 2, 4, 5)).find("1 bytes follow") != std::string::npos);
  CHECK(invalid(two(0, 2, 2, 4, 1)).find("ends 3 bytes before") != std::string::npos);
  invalid(one("'dtype':'U8','shape':[1],'data_offsets':[1,0]"));
  invalid(one("'dtype':'U8','shape':[1],'data_offsets':[0,1,2]"));
  invalid(one("'dtype':'U8','shape':[1],'data_offsets':[0]"));
}

TEST_CASE("metadata that are no texts, or come twice, make plain bytes") {
  invalid(safetensors("{'__metadata__':{'a':1}}"));
  invalid(safetensors("{'__metadata__':{'a':null}}"));
  invalid(safetensors("{'__metadata__':'a'}"));
  invalid(safetensors("{'__metadata__':{},'__metadata__':{}}"));
  invalid(safetensors("{'__metadata__':null,'__metadata__':null}"));
}

TEST_CASE("tensors that lack a member or have one twice make plain bytes") {
  valid(one("'dtype':'U8','shape':[1],'data_offsets':[0,1]"));
  invalid(one("'shape':[1],'data_offsets':[0,1]"));
  invalid(one("'dtype':'U8','data_offsets':[0,1]"));
  invalid(one("'dtype':'U8','shape':[1]"));
  invalid(one("'dtype':'U8','dtype':'U8','shape':[1],'data_offsets':[0,1]"));
  invalid(one("'dtype':'U8','shape':[1],'shape':[1],'data_offsets':[0,1]"));
  invalid(one("'dtype':'U8','shape':[1],'data_offsets':[0,1],'data_offsets':[0,1]"));
  invalid(one("'dtype':8,'shape':[1],'data_offsets':[0,1]"));
  invalid(one("'dtype':'U8','shape':1,'data_offsets':[0,1]"));
}

TEST_CASE("sizes that are no integers of 0 or more make plain bytes") {
  for (const char* size : {"-1", "1.0", "1e0", "-0", "01", "'1'", "true", "[1]"})
    invalid(shaped(size, "U8", 1));
}

TEST_CASE("shapes whose product is too large make plain bytes, even if it is empty") {
  invalid(shaped("18446744073709551614,4,0", "U8", 0));
  valid(shaped("0,18446744073709551614,4", "U8", 0));
  invalid(shaped("4611686018427387904", "F32", 0));
  invalid(shaped("2305843009213693952", "U8", 0));
  invalid(safetensors("{" + entry("a", "Q", "1", 0, 18446744073709551615U) + "}", 1));
}

TEST_CASE("a stream of safetensors is known when its header is there") {
  const std::string header = "{" + entry("a longer name", "F32", "1000000", 0, 4'000'000) + "}";
  const std::string file = safetensors(header, 0);
  const auto seen = probe({.bytes = bytes_of(file), .total = {}});
  CHECK(seen.is == probe_result::verdict::decided);
  CHECK(seen.layout.bytes == file.size() + 4'000'000);
  CHECK(seen.layout.tensors.size() == 1);
  const auto early = probe({.bytes = bytes_of(file).first(72), .total = {}});
  CHECK(early.is == probe_result::verdict::more);
  CHECK(early.wanted == file.size());
  CHECK(probe({.bytes = bytes_of(file).first(8), .total = {}}).is == probe_result::verdict::more);
  // More bytes than the header tells of are another matter.
  const std::string longer = safetensors("{" + entry("a", "U8", "1", 0, 1) + "}", 1) + "rest";
  CHECK(probe_stream(longer + std::string(5000, 'x')).layout.bytes == longer.size() - 4);
}

TEST_CASE("a million tensors are read") {
  std::string header = "{";
  constexpr unsigned count = 1'000'000;
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) header += ',';
    header += entry("t" + std::to_string(i), "U8", "1", i, i + 1);
  }
  const auto layout = layout_of(safetensors(header + "}", count));
  CHECK(layout.tensors.size() == count);
  CHECK(layout.tensors.back().name == "t999999");
}

TEST_CASE("mutated safetensors files give a layout of all their bytes") {
  const std::string file =
      safetensors("{'__metadata__':{'a':'b'}," + entry("a\\u0041", "F16", "3", 0, 6) + "," +
                      entry("z", "F32", "0,7", 6, 6) + "," + entry("b", "U8", "1", 6, 7) + "}",
                  7);
  check_mutations(file, file.size(), 4000);
}
