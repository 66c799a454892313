// Trees restored: equal to what was walked, or as equal as the user may make them.

#include <sys/sysmacros.h>

#include "tree_restore_support.h"

using namespace lmzip;
using namespace lmzip::test;
using namespace lmzip::tree;

namespace {

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
      const auto result = to.restore(
          each, [&](sink& out) { out.write(std::as_bytes(std::span(content->second))); });
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
  const unsigned entries[][3] = {{1, of_owner, ~0U},
                                 {2, permissions, user},
                                 {4, 4, ~0U},
                                 {16, permissions, ~0U},
                                 {32, 0, ~0U}};
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
          restorer to(top / "to", {},
                      [&](loss, const std::string&, const std::string& what) { lost += what; });
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
          const std::string expected = to + "/a: cannot set owner" + refused + to +
                                       "/a: cannot set attribute trusted.x" + refused + to +
                                       "/a: set-user-id or set-group-id left out\n" + to +
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
    if (byte != '/')
      put(top / "from/x" + static_cast<char>(byte), std::string(1, static_cast<char>(byte)));
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
  for (io::system_calls* calls :
       {static_cast<io::system_calls*>(nullptr), static_cast<io::system_calls*>(&old)}) {
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
  const auto links = std::find_if(before.entries.begin(), before.entries.end(),
                                  [](const entry& e) { return e.kind == entry_kind::hard_link; });
  std::reverse(before.entries.begin(), links);
  const auto done = restore(before, top.stored("from"), top / "to");
  CHECK(done.failures.empty());
  before.entries = sorted;
  check_equal(comparable(before, top.stored("from")),
              comparable(walked({top / "to"}), top.stored("to")));
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
