// Walks through real trees, whatever happens to them meanwhile.

#include <errno.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <cstring>

#include "archive/tree/entry_writer.h"
#include "core/io/system_calls.h"
#include "tree_support.h"

using namespace lmzip;
using namespace lmzip::test;
using namespace lmzip::tree;

namespace {

/// Reads in small pieces, is interrupted, and fails where it is told to.
class failing_calls final : public io::system_calls {
 public:
  std::string failing_name;
  int reason = EIO;
  bool fails_reading = false;
  bool has_openat2 = true;

  int open_in(int directory, const char* name, int flags, mode_t mode) override {
    return fails(name) ? -1 : system_calls::open_in(directory, name, flags, mode);
  }
  int open_beneath(int directory, const char* path, int flags) override {
    if (has_openat2) return system_calls::open_beneath(directory, path, flags);
    errno = ENOSYS;
    return -1;
  }
  ssize_t read_at(int descriptor, void* data, size_t size, off_t offset) override {
    if (!fails_reading)
      return system_calls::read_at(descriptor, data, std::min<size_t>(size, 7), offset);
    errno = reason;
    return -1;
  }
  ssize_t read_entries(int directory, void* data, size_t size) override {
    if (interrupted++ % 2 == 0) {
      errno = EINTR;
      return -1;
    }
    return system_calls::read_entries(directory, data, size);
  }

 private:
  bool fails(const char* name) {
    errno = reason;
    return failing_name == name;
  }
  int interrupted = 0;
};

}  // namespace

TEST_CASE("a walk gives directories before what they hold, names in the order of their bytes") {
  const scratch_folder top;
  fs::create_directories(top / "b/c");
  for (const char* name : {"b/c/z", "b/c.x", "b!", "a", "\xff", "b/c/\n"}) put(top / name, name);
  const auto found = walked({top.path()});
  CHECK(names(found, top) == "a b b/c b/c/\n b/c/z b/c.x b! \xff");
  CHECK(found.problems.empty());
  CHECK(found.find(top.path().substr(1))->kind == entry_kind::directory);
  CHECK(found.contents.at(top.stored("b/c.x")) == "b/c.x");
}

TEST_CASE("a walk sees kinds, modes, owners, times, links and attributes") {
  const scratch_folder top;
  put(top / "file", "12345");
  ::chmod((top / "file").c_str(), 04751);
  const timespec times[2] = {{1, 2}, {1'234'567'890, 987'654'321}};
  ::utimensat(AT_FDCWD, (top / "file").c_str(), times, 0);
  fs::create_hard_link(top / "file", top / "link");
  fs::create_symlink("no/such", top / "symlink");
  ::mkfifo((top / "fifo").c_str(), 0640);
  const bool has_attributes = ::setxattr((top / "file").c_str(), "user.b", "\0x", 2, 0) == 0 &&
                              ::setxattr((top / "file").c_str(), "user.a", "", 0, 0) == 0;
  const auto found = walked({top.path()});
  const entry& file = *found.find(top.stored("file"));
  CHECK(file.kind == entry_kind::file);
  CHECK(file.mode == 04751);
  CHECK(file.bytes == 5);
  CHECK(file.links == 2);
  CHECK(file.owner.user == ::geteuid());
  if (is_root()) CHECK(file.owner.user_name == "root");
  CHECK(file.modified == io::file_time{1'234'567'890, 987'654'321});
  CHECK(file.stamp.inode == io::status_of(top / "file", false)->inode);
  if (has_attributes)
    CHECK(file.attributes ==
          std::vector<io::attribute>{{"user.a", ""}, {"user.b", std::string("\0x", 2)}});
  const entry& link = *found.find(top.stored("link"));
  CHECK(link.kind == entry_kind::hard_link);
  CHECK(link.target == top.stored("file"));
  CHECK(found.find(top.stored("symlink"))->target == "no/such");
  CHECK(found.find(top.stored("fifo"))->kind == entry_kind::fifo);
  CHECK(found.find(top.stored("fifo"))->mode == 0640);
}

TEST_CASE("devices are seen with their numbers") {
  const scratch_folder top;
  if (::mknod((top / "null").c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) return;
  ::mknod((top / "disk").c_str(), S_IFBLK | 0600, makedev(259, 70'000));
  const auto found = walked({top.path()});
  CHECK(found.find(top.stored("null"))->kind == entry_kind::character_device);
  CHECK(found.find(top.stored("null"))->device_minor == 3);
  CHECK(found.find(top.stored("disk"))->kind == entry_kind::block_device);
  CHECK(found.find(top.stored("disk"))->device_major == 259);
  CHECK(found.find(top.stored("disk"))->device_minor == 70'000);
}

TEST_CASE("sockets and the archive itself are left out with a note") {
  const scratch_folder top;
  const int handle = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (top / "socket").c_str(), sizeof address.sun_path - 1);
  REQUIRE(::bind(handle, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  ::close(handle);
  put(top / "backup.lmz", "x");
  walk_options options;
  options.left_out = {*io::status_of(top / "backup.lmz", true)};
  const auto found = walked({top.path()}, options);
  CHECK(names(found, top).empty());
  REQUIRE(found.problems.size() == 2);
  CHECK(problem_at(found, top / "socket")->kind == problem_kind::skipped);
  CHECK(problem_at(found, top / "backup.lmz")->kind == problem_kind::skipped);
}

TEST_CASE("holes are found, at the front, between and at the end") {
  const scratch_folder top;
  const int handle = ::open((top / "sparse").c_str(), O_CREAT | O_RDWR, 0600);
  const std::string block(65536, 'x');
  REQUIRE(::pwrite(handle, block.data(), block.size(), 1 << 20) == 65536);
  REQUIRE(::pwrite(handle, block.data(), 10, 3 << 20) == 10);
  REQUIRE(::ftruncate(handle, 5 << 20) == 0);
  ::close(handle);
  put(top / "full", block);
  const int empty = ::open((top / "hole").c_str(), O_CREAT | O_RDWR, 0600);
  REQUIRE(::ftruncate(empty, 100'000) == 0);
  ::close(empty);
  const auto found = walked({top.path()});
  const entry& sparse = *found.find(top.stored("sparse"));
  CHECK(sparse.bytes == 5 << 20);
  if (sparse.has_holes) {
    REQUIRE(sparse.data.size() == 2);
    CHECK(sparse.data[0] == data_range{1 << 20, 65536});
    CHECK(sparse.data[1].offset == 3 << 20);
    CHECK(found.contents.at(sparse.path).substr(0, 65546) == block + "xxxxxxxxxx");
    const entry& hole = *found.find(top.stored("hole"));
    CHECK(hole.data.empty());
    CHECK(data_bytes(hole) == 0);
  }
  CHECK_FALSE(found.find(top.stored("full"))->has_holes);
}

TEST_CASE("what an ordinary user cannot read is reported, and the walk goes on") {
  const scratch_folder top;
  fs::create_directories(top / "closed/inside");
  for (const char* name : {"a", "secret", "z"}) put(top / name, name);
  if (is_root())
    for (const char* name : {"a", "closed", "secret", "z"})
      REQUIRE(::chown((top / name).c_str(), 65534, 65534) == 0);
  ::chmod((top / "closed").c_str(), 0);
  ::chmod((top / "secret").c_str(), 0);
  CHECK(as_user([&]() -> std::string {
          const auto found = walked({top.path()});
          if (names(found, top) != "a closed z") return "found " + names(found, top);
          if (found.problems.size() != 2) return "other number of problems";
          const auto* first = problem_at(found, top / "closed");
          if (first == nullptr || first->kind != problem_kind::unreadable) return "closed";
          const auto* second = problem_at(found, top / "secret");
          if (second == nullptr || second->kind != problem_kind::unreadable) return "secret";
          return second->text == "cannot open: Permission denied" ? "" : second->text;
        }) == "");
  ::chmod((top / "closed").c_str(), 0700);
}

TEST_CASE("an ordinary user can read files of others, whose times of access then change") {
  const scratch_folder top;
  put(top / "a", "a");
  CHECK(as_user([&] { return names(walked({top.path()}), top) == "a" ? "" : "not found"; }) == "");
}

TEST_CASE("what goes away or changes between listing and opening is reported") {
  const scratch_folder top;
  for (const char* name : {"a", "b", "c", "d", "e"}) put(top / name, name);
  fs::create_directory(top / "f");
  collector found;
  found.on_found = [&](const entry& now) {
    if (now.path != top.stored("a")) return;
    fs::remove(top / "b");
    fs::remove(top / "c");
    fs::create_symlink("/etc/passwd", top / "c");
    fs::remove(top / "d");
    fs::create_directory(top / "d");
    fs::remove(top / "f");
  };
  walk(std::vector{top.path()}, {}, found);
  CHECK(names(found, top) == "a c d e");
  CHECK(found.find(top.stored("c"))->kind == entry_kind::symbolic_link);
  CHECK(problem_at(found, top / "b")->kind == problem_kind::vanished);
  CHECK(problem_at(found, top / "f")->kind == problem_kind::vanished);
}

TEST_CASE("what is replaced by a link between stat() and open() is never followed") {
  const scratch_folder top;
  put(top / "file", "a");
  fs::create_directory(top / "folder");
  fs::create_directory(top / "target");
  put(top / "target/x", "x");
  const std::string base = top.stored("file");
  collector found;
  found.on_found = [&](const entry& now) {
    if (now.path != base) return;
    fs::remove(top / "file");
    fs::create_symlink("/etc/passwd", top / "file");
    fs::remove(top / "folder");
    fs::create_directory_symlink(top / "target", top / "folder");
  };
  walk(std::vector{top.path()}, {}, found);
  CHECK(found.find(base) == nullptr);
  CHECK(problem_at(found, top / "file")->kind == problem_kind::vanished);
  CHECK(names(found, top) == "folder target target/x");
  CHECK(found.find(top.stored("folder"))->kind == entry_kind::symbolic_link);
}

TEST_CASE("a file that grows, shrinks or is written while it is read is noticed") {
  const scratch_folder top;
  const std::string text(5000, 'x');
  for (const char* name : {"grows", "shrinks", "stays", "touched"}) put(top / name, text);
  collector found;
  found.on_read = [&](const entry& now) {
    if (now.path == top.stored("grows")) std::ofstream(top / "grows", std::ios::app) << text;
    if (now.path == top.stored("shrinks")) fs::resize_file(top / "shrinks", 2500);
    const timespec times[2] = {{1, 2}, {3, 4}};
    if (now.path == top.stored("touched"))
      ::utimensat(AT_FDCWD, (top / "touched").c_str(), times, 0);
  };
  walk(std::vector{top.path()}, {}, found);
  using outcome = file_content::outcome;
  CHECK(found.outcomes.at(top.stored("grows")) == outcome::changed);
  CHECK(found.outcomes.at(top.stored("shrinks")) == outcome::changed);
  CHECK(found.outcomes.at(top.stored("touched")) == outcome::changed);
  CHECK(found.outcomes.at(top.stored("stays")) == outcome::as_listed);
  CHECK(found.find(top.stored("grows"))->bytes == 5000);
  CHECK(found.find(top.stored("shrinks"))->bytes == 2500);
  // Whatever happened to the file, its entry can be stored.
  std::vector<std::byte> stored;
  for (const entry& each : found.entries) write_entry(stored, each);
}

TEST_CASE("errors of the disk are reported and lose only what they hit") {
  const scratch_folder top;
  put(top / "a", "content of a");
  fs::create_hard_link(top / "a", top / "b");
  put(top / "c", "");
  failing_calls calls;
  walk_options options;
  options.calls = &calls;
  SUBCASE("short reads and interrupted calls are no errors") {
    const auto found = walked({top.path()}, options);
    CHECK(found.contents.at(top.stored("a")) == "content of a");
    CHECK(found.problems.empty());
  }
  SUBCASE("a file that cannot be read to its end is not stored, nor are its other names links") {
    calls.fails_reading = true;
    const auto found = walked({top.path()}, options);
    CHECK(found.outcomes.at(top.stored("a")) == file_content::outcome::failed);
    CHECK(found.outcomes.at(top.stored("b")) == file_content::outcome::failed);
    CHECK(names(found, top) == "c");
  }
  SUBCASE("a file that cannot be opened") {
    calls.failing_name = "a";
    const auto found = walked({top.path()}, options);
    CHECK(problem_at(found, top / "a")->text == "cannot open: Input/output error");
    CHECK(problem_at(found, top / "a")->kind == problem_kind::unreadable);
    CHECK(names(found, top) == "b c");
    CHECK(found.find(top.stored("b"))->kind == entry_kind::file);
  }
}

TEST_CASE("an error of the visitor ends the walk") {
  class failing final : public collector {
    bool store(entry&, io::file*) override {
      throw io::file_error("backup.lmz", "I/O error while writing", ENOSPC);
    }
  };
  const scratch_folder top;
  put(top / "a", "a");
  failing found;
  CHECK_THROWS_WITH_AS(walk(std::vector{top.path()}, {}, found),
                       "I/O error while writing: No space left on device", io::file_error);
  CHECK(found.problems.empty());
}

TEST_CASE("trees deeper than a path can be long, with names on the way back") {
  const scratch_folder top;
  constexpr int depth = 300;
  const std::string part(40, 'd');
  int at = ::open(top.path().c_str(), O_RDONLY);
  for (int i = 0; i < depth; ++i) {
    REQUIRE(::mkdirat(at, part.c_str(), 0700) == 0);
    ::close(::openat(at, "e", O_CREAT | O_WRONLY, 0600));
    const int next = ::openat(at, part.c_str(), O_RDONLY);
    ::close(at);
    at = next;
  }
  ::close(at);
  const auto found = walked({top.path()});
  CHECK(found.problems.empty());
  CHECK(found.entries.size() == 1 + 2 * depth);
  CHECK(std::is_sorted(
      found.entries.begin(), found.entries.end(),
      [](const entry& a, const entry& b) { return compare_paths(a.path, b.path) < 0; }));

  // Moved while the walk is below it: what was not seen yet is lost, and that is said.
  collector moved;
  moved.on_found = [&, steps = 0](const entry& now) mutable {
    if (now.kind != entry_kind::directory || ++steps != 200) return;
    fs::create_directory(top / "elsewhere");
    fs::rename(top / part + "/" + part, top / "elsewhere/d");
    fs::rename(top / part, top / "other");
  };
  walk(std::vector{top.path()}, {}, moved);
  REQUIRE(moved.problems.size() == 1);
  CHECK(moved.problems[0].path == top / part);
  CHECK(moved.problems[0].text == "moved while it was read");
  CHECK(moved.find(top.stored(part + "/" + part + "/e")) != nullptr);
  CHECK(moved.find(top.stored(part + "/e")) == nullptr);
  CHECK(moved.find(top.stored("e")) != nullptr);
}
