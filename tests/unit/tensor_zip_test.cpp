#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "formats/tensors/zip_directory.h"
#include "formats/tensors/zip_tensors.h"
#include "lmzip/error.h"
#include "zip_support.h"

using namespace tensor_support;

namespace {

std::string refused(const std::string& file) {
  try {
    read_zip_directory(input_of(bytes_of(file)));
  } catch (const lmzip::error& e) {
    CHECK(e.code() == lmzip::errc::damaged);
    CHECK(is_plain(layout_of(file)));
    return e.what();
  }
  FAIL("was read");
  return {};
}

/// `file` with the four bytes at `offset` before its end replaced.
std::string with_u32(std::string file, std::size_t before_end, std::uint64_t value) {
  return file.replace(file.size() - before_end, 4, u32(value));
}

}  // namespace

TEST_CASE("tensors of a PyTorch archive have the names and types of its pickle") {
  const std::string file = torch_file(example_pickle()).file();
  const auto layout = layout_of(file);
  CHECK(layout.format == format_kind::torch_zip);
  CHECK(layout.reason.empty());
  REQUIRE(layout.tensors.size() == 2);
  CHECK(layout.tensors[0].name == "w");
  CHECK(layout.tensors[0].type == dtype::f16);
  CHECK(layout.tensors[0].type_name == "F16");
  CHECK(layout.tensors[0].shape == std::vector<std::uint64_t>{2, 3});
  CHECK(file.substr(layout.tensors[0].offset, layout.tensors[0].bytes) == std::string(12, 'w'));
  CHECK(layout.tensors[1].name == "b");
  CHECK(layout.tensors[1].type == dtype::f32);
  CHECK(probe_stream(file).is == probe_result::verdict::needs_the_end);
}

TEST_CASE("a PyTorch archive with a pickle that is not understood has storages of bytes") {
  for (const std::string& pickle : {std::string(), std::string("\xff\xff"), std::string("\x80")}) {
    const auto layout = layout_of(torch_file(pickle).file());
    CHECK(layout.format == format_kind::torch_zip);
    REQUIRE(layout.tensors.size() == 2);
    CHECK(layout.tensors[0].name == "data/0");
    CHECK(layout.tensors[0].type == dtype::bytes);
    CHECK(layout.tensors[0].shape.empty());
    CHECK(layout.tensors[1].bytes == 16);
  }
}

TEST_CASE("storages whose size is not the pickle's stay bytes, big-endian ones are records") {
  zip_file from = torch_file(example_pickle());
  from.members[2].data = std::string(14, 'w');
  CHECK(layout_of(from.file()).tensors.at(0).type == dtype::bytes);
  from = torch_file(example_pickle());
  from.members[1].data = "big";
  const auto big = layout_of(from.file()).tensors.at(1);
  CHECK(big.type == dtype::bytes);
  CHECK(big.type_name == "F32");
  CHECK(big.record_bytes == 4);
}

TEST_CASE("compressed members of a PyTorch archive stay plain bytes") {
  zip_file from = torch_file(example_pickle());
  from.members[3].method = 8;
  const auto layout = layout_of(from.file());
  CHECK(layout.tensors.size() == 1);
  CHECK(layout.reason.find("1 member is compressed") == 0);
  from.members[2].flags = 1;  // encrypted
  CHECK(layout_of(from.file()).tensors.empty());
}

TEST_CASE("arrays of an npz archive are found in their members") {
  zip_file from = npz_file();
  const auto layout = layout_of(from.file());
  CHECK(layout.format == format_kind::npz);
  REQUIRE(layout.tensors.size() == 2);
  CHECK(layout.tensors[0].name == "a");
  CHECK(layout.tensors[0].type == dtype::f32);
  CHECK(layout.tensors[0].bytes == 8);
  CHECK(layout.tensors[1].name == "b/c");
  CHECK(probe_stream(from.file()).is == probe_result::verdict::needs_the_end);
  from.members[0].method = 8;
  from.members.push_back({.name = "d.npy", .data = "no array"});
  CHECK(layout_of(from.file()).tensors.size() == 1);
  CHECK(layout_of(from.file()).reason.find("2 members") == 0);
  // An array that is longer than its member.
  from = npz_file();
  from.members[0].data.pop_back();
  CHECK(layout_of(from.file()).tensors.size() == 1);
}

TEST_CASE("zip archives with 64-bit sizes, comments and descriptors are read") {
  zip_file from = torch_file(example_pickle());
  from.is_64 = true;
  CHECK(layout_of(from.file()).tensors.size() == 2);
  from.comment = "a comment with PK\x05\x06 in it, and some more of it";
  CHECK(layout_of(from.file()).tensors.size() == 2);
  for (auto& m : from.members) m.has_descriptor = true;
  CHECK(layout_of(from.file()).tensors.size() == 2);
  from.is_64 = false;
  CHECK(layout_of(from.file()).tensors.size() == 2);
}

TEST_CASE("other zip archives are plain bytes without a reason") {
  const zip_file from = {.members = {{.name = "word/document.xml", .data = "text"}}};
  CHECK(is_plain(layout_of(from.file())));
  CHECK(layout_of(from.file()).reason.empty());
  CHECK(is_plain(layout_of(zip_file{}.file())));
  const auto seen = probe_stream(from.file());
  CHECK(seen.is == probe_result::verdict::decided);
  CHECK(is_plain(seen.layout));
}

TEST_CASE("a zip archive without its end is plain bytes") {
  const std::string file = torch_file(example_pickle()).file();
  for (std::size_t size = 60; size < file.size(); ++size) {
    const auto layout = layout_of(file.substr(0, size));
    REQUIRE(is_plain(layout));
    CHECK(layout.reason.starts_with("not read as a zip archive: "));
  }
  CHECK(refused(file + "x") == "it has no directory");
}

TEST_CASE("zip archives whose directory stands outside are refused") {
  const std::string file = npz_file().file();
  CHECK(refused(with_u32(file, 6, file.size())) == "its directory stands outside");
  CHECK(refused(with_u32(file, 6, ~0U)) == "its directory is not found");
  CHECK(refused(with_u32(file, 10, file.size())) == "its directory stands outside");
  CHECK(refused(with_u32(file, 10, 0)) == "its directory is damaged");
  CHECK(refused(with_u32(file, 14, 0xfffefffe)) == "its directory is damaged");
  CHECK_THROWS_AS(read_zip_directory(input_of(bytes_of(file)), {.header_bytes = 10}), lmzip::error);
}

TEST_CASE("members of a zip archive that stand outside or overlap are refused") {
  const std::string file = npz_file().file();
  const std::size_t last = file.size() - 22 - 7;  // the name of the last entry
  const auto changed = [&](std::size_t at, std::uint64_t value) {
    return std::string(file).replace(at, 4, u32(value));
  };
  CHECK(refused(changed(last - 4, file.size())) == "a member stands outside");
  CHECK(refused(changed(last - 4, 1)) == "a member has no header");
  CHECK(refused(changed(last - 4, 0)) == "two members overlap");
  const std::size_t sizes = last - 46 + 20;
  const auto both = [&](std::uint64_t value) {
    return std::string(file).replace(sizes, 8, u32(value) + u32(value));
  };
  CHECK(refused(both(100000)) == "a member stands outside");
  CHECK(refused(both(~0U)) == "a member stands outside");
  CHECK(refused(changed(sizes, 1)) == "a member has two sizes");
  CHECK(refused(changed(last - 46, 0)) == "its directory is damaged");
  // The first member's data reach into the second one.
  const std::size_t first_sizes = sizes - 46 - 5;
  CHECK(refused(std::string(file).replace(first_sizes, 8, u32(150) + u32(150))) ==
        "two members overlap");
}

TEST_CASE("mutated zip archives give a layout of all their bytes") {
  zip_file from = torch_file(example_pickle());
  std::string file = from.file();
  check_mutations(file, file.size(), 4000);
  from.is_64 = true;
  file = from.file();
  check_mutations(file, file.size(), 4000);
  file = npz_file().file();
  check_mutations(file, file.size(), 4000);
}
