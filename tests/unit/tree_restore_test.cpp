// Trees restored: equal to what was walked, and never anything outside the target.

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/sysmacros.h>

#include <chrono>
#include <cstring>
#include <optional>

#include "archive/tree/entry_reader.h"
#include "archive/tree/entry_writer.h"
#include "archive/tree/restorer.h"
#include "core/io/system_calls.h"
#include "lmzip/error.h"
#include "tree_support.h"

using namespace lmzip;
using namespace lmzip::test;
using namespace lmzip::tree;

namespace {

using outcome = restorer::outcome;

struct restoring {
  std::vector<std::string> failures;  ///< "path: text"
  std::vector<std::string> losses;
  std::size_t copies = 0;
};

/// Restores what `from` has found, below `prefix`, which is cut off.
restoring restore(const collector& from, const std::string& prefix, const std::string& target,
                  const restore_options& options = {}) {
  restoring done;
  restorer to(target, options, [&](loss, const std::string& path, const std::string& text) {
    done.losses.push_back(path + ": " + text);
  });
  const auto cut = [&](const std::string& path) {
    return path.size() <= prefix.size() ? "" : path.substr(prefix.size() + 1);
  };
  for (entry each : from.entries) {
    const auto content = from.contents.find(each.path);
    each.path = cut(each.path);
    if (each.kind == entry_kind::hard_link) each.target = cut(each.target);
    try {
      const auto result = to.restore(each, [&](sink& out) {
        out.write(std::as_bytes(std::span(content->second)));
      });
      done.copies += result == outcome::needs_copy ? 1 : 0;
    } catch (const io::file_error& cause) {
      done.failures.push_back(cause.path() + ": " + cause.what());
    }
  }
  for (const auto& each : to.finish()) done.failures.push_back(each.path() + ": " + each.what());
  return done;
}

/// Entries below a folder, as they would be if it were the top, without what no restoring keeps.
std::vector<entry> comparable(const collector& from, const std::string& prefix) {
  std::vector<entry> all = from.entries;
  for (entry& each : all) {
    const auto cut = [&](const std::string& path) {
      return path.size() <= prefix.size() ? "" : path.substr(prefix.size() + 1);
    };
    each.path = cut(each.path);
    if (each.kind == entry_kind::hard_link) each.target = cut(each.target);
    each.stamp = {};
  }
  return all;
}

void check_equal(const std::vector<entry>& a, const std::vector<entry>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO(a[i].path);
    CHECK(a[i].path == b[i].path);
    CHECK(a[i].kind == b[i].kind);
    CHECK(a[i].mode == b[i].mode);
    CHECK(a[i].owner == b[i].owner);
    CHECK(a[i].modified == b[i].modified);
    CHECK(a[i].attributes == b[i].attributes);
    CHECK(a[i].data == b[i].data);
    CHECK(a[i] == b[i]);
  }
}

/// Walks a folder, restores it elsewhere, walks that, and compares all.
restoring round_trip(const std::string& from, const std::string& to,
                     const restore_options& options = {}) {
  const auto before = walked({from});
  const auto done = restore(before, from.substr(1), to, options);
  const auto after = walked({to});
  CHECK(before.problems.empty());
  CHECK(after.problems.empty());
  check_equal(comparable(before, from.substr(1)), comparable(after, to.substr(1)));
  for (const auto& [path, text] : before.contents)
    CHECK(after.contents.at(to.substr(1) + path.substr(from.size() - 1)) == text);
  return done;
}

std::string acl(unsigned user, unsigned permissions, unsigned of_owner = 6) {
  // Version 2, then tag, permissions and id of each: owner, a user, group, mask, others.
  const unsigned entries[][3] = {{1, of_owner, ~0U},           {2, permissions, user}, {4, 4, ~0U},
                                 {16, permissions, ~0U}, {32, 0, ~0U}};
  std::string value("\2\0\0\0", 4);
  for (const auto& each : entries)
    for (unsigned i = 0; i < 3; ++i)
      for (unsigned byte = 0; byte < (i < 2 ? 2U : 4U); ++byte)
        value += static_cast<char>(each[i] >> (8 * byte));
  return value;
}

void make_tree(const std::string& top) {
  fs::create_directories(top + "/a/b/c");
  put(top + "/a/file", "content");
  put(top + "/a/b/empty", "");
  put(top + "/z", std::string(200'000, 'z'));
  fs::create_hard_link(top + "/a/file", top + "/a/b/link");
  fs::create_hard_link(top + "/a/file", top + "/link");
  fs::create_symlink("../nowhere", top + "/a/symlink");
  fs::create_hard_link(top + "/a/symlink", top + "/b-symlink");
  ::mkfifo((top + "/fifo").c_str(), 0604);
  ::chmod((top + "/fifo").c_str(), 0604);
  const int sparse = ::open((top + "/sparse").c_str(), O_CREAT | O_WRONLY, 0600);
  (void)!::pwrite(sparse, "data", 4, 1 << 20);
  (void)!::ftruncate(sparse, 3 << 20);
  ::close(sparse);
  for (const char* name : {"a/file", "a"})
    ::setxattr((top + "/" + name).c_str(), "user.note", "x\0y", 3, 0);
  const std::string list = acl(12'345, 6);
  ::setxattr((top + "/a/file").c_str(), "system.posix_acl_access", list.data(), list.size(), 0);
  ::setxattr((top + "/a/b").c_str(), "system.posix_acl_default", list.data(), list.size(), 0);
  ::chmod((top + "/z").c_str(), 04444);
  ::chmod((top + "/a/b/c").c_str(), 03555);
  ::chmod((top + "/a/b").c_str(), 0500);
  const timespec times[2] = {{1, 2}, {1'000'000'000, 123'456'789}};
  for (const char* name : {"a/file", "a/symlink", "fifo", "a/b/c", "a/b", "a", ""})
    ::utimensat(AT_FDCWD, (top + "/" + name).c_str(), times, AT_SYMLINK_NOFOLLOW);
}

entry file_at(const std::string& path, const std::string& text) {
  entry file;
  file.path = path;
  file.mode = 0644;
  file.bytes = text.size();
  if (!text.empty()) file.content = {{0, 0, text.size()}};
  return file;
}

entry link_at(const std::string& path, const std::string& target) {
  entry link;
  link.path = path;
  link.kind = entry_kind::symbolic_link;
  link.target = target;
  return link;
}

entry folder_at(const std::string& path) {
  entry folder;
  folder.path = path;
  folder.kind = entry_kind::directory;
  folder.mode = 0755;
  return folder;
}

restorer::content_writer text(const std::string& content) {
  return [content](sink& out) { out.write(std::as_bytes(std::span(content))); };
}

/// Has no openat2().
class old_kernel final : public io::system_calls {
  int open_beneath(int, const char*, int) override {
    errno = ENOSYS;
    return -1;
  }
};

std::size_t entries_in(const std::string& path) {
  return static_cast<std::size_t>(
      std::distance(fs::recursive_directory_iterator(path), fs::recursive_directory_iterator()));
}

int reason_of(restorer& to, const entry& from) {
  try {
    to.restore(from, text("evil"));
  } catch (const io::file_error& cause) {
    return cause.reason();
  }
  return 0;
}

}  // namespace

TEST_CASE("a tree with all kinds of entries comes back equal") {
  const scratch_folder top;
  make_tree(top / "from");
  if (is_root()) {
    REQUIRE(::mknod((top / "from/null").c_str(), S_IFCHR | 0666, makedev(1, 3)) == 0);
    REQUIRE(::lchown((top / "from/a/symlink").c_str(), 1234, 4321) == 0);
    REQUIRE(::chown((top / "from/z").c_str(), 1234, 0) == 0);
    ::chmod((top / "from/z").c_str(), 06444);
  }
  const auto done = round_trip(top / "from", top / "new/to");
  CHECK(done.failures.empty());
  CHECK(done.losses.empty());
  CHECK(done.copies == 0);
  CHECK(fs::hard_link_count(top / "new/to/link") == 3);
}

TEST_CASE("a tree of an ordinary user comes back equal") {
  const scratch_folder top;
  if (is_root()) REQUIRE(::chown(top.path().c_str(), 65534, 65534) == 0);
  CHECK(as_user([&]() -> std::string {
          make_tree(top / "from");
          const auto before = walked({top / "from"});
          const auto done = restore(before, top.stored("from"), top / "to");
          const auto after = walked({top / "to"});
          if (!done.failures.empty()) return done.failures[0];
          if (!done.losses.empty()) return done.losses[0];
          const auto a = comparable(before, top.stored("from"));
          const auto b = comparable(after, top.stored("to"));
          for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            if (!(a[i] == b[i])) return "differs: " + a[i].path;
          return a.size() == b.size() ? "" : "other number of entries";
        }) == "");
}

TEST_CASE("attributes come back although the mode or an ACL forbids writing") {
  const scratch_folder top;
  if (is_root()) REQUIRE(::chown(top.path().c_str(), 65534, 65534) == 0);
  CHECK(as_user([&]() -> std::string {
          entry file = file_at("a", "");
          file.mode = 0440;
          file.owner = {::geteuid(), ::getegid(), "", ""};
          file.attributes = {{"system.posix_acl_access", acl(12'345, 4, 4)}, {"user.x", "1"}};
          const std::string probe = top / "probe";
          put(probe, "");
          if (::setxattr(probe.c_str(), "user.x", "1", 1, 0) != 0) return "";
          std::string lost;
          restorer to(top / "to", {}, [&](loss, const std::string&, const std::string& what) {
            lost += what;
          });
          to.restore(file, nullptr);
          to.finish();
          const auto found = walked({top / "to"});
          if (found.find(top.stored("to/a"))->attributes != file.attributes) lost += " differs";
          return lost;
        }) == "");
}

TEST_CASE("what an ordinary user may not restore is said once a kind") {
  if (!is_root()) return;
  const scratch_folder top;
  fs::create_directory(top / "from");
  for (const char* name : {"from/a", "from/b", "from/c"}) {
    put(top / name, name);
    ::chmod((top / name).c_str(), 06755);
  }
  for (const char* name : {"from/n1", "from/n2"})
    REQUIRE(::mknod((top / name).c_str(), S_IFCHR | 0666, makedev(1, 3)) == 0);
  ::setxattr((top / "from/a").c_str(), "trusted.x", "1", 1, 0);
  ::setxattr((top / "from/b").c_str(), "trusted.x", "1", 1, 0);
  const auto before = walked({top / "from"});
  fs::create_directory(top / "for-user");
  REQUIRE(::chown((top / "for-user").c_str(), 65534, 65534) == 0);
  CHECK(as_user([&]() -> std::string {
          const auto done = restore(before, top.stored("from"), top / "for-user/to");
          std::string all;
          for (const auto& each : done.losses) all += each.substr(top.path().size()) + "\n";
          for (const auto& each : done.failures) all += "failed " + each + "\n";
          const std::string to = "/for-user/to";
          const std::string refused = ": Operation not permitted\n";
          const std::string expected =
              to + "/a: cannot set owner" + refused + to + "/a: cannot set attribute trusted.x" +
              refused + to + "/a: set-user-id or set-group-id left out\n" + to +
              "/n1: not restored" + refused;
          return all == expected ? "" : all;
        }) == "");
  CHECK(get(top / "for-user/to/b") == "from/b");
  CHECK(io::status_of(top / "for-user/to/b", false)->mode == 0755);
  CHECK(io::status_of(top / "for-user/to/b", false)->owner == 65534);
}

TEST_CASE("owners are found by name first, then by number") {
  if (!is_root()) return;
  const scratch_folder top;
  entry file = file_at("a", "");
  file.owner = {4711, 4712, "nobody", "no-such-group"};
  restorer(top / "names", {}, nullptr).restore(file, nullptr);
  CHECK(io::status_of(top / "names/a", false)->owner == 65534);
  CHECK(io::status_of(top / "names/a", false)->group == 4712);
  restorer(top / "numbers", {.numeric_owners = true}, nullptr).restore(file, nullptr);
  CHECK(io::status_of(top / "numbers/a", false)->owner == 4711);
}

TEST_CASE("names of all bytes come back") {
  const scratch_folder top;
  fs::create_directory(top / "from");
  for (int byte = 1; byte < 256; ++byte)
    if (byte != '/') put(top / "from/x" + static_cast<char>(byte), std::string(1, static_cast<char>(byte)));
  CHECK(round_trip(top / "from", top / "to").failures.empty());
}

TEST_CASE("trees deeper than a path can be long come back, with openat2() and without") {
  old_kernel old;
  const scratch_folder top;
  std::vector<entry> chain;
  std::string path(50, 'x');
  for (int i = 0; i < 200; ++i) {
    chain.push_back(folder_at(path));
    chain.push_back(file_at(path + "/z", "deep"));
    path += "/" + std::string(50, 'x');
  }
  std::sort(chain.begin(), chain.end(),
            [](const entry& a, const entry& b) { return compare_paths(a.path, b.path) < 0; });
  for (io::system_calls* calls : {static_cast<io::system_calls*>(nullptr),
                                  static_cast<io::system_calls*>(&old)}) {
    const std::string target = top / (calls == nullptr ? "new" : "old");
    restorer to(target, {.calls = calls}, nullptr);
    for (const entry& each : chain) to.restore(each, text("deep"));
    CHECK(to.finish().empty());
    const auto found = walked({target});
    CHECK(found.entries.size() == 401);
    CHECK(found.problems.empty());
  }
}

TEST_CASE("entries may come in any order") {
  const scratch_folder top;
  make_tree(top / "from");
  auto before = walked({top / "from"});
  const auto sorted = before.entries;
  // Links need their targets; all else is turned round.
  std::stable_partition(before.entries.begin(), before.entries.end(),
                        [](const entry& each) { return each.kind != entry_kind::hard_link; });
  const auto links = std::find_if(before.entries.begin(), before.entries.end(), [](const entry& e) {
    return e.kind == entry_kind::hard_link;
  });
  std::reverse(before.entries.begin(), links);
  const auto done = restore(before, top.stored("from"), top / "to");
  CHECK(done.failures.empty());
  before.entries = sorted;
  check_equal(comparable(before, top.stored("from")),
              comparable(walked({top / "to"}), top.stored("to")));
}

TEST_CASE("what exists is kept unless it may be replaced, and directories always stay") {
  const scratch_folder top;
  fs::create_directories(top / "to/folder");
  fs::create_directories(top / "to/kept");
  ::chmod((top / "to/folder").c_str(), 0711);
  put(top / "outside", "outside");
  put(top / "to/file", "old");
  put(top / "to/linked", "old");
  fs::create_hard_link(top / "to/linked", top / "to/other");
  fs::create_symlink(top / "outside", top / "to/symlink");
  fs::create_directory_symlink(top.path(), top / "to/way");
  SUBCASE("kept") {
    restorer to(top / "to", {}, nullptr);
    for (const char* path : {"file", "symlink", "linked"}) {
      CHECK(reason_of(to, file_at(path, "evil")) == EEXIST);
      CHECK(reason_of(to, link_at(path, "x")) == EEXIST);
    }
    CHECK(reason_of(to, file_at("folder", "evil")) == EEXIST);
    bool was_asked = false;
    CHECK_THROWS_AS(to.restore(file_at("file", "evil"), [&](sink&) { was_asked = true; }),
                    io::file_error);
    CHECK_FALSE(was_asked);
    CHECK(reason_of(to, folder_at("file")) == EEXIST);
    CHECK(reason_of(to, folder_at("way")) == EEXIST);
    CHECK(reason_of(to, folder_at("folder")) == 0);
    CHECK(to.finish().empty());
    CHECK(get(top / "to/file") == "old");
    CHECK(io::status_of(top / "to/folder", false)->mode == 0711);
    CHECK(entries_in(top / "to") == 7);
  }
  SUBCASE("replaced") {
    restorer to(top / "to", {.replace = true}, nullptr);
    for (const char* path : {"file", "symlink", "linked"})
      CHECK(reason_of(to, file_at(path, "evil")) == 0);
    CHECK(reason_of(to, file_at("folder", "evil")) == EISDIR);
    CHECK(reason_of(to, folder_at("folder")) == 0);
    CHECK(reason_of(to, folder_at("way")) == 0);
    CHECK(reason_of(to, file_at("way/in", "evil")) == 0);
    CHECK(to.finish().empty());
    CHECK(get(top / "to/symlink") == "evil");
    CHECK(get(top / "to/linked") == "evil");
    CHECK(get(top / "to/other") == "old");
    CHECK(io::status_of(top / "to/folder", false)->mode == 0755);
    CHECK(entries_in(top / "to") == 8);
  }
  CHECK(get(top / "outside") == "outside");
  CHECK_FALSE(fs::exists(top / "in"));
}

TEST_CASE("nothing is written through a link that the archive has planted") {
  const scratch_folder top;
  fs::create_directories(top / "outside/sub");
  old_kernel old;
  for (const int round : {0, 1, 2, 3}) {
    const bool replace = round % 2 == 1;
    io::system_calls* calls = round < 2 ? nullptr : &old;
    restorer to(top / "to" + std::to_string(round), {.replace = replace, .calls = calls}, nullptr);
    CHECK(to.restore(link_at("x", top / "outside"), nullptr) == outcome::restored);
    CHECK(to.restore(link_at("y", "../outside"), nullptr) == outcome::restored);
    CHECK(to.restore(link_at("z", "."), nullptr) == outcome::restored);
    for (const char* path : {"x/file", "y/file", "y/sub/file", "y/new/file", "z/file"}) {
      const int reason = reason_of(to, file_at(path, "evil"));
      CHECK((reason == ELOOP || reason == ENOTDIR));
    }
    CHECK(reason_of(to, folder_at("x/folder")) != 0);
    CHECK(reason_of(to, link_at("x/link", "a")) != 0);
    // A directory entry for a path that is a link makes no directory of what that points to.
    if (!replace) CHECK(reason_of(to, folder_at("x")) == EEXIST);
    to.finish();
  }
  CHECK(entries_in(top / "outside") == 1);
}

TEST_CASE("paths that lead out are refused whoever made them") {
  const scratch_folder top;
  restorer to(top / "to", {}, nullptr);
  for (const std::string& path :
       {std::string("/etc/lmzip-evil"), std::string("../evil"), std::string("a/../../evil"),
        std::string("a//b"), std::string("."), std::string(".."), std::string("a/."),
        std::string("a\0b", 3), std::string("")}) {
    CHECK_THROWS_AS(to.restore(file_at(path, "evil"), text("evil")), error);
    if (!path.empty()) CHECK_THROWS_AS(to.restore(folder_at(path), nullptr), error);
    CHECK_THROWS_AS(to.restore(link_at(path, "x"), nullptr), error);
  }
  to.finish();
  CHECK(entries_in(top / "to") == 0);
  CHECK(entries_in(top.path()) == 1);
}

TEST_CASE("hard links lead to restored files only") {
  const scratch_folder top;
  put(top / "outside", "outside");
  fs::create_directory(top / "to");
  put(top / "to/was-there", "old");
  restorer to(top / "to", {}, nullptr);
  entry file = file_at("a", "evil");
  file.links = 2;
  CHECK(to.restore(file, text("evil")) == outcome::restored);
  entry link = file_at("b", "");
  link.kind = entry_kind::hard_link;
  for (const char* target : {"was-there", "../outside", "/etc/passwd", "no-such"}) {
    link.target = target;
    CHECK(to.restore(link, nullptr) == outcome::needs_copy);
  }
  link.target = "a";
  CHECK(to.restore(link, nullptr) == outcome::restored);
  CHECK(fs::hard_link_count(top / "to/a") == 2);

  // Replaced meanwhile by something else, the target is not linked.
  link.path = "c";
  fs::remove(top / "to/a");
  fs::create_hard_link(top / "outside", top / "to/a");
  CHECK_THROWS_AS(to.restore(link, nullptr), io::file_error);
  fs::remove(top / "to/a");
  fs::create_symlink(top / "outside", top / "to/a");
  CHECK_THROWS_AS(to.restore(link, nullptr), io::file_error);
  to.finish();
  CHECK_FALSE(fs::exists(top / "to/c"));
  CHECK(fs::hard_link_count(top / "outside") == 1);
}

TEST_CASE("a directory that is replaced by a link during the restore leads nowhere") {
  const scratch_folder top;
  fs::create_directories(top / "outside/y");
  old_kernel old;
  io::system_calls* calls = nullptr;
  SUBCASE("with openat2()") {}
  SUBCASE("without") { calls = &old; }
  restorer to(top / "to", {.calls = calls}, nullptr);
  to.restore(folder_at("x"), nullptr);
  to.restore(folder_at("x/y"), nullptr);
  to.restore(folder_at("z"), nullptr);
  const entry file = file_at("x/y/a", "evil");
  // While the content of a file comes: it goes to where the directory is now.
  to.restore(file, [&](sink& out) {
    fs::rename(top / "to/x", top / "to/moved");
    fs::create_directory_symlink(top / "outside", top / "to/x");
    out.write(std::as_bytes(std::span("evil", 4)));
  });
  CHECK(get(top / "to/moved/y/a") == "evil");
  to.restore(file_at("z/b", "evil"), text("evil"));
  CHECK(reason_of(to, file_at("x/y/c", "evil")) != 0);
  CHECK(reason_of(to, file_at("x/d", "evil")) != 0);
  // Nor is the metadata of what the link points to changed.
  ::chmod((top / "outside/y").c_str(), 0700);
  CHECK(to.finish().size() == 2);
  CHECK(io::status_of(top / "outside/y", false)->mode == 0700);
  CHECK(entries_in(top / "outside") == 1);
  CHECK_FALSE(fs::exists(top / "outside/y/c"));
}

TEST_CASE("a directory that is replaced by another one keeps what that has") {
  const scratch_folder top;
  restorer to(top / "to", {}, nullptr);
  entry folder = folder_at("x");
  folder.mode = 0777;
  to.restore(folder, nullptr);
  fs::rename(top / "to/x", top / "to/old");
  fs::create_directory(top / "to/x");
  ::chmod((top / "to/x").c_str(), 0700);
  const auto failures = to.finish();
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].path() == top / "to/x");
  CHECK(std::string(failures[0].what()) == "was replaced while restoring");
  CHECK(io::status_of(top / "to/x", false)->mode == 0700);
}

TEST_CASE("content of another size than its entry is refused, and nothing is left") {
  const scratch_folder top;
  restorer to(top / "to", {}, nullptr);
  const entry file = file_at("folder/a", "12345");
  CHECK_THROWS_AS(to.restore(file, text("1234")), error);
  CHECK_THROWS_AS(to.restore(file, text("123456")), error);
  CHECK_THROWS_AS(to.restore(file, [](sink&) { throw error(errc::damaged, "x"); }), error);
  CHECK(to.restore(file, text("12345")) == outcome::restored);
  to.finish();
  CHECK(entries_in(top / "to") == 2);
}

TEST_CASE("whichever system call fails, no part of a file is left under its name") {
  class failing final : public io::system_calls {
   public:
    int fail_at = 0;
    int reason = ENOSPC;
    bool has_failed = false;
    bool short_writes = false;

    int open_in(int d, const char* n, int f, mode_t m) override {
      return fails() ? -1 : system_calls::open_in(d, n, f, m);
    }
    int open_beneath(int d, const char* p, int f) override {
      return fails() ? -1 : system_calls::open_beneath(d, p, f);
    }
    ssize_t write(int d, const void* data, size_t size) override {
      return fails() ? -1 : system_calls::write(d, data, short_writes ? std::min<size_t>(size, 3) : size);
    }
    int truncate(int d, off_t size) override { return fails() ? -1 : system_calls::truncate(d, size); }
    off_t seek(int d, off_t o, int w) override { return fails() ? -1 : system_calls::seek(d, o, w); }
    int close(int d) override {
      const int result = system_calls::close(d);
      return fails() ? -1 : result;
    }
    int make_directory_in(int d, const char* n, mode_t m) override {
      return fails() ? -1 : system_calls::make_directory_in(d, n, m);
    }
    int make_link_in(int d, const char* n, const char* t) override {
      return fails() ? -1 : system_calls::make_link_in(d, n, t);
    }
    int link_in(int a, const char* from, int b, const char* to) override {
      return fails() ? -1 : system_calls::link_in(a, from, b, to);
    }
    int rename_in(int a, const char* from, int b, const char* to, bool replace) override {
      return fails() ? -1 : system_calls::rename_in(a, from, b, to, replace);
    }
    int status_in(int d, const char* n, struct stat* r) override {
      return fails() ? -1 : system_calls::status_in(d, n, r);
    }
    int status(int d, struct stat* r) override { return fails() ? -1 : system_calls::status(d, r); }

   private:
    bool fails() {
      if (--fail_at != 0) return false;
      has_failed = true;
      errno = reason;
      return true;
    }
  };

  entry sparse = file_at("d/sparse", "1234567890");
  sparse.bytes = 1 << 20;
  sparse.has_holes = true;
  sparse.data = {{1 << 16, 4}, {1 << 18, 6}};
  entry file = file_at("d/file", "1234567890");
  file.links = 2;
  entry link = file_at("link", "");
  link.kind = entry_kind::hard_link;
  link.target = "d/file";
  const std::vector<entry> all{folder_at("d"), file, link_at("d/symlink", "x"), sparse,
                               folder_at("e/f"), link};
  for (const int reason : {ENOSPC, EIO, EINTR}) {
    failing calls;
    for (int at = 1; at == 1 || calls.has_failed; ++at) {
      REQUIRE(at < 200);
      const scratch_folder top;
      fs::create_directory(top / "to");
      calls.has_failed = false;
      calls.reason = reason;
      calls.short_writes = true;
      std::size_t refused = 0;
      std::size_t lost = 0;
      {
        std::optional<restorer> to;
        calls.fail_at = 0;
        to.emplace(top / "to", restore_options{.calls = &calls}, nullptr);
        calls.fail_at = at;
        for (const entry& each : all) {
          try {
            if (to->restore(each, text("1234567890")) != outcome::restored) ++refused;
          } catch (const io::file_error& cause) {
            CHECK(cause.reason() == reason);
            ++refused;
          }
        }
        refused += to->finish().size();
        for (const loss kind : {loss::mode, loss::times, loss::owner, loss::attributes})
          lost += to->lost().count(kind);
      }
      INFO(at, " ", reason);
      CHECK(lost == 0);
      if (calls.has_failed && reason != EINTR) CHECK(refused <= 3);
      if (!calls.has_failed) CHECK(refused == 0);
      for (const auto& each : fs::recursive_directory_iterator(top / "to"))
        CHECK(each.path().filename().string().substr(0, 7) != ".lmzip-");
      if (fs::exists(top / "to/d/file")) CHECK(get(top / "to/d/file") == "1234567890");
      if (fs::exists(top / "to/d/sparse")) CHECK(fs::file_size(top / "to/d/sparse") == 1 << 20);
    }
  }
}

TEST_CASE("the top's metadata is set where the restore has made the target") {
  const scratch_folder top;
  entry root = folder_at("");
  root.mode = 0750;
  root.modified = {1000, 0};
  fs::create_directory(top / "old");
  const unsigned mode = io::status_of(top / "old", false)->mode;
  for (const char* name : {"new", "old"}) {
    restorer to(top / name, {}, nullptr);
    to.restore(root, nullptr);
    to.restore(file_at("a", ""), nullptr);
    CHECK(to.finish().empty());
  }
  CHECK(io::status_of(top / "new", false)->mode == 0750);
  CHECK(io::status_of(top / "new", false)->modified == io::file_time{1000, 0});
  CHECK(io::status_of(top / "old", false)->mode == mode);
}

TEST_CASE("the target may be reached through a link, but nothing in it") {
  const scratch_folder top;
  fs::create_directory(top / "real");
  fs::create_directory_symlink("real", top / "way");
  restorer to(top / "way", {}, nullptr);
  CHECK(to.restore(file_at("folder/a", "x"), text("x")) == outcome::restored);
  to.finish();
  CHECK(get(top / "real/folder/a") == "x");
  put(top / "file", "");
  CHECK_THROWS_AS(restorer(top / "file", {}, nullptr), io::file_error);
  CHECK_THROWS_AS(restorer(top / "file/x", {}, nullptr), io::file_error);
}

TEST_CASE("holes stay holes") {
  const scratch_folder top;
  entry sparse = file_at("a", "");
  sparse.bytes = std::uint64_t{1} << 40;
  sparse.has_holes = true;
  sparse.data = {{std::uint64_t{1} << 30, 1}, {sparse.bytes - 5, 5}};
  sparse.content = {{0, 0, 6}};
  restorer to(top / "to", {}, nullptr);
  to.restore(sparse, text("123456"));
  to.finish();
  const auto status = *io::status_of(top / "to/a", false);
  CHECK(status.bytes == sparse.bytes);
  CHECK(status.allocated_bytes < 1 << 20);
  const int handle = ::open((top / "to/a").c_str(), O_RDONLY);
  char last[6] = {};
  CHECK(::pread(handle, last, 5, static_cast<off_t>(sparse.bytes - 5)) == 5);
  ::close(handle);
  CHECK(std::string(last) == "23456");
}

TEST_CASE("a folder that another process swaps with a link all the time leads nowhere") {
  const scratch_folder top;
  fs::create_directories(top / "outside");
  put(top / "outside/evil", "");
  fs::create_directories(top / "to/x");
  fs::create_directory_symlink(top / "outside", top / "to/y");
  const pid_t swapper = ::fork();
  if (swapper == 0) {
    for (;;)
      ::renameat2(AT_FDCWD, (top / "to/x").c_str(), AT_FDCWD, (top / "to/y").c_str(),
                  RENAME_EXCHANGE);
  }
  old_kernel old;
  std::size_t restored = 0;
  std::size_t walks = 0;
  bool was_followed = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (int i = 0; std::chrono::steady_clock::now() < end; ++i) {
    restorer to(top / "to", {.replace = true, .calls = i % 2 == 0 ? nullptr : &old}, nullptr);
    try {
      to.restore(file_at("x/a" + std::to_string(i % 10), "x"), text("x"));
      to.restore(file_at("x/b/c", "x"), text("x"));
      ++restored;
    } catch (const io::file_error&) {
      // The link stood there.
    }
    to.finish();
    if (i % 20 != 0) continue;
    const auto found = walked({top / "to"});
    ++walks;
    was_followed = was_followed || found.find(top.stored("to/x/evil")) != nullptr ||
                   found.find(top.stored("to/y/evil")) != nullptr;
  }
  ::kill(swapper, SIGKILL);
  ::waitpid(swapper, nullptr, 0);
  INFO(restored, " restored, ", walks, " walks");
  CHECK_FALSE(was_followed);
  CHECK(entries_in(top / "outside") == 1);
}
