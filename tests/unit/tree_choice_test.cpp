// What a walk takes: arguments, patterns, caches, file systems, and files known already.

#include "archive/tree/roots.h"
#include "core/io/clock.h"
#include "lmzip/error.h"
#include "tree_support.h"

using namespace lmzip;
using namespace lmzip::test;
using namespace lmzip::tree;

namespace {

walk_options excluding(std::initializer_list<const char*> patterns) {
  walk_options options;
  for (const char* each : patterns) options.excluded.add(each);
  return options;
}

}  // namespace

TEST_CASE("patterns leave out names, paths and what directories hold") {
  const scratch_folder top;
  fs::create_directories(top / "x/cache/deep");
  fs::create_directories(top / "cache");
  for (const char* name : {"a.o", "x/b.o", "x/b.c", "x/cache/deep/f", "cache/g"})
    put(top / name, "");
  CHECK(names(walked({top.path()}, excluding({"*.o"})), top) ==
        "cache cache/g x x/b.c x/cache x/cache/deep x/cache/deep/f");
  CHECK(names(walked({top.path()}, excluding({"cache"})), top) == "a.o x x/b.c x/b.o");
  CHECK(names(walked({top.path()}, excluding({"x/cache", "b.?"})), top) == "a.o cache cache/g x");
  CHECK(names(walked({top.path()}, excluding({"b.c/", "cache/*"})), top) ==
        "a.o cache x x/b.c x/b.o x/cache");
  const std::string absolute = top / "cache";
  CHECK(names(walked({top.path()}, excluding({absolute.c_str(), "[!x].o"})), top) ==
        "x x/b.c x/cache x/cache/deep x/cache/deep/f");
}

TEST_CASE("what the user names is stored although something around it is left out") {
  const scratch_folder top;
  fs::create_directories(top / "out/way/in");
  for (const char* name : {"out/a", "out/way/b", "out/way/in/c", "z"}) put(top / name, "");
  const auto found = walked({top.path(), top / "out/way/in", top / "nothing"}, excluding({"out"}));
  CHECK(names(found, top) == "out/way/in out/way/in/c z");
  CHECK(problem_at(found, top / "nothing")->kind == problem_kind::missing);
  const auto itself = walked({top / "out"}, excluding({"out"}));
  CHECK(names(itself, top) == "out out/a out/way out/way/b out/way/in out/way/in/c");
}

TEST_CASE("of a cache only its tag is kept") {
  const scratch_folder top;
  fs::create_directories(top / "cache/x");
  fs::create_directories(top / "other");
  put(top / "cache/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n# more");
  put(top / "cache/a", "");
  put(top / "other/CACHEDIR.TAG", "no signature, but as long as one would have to be");
  put(top / "other/b", "");
  walk_options options;
  options.skip_caches = true;
  CHECK(names(walked({top.path()}, options), top) ==
        "cache cache/CACHEDIR.TAG other other/CACHEDIR.TAG other/b");
}

TEST_CASE("several paths are walked in one order, and each entry comes once") {
  const scratch_folder top;
  fs::create_directories(top / "b/c");
  for (const char* name : {"a", "b/c/d", "e"}) put(top / name, name);
  const auto found =
      walked({top / "e", top / "b", top / "b/c", top / "a", top / "b/", top / "missing"});
  CHECK(names(found, top) == "a b b/c b/c/d e");
  CHECK(problem_at(found, top / "missing")->kind == problem_kind::missing);
  CHECK(found.problems.size() == 1);
}

TEST_CASE("two different files under one name are refused") {
  const scratch_folder top;
  fs::create_directories(top / "x");
  const fs::path before = fs::current_path();
  fs::current_path(top / "x");
  CHECK_THROWS_AS(walked({"..", "/etc"}), error);
  CHECK_THROWS_AS(walked({"..", "."}), error);
  CHECK_NOTHROW(walked({".", "./"}));
  fs::current_path(before);
  CHECK_THROWS_AS(walked({""}), error);
}

TEST_CASE("arguments are stored without what leads out of the tree") {
  CHECK(stored_path_of("/home/me/") == "home/me");
  CHECK(stored_path_of("./a//b/./c") == "a/b/c");
  CHECK(stored_path_of("../../src/x") == "src/x");
  CHECK(stored_path_of("a/../b") == "b");
  CHECK(stored_path_of("/") == "");
  CHECK(stored_path_of(".") == "");
}

TEST_CASE("a link is stored as such, unless the argument says that a directory is meant") {
  const scratch_folder top;
  fs::create_directory(top / "real");
  put(top / "real/a", "");
  fs::create_directory_symlink("real", top / "link");
  CHECK(names(walked({top / "link"}), top) == "link");
  CHECK(names(walked({top / "link/"}), top) == "link link/a");
  CHECK(names(walked({top / "link/a"}), top) == "link/a");
}

TEST_CASE("another file system is entered unless told not to") {
  if (!is_root()) return;
  const auto device_of = [](const char* path) { return io::status_of(path, true)->device; };
  if (device_of("/dev") == device_of("/dev/shm")) return;
  const std::string name = "/dev/shm/lmzip-tree-test-" + std::to_string(::getpid());
  put(name, "x");
  walk_options options = excluding({"/dev/*"});
  options.excluded = {};
  options.one_file_system = true;
  const auto outside = walked({"/dev"}, options);
  CHECK(outside.find("dev/shm") != nullptr);
  CHECK(outside.find(name.substr(1)) == nullptr);
  // Named itself, it is entered.
  const auto named = walked({"/dev", "/dev/shm"}, options);
  CHECK(named.find(name.substr(1)) != nullptr);
  fs::remove(name);
}

TEST_CASE("unchanged files are recognised, and what could have changed in the same tick is not") {
  const scratch_folder top;
  for (const char* name : {"a", "b", "c", "d"}) put(top / name, "old");
  ::usleep(20'000);
  auto first = walked({top.path()});
  const io::file_time start = io::file_clock();
  const auto again = [&] {
    collector next;
    for (const entry& each : first.entries) next.previous[each.path] = each;
    next.previous_start = start;
    walk(std::vector{top.path()}, {}, next);
    return next;
  };
  auto second = again();
  CHECK(second.reused == 5);
  CHECK(second.contents.empty());
  CHECK(second.entries == first.entries);

  put(top / "a", "new");  // same size
  const timespec times[2] = {{1, 2}, {1, 2}};
  ::utimensat(AT_FDCWD, (top / "b").c_str(), times, 0);
  ::chmod((top / "c").c_str(), 0600);
  const auto third = again();
  CHECK(third.contents.size() == 3);
  CHECK(third.find(top.stored("c"))->mode == 0600);
}

TEST_CASE("only times older than the start of the previous snapshot are certain") {
  entry previous;
  previous.path = "a";
  previous.modified = {100, 5};
  previous.stamp = {{100, 5}, 7, 8};
  entry found = previous;
  found.stamp.device = 9;
  CHECK(is_unchanged(previous, found, {100, 6}));
  CHECK_FALSE(is_unchanged(previous, found, {100, 5}));
  CHECK_FALSE(is_unchanged(previous, found, {99, 0}));
  // A file system that stores whole seconds may mean any time up to two later.
  previous.modified = found.modified = {100, 0};
  CHECK_FALSE(is_unchanged(previous, found, {101, 999}));
  CHECK(is_unchanged(previous, found, {102, 0}));
  const auto changed = [&](auto change) {
    entry other = found;
    change(other);
    return !is_unchanged(previous, other, {200, 0});
  };
  CHECK_FALSE(changed([](entry&) {}));
  CHECK(changed([](entry& e) { e.bytes = 1; }));
  CHECK(changed([](entry& e) { e.modified.nanoseconds = 1; }));
  CHECK(changed([](entry& e) { e.stamp.changed.seconds = 101; }));
  CHECK(changed([](entry& e) { e.stamp.inode = 1; }));
  CHECK(changed([](entry& e) { e.kind = entry_kind::fifo; }));
}
