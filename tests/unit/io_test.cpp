#include <doctest/doctest.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/io/file.h"
#include "core/io/file_stream.h"
#include "core/io/memory.h"
#include "core/io/metadata.h"
#include "core/io/system_calls.h"
#include "core/io/temporary_file.h"
#include "core/io/zeroed_memory.h"

namespace {

using namespace lmzip;
namespace fs = std::filesystem;

/// An empty directory that is removed at the end.
class scratch_directory {
 public:
  scratch_directory() {
    std::string name = (fs::temp_directory_path() / "lmzip-io-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~scratch_directory() { fs::remove_all(path_); }

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  std::string path_;
};

void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string get(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

/// The real calls, but the n-th of those that can fail does fail.
class faulty_calls final : public io::system_calls {
 public:
  faulty_calls(int fail_at, int reason) : fail_at_(fail_at), reason_(reason) {}

  bool has_failed() const { return failed_; }

  int open(const char* path, int flags, mode_t mode) override {
    return fails() ? -1 : system_calls::open(path, flags, mode);
  }
  int close(int descriptor) override {
    // Even a failing close() gives the descriptor back.
    const int result = system_calls::close(descriptor);
    return fails() ? -1 : result;
  }
  ssize_t read(int descriptor, void* data, size_t size) override {
    return fails() ? -1 : system_calls::read(descriptor, data, size);
  }
  ssize_t write(int descriptor, const void* data, size_t size) override {
    return fails() ? -1 : system_calls::write(descriptor, data, size);
  }
  off_t seek(int descriptor, off_t offset, int whence) override {
    return fails() ? -1 : system_calls::seek(descriptor, offset, whence);
  }
  int truncate(int descriptor, off_t size) override {
    return fails() ? -1 : system_calls::truncate(descriptor, size);
  }
  int sync(int descriptor) override { return fails() ? -1 : system_calls::sync(descriptor); }
  int status(int descriptor, struct stat* result) override {
    return fails() ? -1 : system_calls::status(descriptor, result);
  }
  int rename(const char* from, const char* to) override {
    return fails() ? -1 : system_calls::rename(from, to);
  }
  int rename_without_replacing(const char* from, const char* to) override {
    return fails() ? -1 : system_calls::rename_without_replacing(from, to);
  }
  int link(const char* from, const char* to) override {
    return fails() ? -1 : system_calls::link(from, to);
  }
  int change_mode(int descriptor, mode_t mode) override {
    return fails() ? -1 : system_calls::change_mode(descriptor, mode);
  }

 private:
  bool fails() {
    if (++count_ != fail_at_) return false;
    failed_ = true;
    errno = reason_;
    return true;
  }

  int fail_at_;
  int reason_;
  int count_ = 0;
  bool failed_ = false;
};

/// Writes a file as the program does; false if a call failed.
bool write_file(const std::string& path, const std::string& text, bool replace, bool durable,
                io::system_calls& calls) {
  try {
    io::temporary_file target(path, &calls);
    io::file_sink sink(target.handle(), true);
    sink.write(bytes_of(text));
    sink.finish();
    target.handle().set_mode(0644);
    target.commit(replace, durable);
    return true;
  } catch (const io::file_error&) {
    return false;
  }
}

/// A kernel and file system without renameat2(), perhaps without hard links too.
class old_calls : public io::system_calls {
 public:
  explicit old_calls(bool has_links) : has_links_(has_links) {}
  int rename_without_replacing(const char*, const char*) override {
    errno = EINVAL;
    return -1;
  }
  int link(const char* from, const char* to) override {
    if (has_links_) return system_calls::link(from, to);
    errno = EPERM;
    return -1;
  }

 private:
  bool has_links_;
};

}  // namespace

TEST_CASE("large zeroed memory begins at a huge page and is zero to its end") {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{5000}, 2 * io::huge_page + 1}) {
    const io::zeroed_memory memory(bytes);
    if (bytes >= 2 * io::huge_page)
      CHECK(reinterpret_cast<std::uintptr_t>(memory.data()) % io::huge_page == 0);
    if (bytes == 0) continue;
    CHECK(memory.data()[0] == std::byte{0});
    CHECK(memory.data()[bytes - 1] == std::byte{0});
    memory.data()[bytes - 1] = std::byte{1};
  }
}

TEST_CASE("zeroed memory of any size is aligned, and zero also where it was used before") {
  for (int round = 0; round < 3; ++round) {
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{5000}, std::size_t{1} << 20,
          io::least_for_huge_pages - 1, io::least_for_huge_pages, io::least_for_huge_pages + 1}) {
      const io::zeroed_memory memory(bytes);
      CHECK(reinterpret_cast<std::uintptr_t>(memory.data()) % 128 == 0);
      CHECK(std::count(memory.data(), memory.data() + bytes, std::byte{0}) ==
            static_cast<std::ptrdiff_t>(bytes));
      std::fill_n(memory.data(), bytes, std::byte{0xa5});
    }
  }
}

TEST_CASE("whatever call fails, the final name holds all or nothing") {
  const std::string text = "data" + std::string(20000, '\0') + "more" + std::string(10000, '\0');
  for (const int reason : {EIO, ENOSPC, EPERM}) {
    for (int n = 1;; ++n) {
      REQUIRE(n < 100);
      const scratch_directory directory;
      faulty_calls calls(n, reason);
      const bool done = write_file(directory / "out", text, false, true, calls);
      const bool exists = fs::exists(directory / "out");
      // A failure after the rename, while syncing the directory, leaves a whole file.
      if (exists) CHECK(get(directory / "out") == text);
      if (done) CHECK(exists);
      CHECK(directory.entries() == (exists ? 1 : 0));
      if (!calls.has_failed()) break;
    }
  }
}

TEST_CASE("whatever call fails, a file to be replaced is whole: the old or the new one") {
  for (int n = 1;; ++n) {
    REQUIRE(n < 100);
    const scratch_directory directory;
    put(directory / "out", "old");
    faulty_calls calls(n, EIO);
    const bool done = write_file(directory / "out", "new contents", true, false, calls);
    CHECK(get(directory / "out") == (done ? "new contents" : "old"));
    CHECK(directory.entries() == 1);
    if (!calls.has_failed()) break;
  }
}

TEST_CASE("an existing file is not replaced unless asked, by any way to rename") {
  old_calls with_links(true);
  old_calls bare(false);
  io::system_calls* const ways[] = {&io::system_calls::real(), &with_links, &bare};
  for (io::system_calls* calls : ways) {
    const scratch_directory directory;
    CHECK(write_file(directory / "out", "first", false, false, *calls));
    CHECK(get(directory / "out") == "first");
    CHECK_FALSE(write_file(directory / "out", "second", false, false, *calls));
    CHECK(get(directory / "out") == "first");
    CHECK(write_file(directory / "out", "third", true, false, *calls));
    CHECK(get(directory / "out") == "third");
    CHECK(directory.entries() == 1);
  }
}

TEST_CASE("a temporary file is for its owner alone and goes away if it is not committed") {
  const scratch_directory directory;
  {
    io::temporary_file target(directory / "out");
    target.handle().write(bytes_of("x"));
    CHECK(target.handle().status().mode == 0600);
    CHECK(directory.entries() == 1);
    CHECK_FALSE(fs::exists(directory / "out"));
  }
  CHECK(directory.entries() == 0);
}

TEST_CASE("temporary files are removed at once on request") {
  const scratch_directory directory;
  const io::temporary_file first(directory / "a");
  const io::temporary_file second(directory / "b");
  CHECK(directory.entries() == 2);
  io::remove_temporary_files();
  CHECK(directory.entries() == 0);
}

TEST_CASE("a name as long as the file system allows can be written") {
  const scratch_directory directory;
  const std::string path = directory / std::string(255, 'n');
  CHECK(write_file(path, "x", false, false, io::system_calls::real()));
  CHECK(get(path) == "x");
}

TEST_CASE("a missing directory is an error that names the final file") {
  const scratch_directory directory;
  try {
    io::temporary_file target(directory / "none/out");
    FAIL("no error");
  } catch (const io::file_error& failure) {
    CHECK(failure.path() == directory / "none/out");
    CHECK(failure.reason() == ENOENT);
    CHECK(failure.code() == errc::io);
  }
}

TEST_CASE("an error while writing a temporary file names the final file") {
  const scratch_directory directory;
  faulty_calls calls(2, ENOSPC);  // the first call opens
  io::temporary_file target(directory / "out", &calls);
  try {
    target.handle().write(bytes_of("x"));
    FAIL("no error");
  } catch (const io::file_error& failure) {
    CHECK(failure.path() == directory / "out");
    CHECK(failure.reason() == ENOSPC);
  }
}

TEST_CASE("sparse writing gives the same bytes for any cut of the data") {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const scratch_directory directory;
    std::string text;
    for (unsigned part = 0; part < 1 + random() % 8; ++part) {
      text += std::string(random() % 20000, random() % 2 == 0 ? '\0' : 'x');
    }
    io::file out = io::file::create(directory / "out");
    io::file_sink sink(out, true);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t count = std::min<std::size_t>(1 + random() % 9000, text.size() - at);
      sink.write(bytes_of(text).subspan(at, count));
      at += count;
    }
    sink.finish();
    CHECK(out.position() == text.size());
    out.close();
    CHECK(sink.bytes() == text.size());
    CHECK(get(directory / "out") == text);
  }
}

TEST_CASE("long runs of zeros take no space on disk") {
  const scratch_directory directory;
  const std::string zeros(1 << 20, '\0');
  io::file out = io::file::create(directory / "out");
  io::file_sink sink(out, true);
  for (int i = 0; i < 16; ++i) sink.write(bytes_of(zeros));
  sink.write(bytes_of("end"));
  sink.write(bytes_of(zeros));
  sink.finish();
  out.close();
  struct stat raw = {};
  REQUIRE(::stat((directory / "out").c_str(), &raw) == 0);
  CHECK(raw.st_size == (17 << 20) + 3);
  CHECK(raw.st_blocks * 512 < 1 << 20);
}

TEST_CASE("holes are left only where the file ends at the position") {
  const scratch_directory directory;
  put(directory / "old", "12345");
  const auto open = [&](int flags) {
    return io::file(::open((directory / "old").c_str(), O_WRONLY | flags), "old");
  };
  CHECK_FALSE(io::can_be_sparse(open(0)));
  CHECK_FALSE(io::can_be_sparse(open(O_APPEND)));
  io::file at_end = open(0);
  at_end.skip(5);
  CHECK(io::can_be_sparse(at_end));
  CHECK(io::can_be_sparse(open(O_TRUNC)));
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const io::file reader(ends[0], "pipe");
  CHECK_FALSE(io::can_be_sparse(io::file(ends[1], "pipe")));
}

TEST_CASE("interrupted and short calls are continued") {
  class slow_calls final : public io::system_calls {
   public:
    ssize_t read(int descriptor, void* data, size_t size) override {
      return interrupted() ? -1 : system_calls::read(descriptor, data, std::min<size_t>(size, 3));
    }
    ssize_t read_at(int descriptor, void* data, size_t size, off_t offset) override {
      return interrupted() ? -1 : system_calls::read_at(descriptor, data, size, offset);
    }
    ssize_t write(int descriptor, const void* data, size_t size) override {
      return interrupted() ? -1 : system_calls::write(descriptor, data, std::min<size_t>(size, 3));
    }

   private:
    bool interrupted() {
      errno = EINTR;
      return ++count_ % 2 == 1;
    }
    int count_ = 0;
  } calls;
  const scratch_directory directory;
  CHECK(write_file(directory / "out", "0123456789", false, false, calls));
  CHECK(get(directory / "out") == "0123456789");
  io::file in = io::file::open_for_reading(directory / "out", true, &calls);
  io::file_source source(in);
  std::string text;
  std::byte buffer[16];
  for (std::size_t count; (count = source.read(buffer)) != 0;) {
    text.append(reinterpret_cast<const char*>(buffer), count);
  }
  CHECK(text == "0123456789");
  CHECK(in.read_at(7, buffer) == 3);
  CHECK(std::string(reinterpret_cast<const char*>(buffer), 3) == "789");
  CHECK(in.read_at(10, buffer) == 0);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const io::file writer(ends[1], "pipe");
  io::file pipe(ends[0], "pipe");
  CHECK_THROWS_AS(pipe.read_at(0, buffer), io::file_error);
}

TEST_CASE("metadata is copied to the nanosecond, without special bits") {
  const scratch_directory directory;
  put(directory / "from", "x");
  const struct timespec times[2] = {{1000000000, 123456789}, {1100000000, 987654321}};
  REQUIRE(::utimensat(AT_FDCWD, (directory / "from").c_str(), times, 0) == 0);
  REQUIRE(::chmod((directory / "from").c_str(), 06751) == 0);
  const auto from = io::status_of(directory / "from", false);
  REQUIRE(from);
  io::file to = io::file::create(directory / "to");
  CHECK_FALSE(io::copy_metadata(*from, to).any());
  const io::file_status got = to.status();
  CHECK(got.mode == 0751);
  CHECK(got.modified == io::file_time{1100000000, 987654321});
  CHECK(got.accessed == io::file_time{1000000000, 123456789});
}

TEST_CASE("if the group cannot be kept, nobody gains access") {
  class no_chown final : public io::system_calls {
   public:
    int change_owner(int, uid_t, gid_t) override {
      errno = EPERM;
      return -1;
    }
  } calls;
  const scratch_directory directory;
  io::file_status from;
  io::file to = io::file::create(directory / "to", &calls);
  from.mode = 0654;
  CHECK(io::copy_metadata(from, to).group);
  CHECK(to.status().mode == 0644);
  from.mode = 0761;
  CHECK(io::copy_metadata(from, to).group);
  CHECK(to.status().mode == 0700);
}

TEST_CASE("opening without following refuses symbolic links") {
  const scratch_directory directory;
  put(directory / "file", "x");
  fs::create_symlink("file", directory / "link");
  CHECK_THROWS_AS(io::file::open_for_reading(directory / "link", false), io::file_error);
  CHECK(io::file::open_for_reading(directory / "link", true).is_open());
  CHECK(io::status_of(directory / "link", false)->kind == io::file_kind::symbolic_link);
  CHECK(io::is_same_file(*io::status_of(directory / "link", true),
                         *io::status_of(directory / "file", true)));
  CHECK_FALSE(io::status_of(directory / "none", true));
}

TEST_CASE("a directory is listed in the order of bytes") {
  const scratch_directory directory;
  for (const char* name : {"b", "a", "B", "\xff"}) put(directory / name, "");
  fs::create_directory(directory / "d");
  std::string names;
  for (const auto& entry : io::list_directory(directory / "")) names += entry.name;
  CHECK(names == "Babd\xff");
  CHECK_THROWS_AS(io::list_directory(directory / "none"), io::file_error);
}

TEST_CASE("the directory of a path is what precedes the last slash") {
  CHECK(io::directory_of("name") == ".");
  CHECK(io::directory_of("/name") == "/");
  CHECK(io::directory_of("a/b/name") == "a/b");
}

TEST_CASE("errors name the file and the reason") {
  const scratch_directory directory;
  io::file full = io::file::open_for_writing("/dev/full");
  try {
    full.write(bytes_of("x"));
    FAIL("no error");
  } catch (const io::file_error& failure) {
    CHECK(std::string(failure.what()) == "I/O error while writing: No space left on device");
    CHECK(failure.path() == "/dev/full");
  }
}

TEST_CASE("some memory is usable") { CHECK(io::usable_memory() > 0); }
