// Restoring never makes anything outside the target, nor destroys what is there.

#include <signal.h>
#include <stdio.h>

#include "tree_restore_support.h"

using namespace lmzip;
using namespace lmzip::test;
using namespace lmzip::tree;

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
