// Entries of trees: stored and read again, and what is refused.

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "archive/tree/entry.h"
#include "archive/tree/entry_reader.h"
#include "archive/tree/entry_writer.h"
#include "archive/tree/known_entries.h"
#include "core/varint.h"

using namespace lmzip;
using namespace lmzip::tree;

namespace {

using bytes = std::vector<std::byte>;

bytes written(const entry& from) {
  bytes out;
  write_entry(out, from);
  return out;
}

entry through(const entry& from) {
  const bytes stored = written(from);
  cursor in(stored);
  const entry again = read_entry(in);
  CHECK(in.remaining() == 0);
  return again;
}

entry plain_file() {
  entry file;
  file.path = "home/me/a.txt";
  file.mode = 04644;
  file.owner = {1000, 100, "me", "users"};
  file.modified = {1'700'000'000, 123'456'789};
  file.bytes = 10;
  file.content = {{3, 1000, 4}, {3, 1004, 1}, {0, 7, 3}, {3, 2, 2}};
  return file;
}

entry sparse_file() {
  entry file = plain_file();
  file.bytes = std::uint64_t{1} << 40;
  file.has_holes = true;
  file.data = {{0, 4096}, {1 << 20, 4096}, {file.bytes - 1, 1}};
  file.content = {{0, 0, 8193}};
  return file;
}

entry link_to(std::string path, std::string target) {
  entry link;
  link.path = std::move(path);
  link.kind = entry_kind::hard_link;
  link.target = std::move(target);
  return link;
}

errc refusal_of(const bytes& stored) {
  try {
    cursor in(stored);
    read_entry(in);
  } catch (const error& cause) {
    return cause.code();
  }
  return errc{};
}

bool is_refused_by_writer(const entry& from) {
  try {
    written(from);
  } catch (const error& cause) {
    return cause.code() == errc::internal;
  }
  return false;
}

}  // namespace

TEST_CASE("entries of all kinds are read as they were written") {
  CHECK(through(plain_file()) == plain_file());
  CHECK(through(sparse_file()) == sparse_file());
  CHECK(through(link_to("b", "a")) == link_to("b", "a"));
  for (unsigned kind = 1; kind < entry_kinds; ++kind) {
    entry each;
    each.path = "x";
    each.kind = static_cast<entry_kind>(kind);
    if (each.kind == entry_kind::hard_link) continue;
    each.mode = 0700;
    each.links = 5;
    each.modified = {-1, 999'999'999};
    each.owner = {~0U, ~0U, "", std::string("\xff\x01", 2)};
    each.attributes = {{"system.posix_acl_access", std::string("\0\1", 2)}, {"user.x", ""}};
    if (each.kind == entry_kind::symbolic_link) each.target = "../../etc";
    if (kind == 4 || kind == 5) each.device_major = 8, each.device_minor = ~0U;
    CHECK(through(each) == each);
  }
}

TEST_CASE("an empty file and the tree's top are entries") {
  entry empty;
  empty.path = std::string("\xff \n", 3);
  CHECK(through(empty) == empty);
  entry top;
  top.kind = entry_kind::directory;
  CHECK(through(top) == top);
  top.kind = entry_kind::fifo;
  CHECK(is_refused_by_writer(top));
}

TEST_CASE("a stamp is read as it was written") {
  const stat_stamp stamp{{std::numeric_limits<std::int64_t>::min(), 5}, ~std::uint64_t{0}, 2049};
  bytes out;
  write_stamp(out, stamp);
  cursor in(out);
  CHECK(read_stamp(in) == stamp);
  CHECK(in.remaining() == 0);
}

TEST_CASE("a usual entry takes few bytes beside its path") {
  entry file = plain_file();
  file.content = {{3, 123'456'789, 10}};
  CHECK(written(file).size() - file.path.size() < 40);
}

TEST_CASE("only clean relative paths are paths of entries") {
  for (const char* good : {"", "a", "a/b", "...", "a/..b/c.", "\xff/\n"}) CHECK(is_entry_path(good));
  for (const char* bad : {"/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a/../b"})
    CHECK_FALSE(is_entry_path(bad));
  CHECK_FALSE(is_entry_path(std::string_view("a\0b", 3)));
  CHECK_FALSE(is_entry_path(std::string(max_path_bytes + 1, 'a')));
}

TEST_CASE("a directory comes before what it holds, and that before its neighbours") {
  const std::vector<std::string> sorted{"", "a", "a/b", "a/b/c", "a/b.", "a\x01", "a b", "a.b", "aa",
                                        "\xff"};
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      const int order = compare_paths(sorted[i], sorted[j]);
      CHECK((order < 0) == (i < j));
      CHECK((order > 0) == (i > j));
    }
  CHECK(is_below("a/b", "a"));
  CHECK_FALSE(is_below("ab", "a"));
  CHECK_FALSE(is_below("a", "a"));
  CHECK(parent_of("a/b/c") == "a/b");
  CHECK(parent_of("a").empty());
  CHECK(name_of("a/b/c") == "c");
  CHECK(name_of("a") == "a");
}

TEST_CASE("every cut of an entry is refused") {
  entry file = sparse_file();
  file.attributes = {{"user.a", "1"}};
  file.links = 2;
  const bytes stored = written(file);
  for (std::size_t size = 0; size < stored.size(); ++size)
    CHECK(refusal_of({stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(size)}) ==
          errc::truncated);
}

TEST_CASE("a flipped byte gives another valid entry or an error, never a surprise") {
  entry file = sparse_file();
  file.attributes = {{"user.a", "1"}, {"user.b", "22"}};
  const bytes stored = written(file);
  for (std::size_t at = 0; at < stored.size(); ++at)
    for (unsigned flip = 1; flip < 256; ++flip) {
      bytes changed = stored;
      changed[at] ^= static_cast<std::byte>(flip);
      cursor in(changed);
      try {
        const entry found = read_entry(in);
        const auto used = static_cast<std::ptrdiff_t>(in.position());
        CHECK(written(found) == bytes(changed.begin(), changed.begin() + used));
      } catch (const error& cause) {
        CHECK(cause.code() != errc::internal);
      }
    }
}

TEST_CASE("a later version is named as such") {
  bytes stored = written(plain_file());
  stored[1] = std::byte{0x10};
  CHECK(refusal_of(stored) == errc::unsupported);
}

TEST_CASE("the writer refuses what the reader would") {
  const auto changed = [](auto change) {
    entry file = sparse_file();
    change(file);
    return is_refused_by_writer(file);
  };
  CHECK(changed([](entry& e) { e.path = "/etc/passwd"; }));
  CHECK(changed([](entry& e) { e.path = "a/../../b"; }));
  CHECK(changed([](entry& e) { e.mode = 010000; }));
  CHECK(changed([](entry& e) { e.links = 0; }));
  CHECK(changed([](entry& e) { e.modified.nanoseconds = 1'000'000'000; }));
  CHECK(changed([](entry& e) { e.content.pop_back(); }));
  CHECK(changed([](entry& e) { e.data[1].offset = 4096; }));
  CHECK(changed([](entry& e) { e.data[2].bytes = 2; }));
  CHECK(changed([](entry& e) { e.attributes = {{"b", ""}, {"a", ""}}; }));
  CHECK(changed([](entry& e) { e.kind = entry_kind::fifo; }));
  CHECK(is_refused_by_writer(link_to("a", "b")));
  CHECK(is_refused_by_writer(link_to("a", "a")));
  CHECK(is_refused_by_writer(link_to("b", "../a")));
  CHECK(is_refused_by_writer(link_to("b", "/a")));
}

TEST_CASE("a stream of entries must be sorted and hold nothing below a file") {
  const auto read_all = [](const std::vector<std::pair<std::string, entry_kind>>& list) {
    bytes stored;
    for (const auto& [path, kind] : list) {
      entry each;
      each.path = path;
      each.kind = kind;
      if (kind == entry_kind::symbolic_link) each.target = "/";
      write_entry(stored, each);
    }
    entry_stream stream(stored);
    std::size_t count = 0;
    while (stream.next()) ++count;
    return count;
  };
  constexpr auto folder = entry_kind::directory;
  constexpr auto file = entry_kind::file;
  CHECK(read_all({{"", folder}, {"a", folder}, {"a/b", file}, {"a.b", file}}) == 4);
  CHECK(read_all({{"a/b", file}, {"a/c", file}}) == 2);
  CHECK_THROWS_AS(read_all({{"b", file}, {"a", file}}), error);
  CHECK_THROWS_AS(read_all({{"a", folder}, {"a", file}}), error);
  CHECK_THROWS_AS(read_all({{"a", file}, {"a/b", file}}), error);
  CHECK_THROWS_AS(read_all({{"a", entry_kind::symbolic_link}, {"a/b", file}}), error);
}

TEST_CASE("entries that another program has written are read") {
  // By tests/fuzz/make_tree_corpus.py, which knows only what entry_format.h says.
  std::ifstream in("tests/fuzz/corpus/tree/stream", std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  REQUIRE(text.size() > 1);
  entry_stream stream(std::as_bytes(std::span(text)).subspan(1));
  std::vector<entry> found;
  while (const auto next = stream.next()) found.push_back(*next);
  REQUIRE(found.size() == 9);
  CHECK(found[1].mode == 03755);
  CHECK(found[1].modified == io::file_time{1'700'000'000, 123'456'789});
  CHECK(found[2].content == std::vector<content_extent>{{3, 1000, 4}, {3, 1004, 1}, {0, 7, 5}});
  CHECK(found[2].owner == entry_owner{1000, 100, "me", "users"});
  CHECK(found[3].data == std::vector<data_range>{{4096, 10}, {4106 + (1U << 30), 7}});
  CHECK(found[4].attributes.size() == 2);
  CHECK(found[5].target == "a/d");
  CHECK(found[7].kind == entry_kind::character_device);
  CHECK(found[7].device_minor == 3);
  CHECK(found[8].path == "\xff");
}

TEST_CASE("known entries are found in their order") {
  std::vector<std::string> paths{"a", "a/b", "c", "d"};
  known_entries known([&, at = std::size_t{0}]() mutable -> std::optional<entry> {
    if (at == paths.size()) return std::nullopt;
    entry next;
    next.path = paths[at++];
    return next;
  });
  CHECK(known.find("") == nullptr);
  REQUIRE(known.find("a") != nullptr);
  CHECK(known.find("a")->path == "a");
  CHECK(known.find("a/a") == nullptr);
  CHECK(known.find("c") != nullptr);
  CHECK(known.find("e") == nullptr);
  CHECK(known.find("f") == nullptr);
}

TEST_CASE("numbers are stored in one way only") {
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128},
                                     std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    bytes out;
    write_varint(out, number);
    cursor in(out);
    CHECK(read_varint(in) == number);
    CHECK(from_zigzag(to_zigzag(static_cast<std::int64_t>(number))) ==
          static_cast<std::int64_t>(number));
  }
  const auto is_refused = [](std::initializer_list<int> list, std::uint64_t limit) {
    bytes stored;
    for (const int each : list) stored.push_back(static_cast<std::byte>(each));
    cursor in(stored);
    try {
      read_varint(in, limit);
    } catch (const error& cause) {
      return cause.code() == errc::damaged;
    }
    return false;
  };
  CHECK(is_refused({0x80, 0}, 1000));
  CHECK(is_refused({0x65}, 100));
  CHECK(is_refused({255, 255, 255, 255, 255, 255, 255, 255, 255, 2}, ~std::uint64_t{0}));
  CHECK(is_refused({255, 255, 255, 255, 255, 255, 255, 255, 255, 129, 0}, ~std::uint64_t{0}));
}
