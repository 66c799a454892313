#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/file.h"
#include "formats/tensors/shard_index.h"
#include "lmzip/error.h"
#include "tensor_support.h"

using namespace tensor_support;

namespace {

constexpr std::string_view pointer =
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:0000000000000000000000000000000000000000000000000000000000000000\nsize 1\n";

std::optional<shard_index> index_of(std::string text) {
  return read_shard_index(bytes_of(json(std::move(text))));
}

}  // namespace

TEST_CASE("a git-lfs pointer is plain bytes with a reason that says so") {
  const auto layout = layout_of(pointer);
  CHECK(is_plain(layout));
  CHECK(layout.reason == "a git-lfs pointer: the file that it stands for is not here");
  CHECK(probe_stream(pointer).layout.reason == layout.reason);
}

TEST_CASE("a PyTorch file of the old format is plain bytes with a reason") {
  const std::string file = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
  CHECK(layout_of(file).reason.find("PyTorch") == 0);
}

TEST_CASE("files of other kinds are plain bytes without a reason") {
  for (const std::string& file :
       {std::string(), std::string("x"), std::string(10000, ' '), std::string(10000, '\0'),
        std::string("{\"a\": [{\"b\": 1}]}"), std::string("text of no kind"),
        std::string("\x7f"
                    "ELF\2\1\1"),
        std::string("GGU"), std::string("\x93NUMP"), std::string("PK\x03"),
        std::string(8, '\xff') + "{}"}) {
    const auto layout = layout_of(file);
    CHECK(is_plain(layout));
    CHECK_MESSAGE(layout.reason.empty(), layout.reason);
  }
}

TEST_CASE("reasons are printable, whatever stands in the file") {
  const auto layout = layout_of(safetensors(
      "{" + entry("\\u0000\\u001b[31m\u00e9" + std::string(500, 'x'), "U8", "1", 0, 2) + "}", 2));
  CHECK(is_plain(layout));
  CHECK(layout.reason.size() < 200);
  for (const char c : layout.reason) CHECK((c >= ' ' && c <= '~'));
}

TEST_CASE("a layout is read from an open file too") {
  const std::string content = safetensors("{" + entry("a", "U8", "3", 0, 3) + "}", 3);
  std::string path = (std::filesystem::temp_directory_path() / "lmzip-tensors-XXXXXX").string();
  lmzip::io::file(::mkstemp(path.data()), path).write(bytes_of(content));
  lmzip::io::file file = lmzip::io::file::open_for_reading(path, true);
  const auto layout = read_layout(input_of(file));
  lmzip::io::remove_file(path);
  check_ranges(layout, content.size());
  CHECK(layout.tensors.size() == 1);
}

TEST_CASE("an input that gives a byte at a time has the same layout") {
  const std::string content = safetensors("{" + entry("a", "U8", "3", 0, 3) + "}", 3);
  const auto view = bytes_of(content);
  const random_input slow = {[view](std::uint64_t offset, std::span<std::byte> out) {
                               return input_of(view).read_at(
                                   offset, out.first(std::min<std::size_t>(out.size(), 1)));
                             },
                             content.size()};
  CHECK(read_layout(slow).tensors.size() == 1);
}

TEST_CASE("errors of reading pass through") {
  const random_input broken = {[](std::uint64_t, std::span<std::byte>) -> std::size_t {
                                 throw lmzip::error(lmzip::errc::io, "broken");
                               },
                               1000};
  CHECK_THROWS_AS(read_layout(broken), lmzip::error);
}

TEST_CASE("ranges of tensors that overlap are a bug") {
  tensor_layout layout;
  layout.bytes = 10;
  layout.tensors.resize(2);
  layout.tensors[0].bytes = 6;
  layout.tensors[1] = {.name = {}, .type_name = {}, .shape = {}, .offset = 6, .bytes = 4};
  CHECK(ranges_of(layout).size() == 2);
  layout.tensors[1].offset = 5;
  CHECK_THROWS_AS(ranges_of(layout), lmzip::error);
  layout.tensors[1].offset = 7;
  CHECK_THROWS_AS(ranges_of(layout), lmzip::error);
}

TEST_CASE("formats have names") {
  CHECK(name_of(format_kind::none) == "plain");
  CHECK(name_of(format_kind::safetensors) == "safetensors");
  CHECK(name_of(format_kind::gguf) == "GGUF");
  CHECK(name_of(format_kind::npy) == "npy");
  CHECK(name_of(format_kind::npz) == "npz");
  CHECK(name_of(format_kind::torch_zip) == "PyTorch");
}

TEST_CASE("an index of shards gives each tensor its file") {
  const auto index = index_of(
      "{'metadata':{'total_size':1234,'x':[1]},'weight_map':{'a':'m-1.safetensors',"
      "'b':'m-2.safetensors','c':'m-1.safetensors'},'more':null}");
  REQUIRE(index);
  CHECK(index->total_bytes == 1234);
  CHECK(index->files == std::vector<std::string>{"m-1.safetensors", "m-2.safetensors"});
  REQUIRE(index->entries.size() == 3);
  CHECK(index->entries[2].tensor == "c");
  CHECK(index->entries[2].file == 0);
}

TEST_CASE("an index of shards need not tell a size") {
  CHECK_FALSE(index_of("{'weight_map':{}}")->total_bytes);
  CHECK_FALSE(index_of("{'metadata':null,'weight_map':{}}")->total_bytes);
  CHECK_FALSE(index_of("{'metadata':{'total_size':1.5e9},'weight_map':{}}")->total_bytes);
  CHECK_FALSE(index_of("{'metadata':{'total_size':'1'},'weight_map':{}}")->total_bytes);
  CHECK(index_of("\xef\xbb\xbf{'weight_map':{}}"));
}

TEST_CASE("what is no index of shards gives none") {
  for (const char* text :
       {"", "[]", "{}", "{'weight_map':[]}", "{'weight_map':{'a':1}}", "{'weight_map':{'a':''}}",
        "{'weight_map':{'a':'../x'}}", "{'weight_map':{'a':'..'}}", "{'weight_map':{'a':'/x'}}",
        "{'weight_map':{'a':'x\\u0000'}}", "{'weight_map':{}} x", "{'weight_map':{'a':'b',}}",
        "{'weight_map':{},'weight_map':{'a':'\xff'}}"})
    CHECK_FALSE_MESSAGE(index_of(text), text);
}
