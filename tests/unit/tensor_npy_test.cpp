#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "formats/tensors/npy.h"
#include "tensor_support.h"

using namespace tensor_support;

namespace {

std::string npy_of(std::string literal, std::size_t data_bytes, unsigned version = 1) {
  literal += '\n';
  return std::string("\x93NUMPY") + static_cast<char>(version) + std::string(1, '\0') +
         le(literal.size(), version == 1 ? 2 : 4) + literal + std::string(data_bytes, 'd');
}

std::string npy(std::string_view descr, std::string_view shape, std::size_t data_bytes,
                std::string_view fortran = "False") {
  return npy_of("{'descr': " + std::string(descr) + ", 'fortran_order': " + std::string(fortran) +
                    ", 'shape': " + std::string(shape) + ", }",
                data_bytes);
}

tensor_layout valid(const std::string& file) {
  const auto layout = layout_of(file);
  CHECK_MESSAGE(layout.format == format_kind::npy, layout.reason);
  CHECK(probe_stream(file).layout.format == format_kind::npy);
  return layout;
}

std::string invalid(const std::string& file) {
  const auto layout = layout_of(file);
  CHECK_MESSAGE(is_plain(layout), file);
  CHECK(layout.reason.starts_with("not read as npy: "));
  return layout.reason;
}

}  // namespace

TEST_CASE("an array of an npy file has its type, shape and place") {
  const std::string file = npy("'<f4'", "(2, 3)", 24);
  const auto layout = valid(file);
  REQUIRE(layout.tensors.size() == 1);
  CHECK(layout.tensors[0].type == dtype::f32);
  CHECK(layout.tensors[0].type_name == "<f4");
  CHECK(layout.tensors[0].shape == std::vector<std::uint64_t>{2, 3});
  CHECK(layout.tensors[0].offset == file.size() - 24);
  CHECK(layout.tensors[0].record_bytes == 4);
}

TEST_CASE("arrays of all versions of npy are read, and no others") {
  const std::string literal = "{'descr': '<i2', 'fortran_order': False, 'shape': (1,)}";
  for (const unsigned version : {1U, 2U, 3U}) valid(npy_of(literal, 2, version));
  for (const unsigned version : {0U, 4U, 255U}) invalid(npy_of(literal, 2, version));
}

TEST_CASE("scalars and empty arrays of npy are valid") {
  CHECK(valid(npy("'<f8'", "()", 8)).tensors.at(0).shape.empty());
  CHECK(valid(npy("'<f8'", "(3, 0)", 0)).tensors.at(0).bytes == 0);
  CHECK(valid(npy("'|b1'", "(5,)", 5)).tensors.at(0).type == dtype::boolean);
  CHECK(valid(npy("\"|u1\"", "(5L,)", 5)).tensors.at(0).type == dtype::u8);
}

TEST_CASE("big-endian arrays are bytes in records, Fortran order turns the shape around") {
  const auto big = valid(npy("'>f4'", "(2,)", 8)).tensors.at(0);
  CHECK(big.type == dtype::bytes);
  CHECK(big.type_name == ">f4");
  CHECK(big.record_bytes == 4);
  CHECK(valid(npy("'>i1'", "(2,)", 2)).tensors.at(0).type == dtype::i8);
  const auto turned = valid(npy("'<f4'", "(2, 3)", 24, "True")).tensors.at(0);
  CHECK(turned.shape == std::vector<std::uint64_t>{3, 2});
}

TEST_CASE("texts, times and records of npy are bytes in records") {
  struct {
    const char* descr;
    unsigned bytes;
  } const cases[] = {{"'|S5'", 5},
                     {"'<U5'", 20},
                     {"'|V2'", 2},
                     {"'<M8[ns]'", 8},
                     {"'<m8[25us]'", 8},
                     {"'<f16'", 16},
                     {"[('a', '<f4'), ('b', '|u1')]", 5},
                     {"[('a', '<f4', (2, 3)), (('title', 'b'), '|u1', 2),]", 26},
                     {"[('a', [('b', '<i8'), ('c', '<i2')], (2,))]", 20}};
  for (const auto& c : cases) {
    const auto t = valid(npy(c.descr, "(2,)", 2 * c.bytes)).tensors.at(0);
    CHECK_MESSAGE(t.type == dtype::bytes, c.descr);
    CHECK_MESSAGE(t.record_bytes == c.bytes, c.descr);
  }
}

TEST_CASE("arrays of Python objects are plain bytes") {
  CHECK(invalid(npy("'|O'", "(2,)", 16)).find("Python objects") != std::string::npos);
  invalid(npy("[('a', '|O')]", "(2,)", 16));
}

TEST_CASE("headers of npy that are no description of an array make plain bytes") {
  for (const char* literal :
       {"",
        "{",
        "{}",
        "[]",
        "{'descr': '<f4'}",
        "{'descr': '<f4', 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<x4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4x', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f99999999999999999999', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4\\n', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}",
        "{'descr': [('a', '<f4'], 'fortran_order': False, 'shape': (1,)}",
        "{'descr': ('a', '<f4'), 'fortran_order': False, 'shape': (1,)}"})
    invalid(npy_of(literal, 4));
  std::string deep;
  for (unsigned i = 0; i < 10000; ++i) deep += "[('a', ";
  invalid(npy(deep, "(1,)", 4));
}

TEST_CASE("arrays of npy that are too large, or cut, make plain bytes") {
  invalid(npy("'<f4'", "(2,)", 7));
  invalid(npy("'<f4'", "(4611686018427387904,)", 0));
  invalid(npy("'<f4'", "(99999999999999999999999,)", 0));
  invalid(npy("'<f4'", "(4294967296, 4294967296, 0)", 0));
  const std::string file = npy("'<f4'", "(2,)", 8);
  for (std::size_t size = 6; size < file.size(); ++size) invalid(file.substr(0, size));
  invalid(npy_of(std::string(longest_npy_header, ' '), 0, 2));
}

TEST_CASE("several arrays in one npy file are found, up to what is none") {
  const std::string file = npy("'<f4'", "(2,)", 8) + npy("'<i2'", "(3,)", 6) +
                           npy("'<f4'", "(0,)", 0) + npy("'<f8'", "()", 8);
  const auto layout = valid(file);
  REQUIRE(layout.tensors.size() == 4);
  CHECK(layout.tensors[1].type == dtype::i16);
  CHECK(layout.tensors[3].name == "arr_3");
  CHECK(valid(file + "rest").tensors.size() == 4);
  CHECK(valid(file + npy("'<f4'", "(2,)", 7)).tensors.size() == 4);
  // A stream is told of one after the other.
  const auto seen = probe_stream(file);
  CHECK(seen.layout.tensors.size() == 1);
  CHECK(probe_stream(file.substr(seen.layout.bytes)).layout.tensors.at(0).type == dtype::i16);
}

TEST_CASE("a long header of npy is read in steps") {
  std::string fields = "[";
  for (unsigned i = 0; i < 1000; ++i) fields += "('field" + std::to_string(i) + "', '|u1'), ";
  CHECK(valid(npy(fields + "]", "(2,)", 2000)).tensors.at(0).record_bytes == 1000);
}

TEST_CASE("mutated npy files give a layout of all their bytes") {
  const std::string one = npy("[('a', '<f4', (2,)), ('b', '<M8[ns]')]", "(2, 1)", 32);
  check_mutations(one, one.size() - 32, 4000);
  const std::string two = npy("'<f4'", "(2,)", 8, "True") + npy("'>i2'", "(3,)", 6);
  check_mutations(two, two.size(), 4000);
}
