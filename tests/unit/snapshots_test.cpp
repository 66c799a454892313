#include "archive/snapshots/snapshot_archive.h"

#include <string>
#include <vector>

#include "archive/snapshots/snapshot_writer.h"
#include "archive/snapshots/tree_reader.h"
#include "archive/tree/restorer.h"
#include "core/io/file_stream.h"
#include "engine/block_io.h"
#include "engine/decompressor.h"
#include "engine/ordered_work.h"
#include "lmzip/error.h"
#include "tests/unit/tree_support.h"

using namespace lmzip;
using namespace lmzip::archive;
using test::get;
using test::put;
using test::scratch_folder;

namespace {

std::string numbers(unsigned seed, std::size_t lines) {
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) {
    seed = seed * 1664525 + 1013904223;
    text += std::to_string(seed) + " line\n";
  }
  return text;
}

snapshot_options small() {
  snapshot_options options;
  options.level = 1;
  options.block_bytes = 65536;
  return options;
}

snapshot_report add(const std::string& archive, const std::string& tree, bool is_new = false) {
  const std::vector<std::string> paths = {tree};
  return (is_new ? create_snapshots : add_snapshot)(archive, paths, small(), nullptr);
}

/// Paths of files with what they hold.
std::map<std::string, std::string> files_of(snapshot_archive& from, std::size_t number) {
  std::map<std::string, std::string> files;
  const snapshot& of = from.snapshots().at(number);
  tree_reader entries(from, of);
  std::uint64_t count = 0;
  while (const auto each = entries.next()) {
    ++count;
    if (each->kind != tree::entry_kind::file) continue;
    engine::vector_sink to;
    from.write_content(of, *each, to);
    files[std::string(tree::name_of(each->path))] =
        std::string(reinterpret_cast<const char*>(to.bytes.data()), to.bytes.size());
  }
  CHECK(count == of.root.counts.entries);
  return files;
}

struct three_snapshots {
  scratch_folder folder;
  std::string tree = folder / "tree";
  std::string archive = folder / "a.lmz";
  std::map<std::string, std::string> first, second, third;
  snapshot_report created, unchanged, changed;

  three_snapshots() {
    test::fs::create_directory(tree);
    first = {{"a.txt", numbers(1, 20000)}, {"b.bin", std::string(100000, '\7')}, {"empty", ""}};
    for (const auto& [name, text] : first) put(tree + "/" + name, text);
    created = add(archive, tree, true);
    second = first;
    unchanged = add(archive, tree);
    third = first;
    third.erase("a.txt");
    test::fs::rename(tree + "/a.txt", tree + "/renamed.txt");
    third["renamed.txt"] = first["a.txt"];
    third["new"] = numbers(2, 3000);
    put(tree + "/new", third["new"]);
    changed = add(archive, tree);
  }
};

}  // namespace

TEST_CASE("every snapshot gives back its tree, and only what is new takes room") {
  three_snapshots made;
  CHECK(made.unchanged.counts.new_bytes < 1000);
  CHECK(made.changed.counts.new_bytes < made.third["new"].size() + 2000);
  CHECK(made.changed.counts.saved_bytes >= made.first["a.txt"].size());
  snapshot_archive read(made.archive);
  REQUIRE(read.snapshots().size() == 3);
  CHECK(files_of(read, 0) == made.first);
  CHECK(files_of(read, 1) == made.second);
  CHECK(files_of(read, 2) == made.third);
  CHECK(read.snapshots()[2].id == made.changed.id);
}

TEST_CASE("an append cut anywhere leaves earlier snapshots, and the next one cuts what is left") {
  three_snapshots made;
  const std::string whole = get(made.archive);
  const auto third = whole.size() - made.changed.coded_bytes;
  for (std::size_t size = third; size < whole.size(); size += 1 + (whole.size() - third) / 40) {
    CAPTURE(size);
    put(made.archive, whole.substr(0, size));
    {
      snapshot_archive read(made.archive);
      REQUIRE(read.snapshots().size() == 2);
      CHECK(files_of(read, 1) == made.second);
    }
    const auto report = add(made.archive, made.tree);
    CHECK(report.cut_bytes == size - third);
    snapshot_archive again(made.archive);
    REQUIRE(again.snapshots().size() == 3);
    CHECK(files_of(again, 2) == made.third);
  }
}

TEST_CASE("other data behind the archive are not cut") {
  three_snapshots made;
  const std::string with_tail = get(made.archive) + "notes";
  put(made.archive, with_tail);
  CHECK_THROWS_WITH_AS(add(made.archive, made.tree), "trailing data is not in lmzip format", error);
  CHECK(get(made.archive) == with_tail);
}

TEST_CASE("streams are not made of trees, but trees can be tested") {
  three_snapshots made;
  const std::string text = get(made.archive);
  const auto bytes = std::as_bytes(std::span(text));
  try {
    engine::decompress(bytes, {}, engine::run_sequential);
    FAIL("decoded a tree");
  } catch (const error& cause) {
    CHECK(cause.code() == errc::usage);
    CHECK(std::string(cause.what()) == "holds a tree: use lmzip extract");
  }
  decompress_options options;
  options.trees = true;
  CHECK(engine::decompress(bytes, options, engine::run_sequential).size() ==
        made.created.counts.new_bytes + made.unchanged.counts.new_bytes +
            made.changed.counts.new_bytes);
}

TEST_CASE("a damaged root is refused") {
  three_snapshots made;
  snapshot_archive read(made.archive);
  const root_record& root = read.snapshots()[2].root;
  const auto bytes = write_root(root);
  CHECK(read_root(bytes, root.counts.new_bytes) == root);
  CHECK_THROWS_AS(read_root(bytes, root.counts.new_bytes + 1), error);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(read_root(std::span(bytes).first(size), root.counts.new_bytes), error);
}
