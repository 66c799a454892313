// What restoring leaves behind when something fails.

#include "tree_restore_support.h"

using namespace lmzip;
using namespace lmzip::test;
using namespace lmzip::tree;

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
      return fails()
                 ? -1
                 : system_calls::write(d, data, short_writes ? std::min<size_t>(size, 3) : size);
    }
    int truncate(int d, off_t size) override {
      return fails() ? -1 : system_calls::truncate(d, size);
    }
    off_t seek(int d, off_t o, int w) override {
      return fails() ? -1 : system_calls::seek(d, o, w);
    }
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
  const std::vector<entry> all{folder_at("d"),   file, link_at("d/symlink", "x"), sparse,
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
