#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "archive/chunks/kind.h"

using namespace lmzip;
using namespace std::string_literals;
using archive::content_kind;
using archive::extension_of;
using archive::kind_of;
using archive::order_of;

namespace {

content_kind kind_of_text(const std::string& content) {
  return kind_of(std::as_bytes(std::span(content)), content.size());
}

/// `content` at `offset` of a file whose other bytes are no text.
content_kind kind_at(std::size_t offset, const std::string& content) {
  std::string file(8192, '\x01');
  file.replace(offset, content.size(), content);
  return kind_of_text(file);
}

}  // namespace

TEST_CASE("files are known by their first bytes") {
  CHECK(kind_of_text("") == content_kind::empty);
  CHECK(kind_of_text("x") == content_kind::text);
  CHECK(kind_of_text("#!/bin/sh\necho \t hello\r\n") == content_kind::text);
  CHECK(kind_of_text("gr\xfc\xdf"
                     "e aus K\xf6ln") == content_kind::text);
  CHECK(kind_of_text("\xff\xfeh\0i\0"s) == content_kind::wide_text);
  CHECK(kind_at(0,
                "\x7f"
                "ELF\2\1\1") == content_kind::elf);
  CHECK(kind_at(0, "MZ\x90\0"s) == content_kind::pe);
  CHECK(kind_at(0, "\xcf\xfa\xed\xfe") == content_kind::mach_o);
  CHECK(kind_at(0, "\xca\xfe\xba\xbe") == content_kind::bytecode);
  CHECK(kind_at(0, "\xa7\x0d\r\n\0\0\0\0"s) == content_kind::bytecode);
  CHECK(kind_at(0, "!<arch>\nfoo.o/") == content_kind::object_archive);
  CHECK(kind_at(0, "!<arch>\ndebian-binary") == content_kind::packed_data);
  CHECK(kind_at(0, "SQLite format 3\0"s) == content_kind::database);
  CHECK(kind_at(257, "ustar\0"s) == content_kind::tar);
  CHECK(kind_at(1080, "\x53\xef") == content_kind::disk_image);
  CHECK(kind_at(0, "%PDF-1.7") == content_kind::document);
  CHECK(kind_at(0, "\0\1\0\0\0\x10"s) == content_kind::font);
  CHECK(kind_at(0, "BM") == content_kind::picture);
  CHECK(kind_at(8, "WAVE") == content_kind::sound);
  CHECK(kind_at(0, "\x89PNG\r\n\x1a\n") == content_kind::packed_picture);
  CHECK(kind_at(0, "\xff\xd8\xff\xe0") == content_kind::packed_picture);
  CHECK(kind_at(4, "ftypisom") == content_kind::packed_media);
  CHECK(kind_at(0, "\x1f\x8b\x08") == content_kind::packed_data);
  CHECK(kind_at(0, "\x28\xb5\x2f\xfd") == content_kind::packed_data);
  CHECK(kind_at(0,
                "\xfd"
                "7zXZ\0"s) == content_kind::packed_data);
  CHECK(kind_at(0, "PK\3\4\x14") == content_kind::packed_data);
  CHECK(kind_at(0, "none of these") == content_kind::binary);
}

TEST_CASE("text that begins like something else stays text") {
  CHECK(kind_of_text("MZ is how programs of DOS begin") == content_kind::text);
  CHECK(kind_of_text("BM stands for bitmap") == content_kind::text);
  CHECK(kind_of_text("PACK my box") == content_kind::text);
  CHECK(kind_of_text("%PDF-1.4\n1 0 obj\n") == content_kind::document);
  CHECK(kind_of_text(std::string(1, '\0')) == content_kind::binary);
}

TEST_CASE("only the first bytes count, and a signature that is cut off does not") {
  std::string file(archive::kind_prefix_bytes, 'a');
  CHECK(kind_of_text(file + "\0"s) == content_kind::text);
  CHECK(kind_of_text("\x7f"
                     "EL"s +
                     '\0') == content_kind::binary);
  CHECK(kind_of_text("\x1f") == content_kind::binary);
}

TEST_CASE("checkpoints are known, also where their header is longer than the prefix") {
  const std::string header = R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})";
  std::string file(1, static_cast<char>(header.size()));
  file += std::string(7, '\0') + header + "\1\2\3\4";
  CHECK(kind_of_text(file) == content_kind::tensors);
  std::string large = "\0\1\1\0\0\0\0\0{"s + std::string(5000, ' ');
  const auto prefix = std::as_bytes(std::span(large)).first(archive::kind_prefix_bytes);
  CHECK(kind_of(prefix, 1'000'000) == content_kind::tensors);
  CHECK(kind_of(prefix, 5000) == content_kind::binary);  // the header would be longer than the file
}

TEST_CASE("any bytes are safe, and every kind has a name") {
  std::mt19937 generator(1);
  for (int run = 0; run < 2000; ++run) {
    std::string file(generator() % 300, '\0');
    for (char& c : file) c = static_cast<char>(generator());
    CHECK_FALSE(name_of(kind_of_text(file)).empty());
  }
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(content_kind::packed_data); ++kind)
    names.insert(name_of(static_cast<content_kind>(kind)));
  CHECK(names.size() == static_cast<std::size_t>(content_kind::packed_data) + 1);
  CHECK(names.count("unknown") == 0);
}

TEST_CASE("packed kinds are those that gain nothing from a codec") {
  CHECK(is_packed(content_kind::packed_data));
  CHECK(is_packed(content_kind::packed_picture));
  CHECK_FALSE(is_packed(content_kind::tensors));
  CHECK_FALSE(is_packed(content_kind::text));
}

TEST_CASE("extensions are in lower case and know shared libraries") {
  CHECK(extension_of("a/b.tar.GZ") == "gz");
  CHECK(extension_of("usr/lib/libz.so.1.2.13") == "so");
  CHECK(extension_of("usr/lib/libz.so") == "so");
  CHECK(extension_of("a.d/Makefile") == "");
  CHECK(extension_of(".bashrc") == "");
  CHECK(extension_of("a/.bashrc.old") == "old");
  CHECK(extension_of("x.") == "");
  CHECK(extension_of("x.a-very-long-extension") == "");
  CHECK(extension_of("") == "");
  CHECK(archive::base_name_of("a/b/c.h") == "c.h");
  CHECK(archive::base_name_of("c.h") == "c.h");
  CHECK(archive::base_name_of("a/") == "");
}

TEST_CASE("the order is by kind, then extension, then path, by bytes") {
  std::vector<archive::file_order> files = {
      order_of(content_kind::elf, "a"),         order_of(content_kind::text, "b/x.h"),
      order_of(content_kind::text, "a/y.h"),    order_of(content_kind::text, "a/x.h"),
      order_of(content_kind::text, "z/a.c"),    order_of(content_kind::text, "a/\xc3\xa4.c"),
      order_of(content_kind::packed_data, "0"), order_of(content_kind::text, "README"),
  };
  const std::vector<std::string> expected = {"README", "a/\xc3\xa4.c", "z/a.c", "a/x.h",
                                             "a/y.h",  "b/x.h",        "a",     "0"};
  std::mt19937 generator(2);
  for (int run = 0; run < 20; ++run) {
    std::shuffle(files.begin(), files.end(), generator);
    std::sort(files.begin(), files.end());
    std::vector<std::string> paths;
    for (const auto& file : files) paths.push_back(file.path);
    CHECK(paths == expected);
  }
  CHECK(order_of(content_kind::text, "a") != order_of(content_kind::text, "b"));
}
