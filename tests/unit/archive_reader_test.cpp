// Reading parts of archives: archive_reader and its C functions.

#include "lmzip/archive_reader.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "engine_support.h"
#include "formats/container/format.h"
#include "lmzip/inspect.h"
#include "lmzip/lmzip.h"
#include "lmzip/tensors.h"

using namespace lmzip;
using namespace lmzip::test;

namespace {

/// An archive in memory that counts what is read, and gives at most `most` bytes a call.
class memory_archive final : public seekable_source {
 public:
  explicit memory_archive(bytes content, std::size_t most = ~std::size_t{0})
      : content_(std::move(content)), most_(most) {}

  std::uint64_t size() override { return content_.size(); }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    if (fails) throw error(errc::io, "made to fail");
    if (offset >= content_.size()) return 0;
    const auto rest = static_cast<std::size_t>(content_.size() - offset);
    const std::size_t count = std::min({out.size(), rest, most_});
    std::memcpy(out.data(), content_.data() + offset, count);
    read.insert(offset);
    return count;
  }

  std::set<std::uint64_t> read;  ///< offsets that were read from
  bool fails = false;

 private:
  bytes content_;
  std::size_t most_;
};

bytes part_of(const bytes& whole, std::size_t offset, std::size_t length) {
  const std::size_t begin = std::min(offset, whole.size());
  const std::size_t end = begin + std::min(length, whole.size() - begin);
  return {whole.begin() + static_cast<std::ptrdiff_t>(begin),
          whole.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::vector<block_description> blocks_of(const bytes& archive) {
  test_source in(archive);
  std::vector<block_description> blocks;
  for (const member_description& member : inspect(in))
    blocks.insert(blocks.end(), member.blocks.begin(), member.blocks.end());
  return blocks;
}

/// Which blocks, from 0, have had their headers read since `from.read` was cleared.
std::vector<std::size_t> blocks_read(const memory_archive& from,
                                     const std::vector<block_description>& blocks) {
  std::vector<std::size_t> touched;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (from.read.count(blocks[i].offset) != 0) touched.push_back(i);
  return touched;
}

errc opening(bytes archive, const archive_reader_options& options = {}) {
  return failure_of([&] {
    memory_archive from(std::move(archive));
    const archive_reader reader(from, options);
  });
}

bytes operator+(bytes left, const bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// A file that is removed at the end.
class scratch_file {
 public:
  explicit scratch_file(const bytes& content)
      : path((std::filesystem::temp_directory_path() /
              ("lmzip-reader-" + std::to_string(::getpid())))
                 .string()) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()),
               static_cast<std::streamsize>(content.size()));
  }
  ~scratch_file() { std::filesystem::remove(path); }

  const std::string path;
};

}  // namespace

TEST_CASE("every part over the borders of blocks and members reads as it was written") {
  const bytes first = mixture(3 * min_block_bytes + 100);
  const bytes second = prose(2 * min_block_bytes, 7);
  compress_options strong = small_blocks(3);
  strong.strong = true;
  const bytes whole = first + second + prose(1);
  const bytes archive = compress(first, small_blocks()) + compress({}, small_blocks()) +
                        compress(second, strong) + compress(prose(1), small_blocks());
  // Around each border and at both ends.
  std::set<std::size_t> edges = {0, whole.size(), whole.size() + 5};
  for (std::size_t at = 0; at < first.size(); at += min_block_bytes) edges.insert(at);
  for (std::size_t at = first.size(); at < whole.size(); at += min_block_bytes) edges.insert(at);
  std::set<std::size_t> places;
  for (const std::size_t edge : edges)
    for (const int step : {-2, -1, 0, 1, 2})
      if (step >= 0 || edge >= 2) places.insert(edge + static_cast<std::size_t>(step));

  for (const std::uint64_t cache : {std::uint64_t{0}, std::uint64_t{1} << 20}) {
    memory_archive from(archive, 1000);
    archive_reader reader(from, {.cache_bytes = cache});
    REQUIRE(reader.size() == whole.size());
    for (const std::size_t begin : places) {
      for (const std::size_t end : places) {
        if (end < begin) continue;
        REQUIRE(reader.read(begin, end - begin) == part_of(whole, begin, end - begin));
      }
    }
    bytes into(10, std::byte{1});
    CHECK(reader.read(whole.size() - 3, into) == 3);
    CHECK(reader.read(whole.size(), into) == 0);
    CHECK(reader.read(~std::uint64_t{0}, into) == 0);
    CHECK(reader.read(0, std::span<std::byte>()) == 0);
    CHECK(reader.read(5, ~std::size_t{0}) == part_of(whole, 5, whole.size()));
    CHECK(reader.read(whole.size() + 1, 7).empty());
  }
}

TEST_CASE("only the blocks that are needed are read, and those used last are kept") {
  const bytes plain = prose(10 * min_block_bytes);
  const bytes archive = compress(plain, small_blocks());
  const auto blocks = blocks_of(archive);
  REQUIRE(blocks.size() == 10);
  memory_archive from(archive);
  archive_reader reader(from, {.cache_bytes = 3 * min_block_bytes});
  CHECK(blocks_read(from, blocks).empty());
  const auto touched_by = [&](std::size_t offset, std::size_t length) {
    from.read.clear();
    CHECK(reader.read(offset, length) == part_of(plain, offset, length));
    return blocks_read(from, blocks);
  };
  using list = std::vector<std::size_t>;
  CHECK(touched_by(5 * min_block_bytes + 17, 100) == list{5});
  CHECK(touched_by(5 * min_block_bytes, min_block_bytes) == list{});  // kept
  CHECK(touched_by(6 * min_block_bytes - 1, 2) == list{6});
  CHECK(touched_by(7 * min_block_bytes, 1) == list{7});
  CHECK(touched_by(5 * min_block_bytes, 1) == list{});  // used again: 6 is now the oldest
  CHECK(touched_by(0, 1) == list{0});
  CHECK(touched_by(5 * min_block_bytes, 1) == list{});
  CHECK(touched_by(6 * min_block_bytes, 1) == list{6});
  CHECK(touched_by(2 * min_block_bytes, 0) == list{});
  CHECK(touched_by(10 * min_block_bytes, 9) == list{});
}

TEST_CASE("damage in a block fails only the reads that touch it") {
  const bytes plain = prose(5 * min_block_bytes);
  const bytes archive = compress(plain, small_blocks());
  const auto blocks = blocks_of(archive);
  for (const std::size_t at : {blocks[2].offset, blocks[2].offset + 20,
                               blocks[2].offset + container::block_header_bytes + 5}) {
    bytes damaged = archive;
    damaged[at] ^= std::byte{1};
    memory_archive from(damaged);
    archive_reader reader(from);
    CHECK(reader.read(0, 2 * min_block_bytes) == part_of(plain, 0, 2 * min_block_bytes));
    for (int again = 0; again < 2; ++again) {
      CHECK(failure_of([&] { reader.read(2 * min_block_bytes - 1, 2); }) == errc::damaged);
      CHECK(failure_of([&] { reader.read(3 * min_block_bytes - 1, 1); }) == errc::damaged);
    }
    CHECK(reader.read(3 * min_block_bytes, plain.size()) ==
          part_of(plain, 3 * min_block_bytes, plain.size()));
    try {
      reader.read(2 * min_block_bytes, 1);
    } catch (const error& cause) {
      CHECK(cause.offset() == blocks[2].offset);
      CHECK(std::string(cause.what()).starts_with("corrupt block 3 at offset "));
    }
  }
}

TEST_CASE("blocks that were exchanged are noticed") {
  // Two stored blocks of the same sizes: only their place tells them apart.
  const bytes plain = random_bytes(2 * min_block_bytes);
  bytes archive = compress(plain, small_blocks());
  const auto blocks = blocks_of(archive);
  REQUIRE(blocks[0].coded_bytes == blocks[1].coded_bytes);
  const auto begin = archive.begin() + static_cast<std::ptrdiff_t>(blocks[0].offset);
  const auto middle = archive.begin() + static_cast<std::ptrdiff_t>(blocks[1].offset);
  std::swap_ranges(begin, middle, middle);
  memory_archive from(archive);
  archive_reader reader(from);
  CHECK(failure_of([&] { reader.read(0, 1); }) == errc::damaged);
}

TEST_CASE("an archive that is not whole is not opened") {
  const bytes archive = compress(prose(3 * min_block_bytes), small_blocks());
  CHECK(opening({}) == errc::not_lmzip);
  CHECK(opening(prose(5000)) == errc::not_lmzip);
  for (const std::size_t lost : {1, 79, 81, 200})
    CHECK(opening(part_of(archive, 0, archive.size() - lost)) == errc::truncated);
  CHECK(opening(archive + part_of(archive, 0, archive.size() - 1)) == errc::truncated);
  CHECK(opening(archive + prose(10)) == errc::damaged);
  CHECK(opening(archive + prose(10) + archive) == errc::damaged);
  CHECK(opening(prose(10) + archive) == errc::damaged);
  CHECK(opening(archive + bytes(100)) == errc{0});  // padding
  bytes index = archive;
  index[archive.size() - container::trailer_bytes - 10] ^= std::byte{1};
  CHECK(opening(index) == errc::damaged);
}

TEST_CASE("limits and failures of the source are passed on") {
  const bytes plain = prose(3 * min_block_bytes);
  const bytes archive = compress(plain, small_blocks());
  CHECK(opening(archive, {.memory_limit = 1000}) == errc::memory_limit);
  CHECK(opening(archive, {.memory_limit = std::uint64_t{1} << 30}) == errc{0});
  memory_archive from(archive);
  archive_reader reader(from);
  from.fails = true;
  CHECK(failure_of([&] { reader.read(0, 1); }) == errc::io);
  from.fails = false;
  CHECK(reader.read(0, 5) == part_of(plain, 0, 5));
  CHECK(failure_of([&] {
          memory_archive failing(archive);
          failing.fails = true;
          const archive_reader none(failing);
        }) == errc::io);
}

TEST_CASE("a file is read by its path, also by several threads, and the reader can be moved") {
  const bytes plain = mixture(20 * min_block_bytes);
  const scratch_file file(compress(plain, small_blocks()));
  archive_reader opened(file.path, {.cache_bytes = 4 * min_block_bytes});
  archive_reader reader(std::move(opened));
  std::vector<std::thread> threads;
  std::vector<int> wrong(3);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t at = t; at < plain.size(); at += 3001)
        if (reader.read(at, 5000) != part_of(plain, at, 5000)) ++wrong[t];
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(wrong == std::vector<int>(3));
  CHECK(failure_of([] { archive_reader none("/nowhere/at/all"); }) == errc::io);
  CHECK(failure_of([] { archive_reader none("/dev/null"); }) == errc::io);
}

TEST_CASE("C programs read parts of files and of archives behind a function") {
  const bytes plain = mixture(5 * min_block_bytes);
  const bytes archive = compress(plain, small_blocks());
  const scratch_file file(archive);
  lmzip_reader* reader = nullptr;
  bytes into(6000);
  std::size_t count = 0;

  lmzip_options options;
  lmzip_options_init(&options, sizeof options);
  options.cache_bytes = 1;
  REQUIRE(lmzip_reader_open(file.path.c_str(), &options, &reader) == LMZIP_OK);
  CHECK(lmzip_reader_size(reader) == plain.size());
  CHECK(lmzip_reader_read(reader, 3000, into.data(), into.size(), &count) == LMZIP_OK);
  CHECK(count == into.size());
  CHECK(into == part_of(plain, 3000, into.size()));
  CHECK(lmzip_reader_read(reader, plain.size(), into.data(), 1, &count) == LMZIP_OK);
  CHECK(count == 0);
  CHECK(lmzip_reader_read(reader, 0, nullptr, 0, &count) == LMZIP_OK);
  CHECK(lmzip_reader_read(reader, 0, nullptr, 1, &count) == LMZIP_USAGE);
  CHECK(lmzip_reader_read(reader, 0, into.data(), 1, nullptr) == LMZIP_USAGE);
  CHECK(lmzip_reader_read(nullptr, 0, into.data(), 1, &count) == LMZIP_USAGE);
  lmzip_reader_free(reader);

  options.memory_limit = 1;
  CHECK(lmzip_reader_open(file.path.c_str(), &options, &reader) == LMZIP_MEMORY_LIMIT);
  CHECK(reader == nullptr);
  CHECK(lmzip_reader_open("/nowhere/at/all", nullptr, &reader) == LMZIP_IO);
  CHECK(lmzip_reader_open(nullptr, nullptr, &reader) == LMZIP_USAGE);

  struct source {
    const bytes* archive;
    bool fails;
  } from{&archive, false};
  const lmzip_read_at read_at = [](void* context, uint64_t offset, void* data, size_t bytes,
                                   size_t* got) -> int {
    const auto* const self = static_cast<const source*>(context);
    if (self->fails) return 5;
    const test::bytes found = part_of(*self->archive, static_cast<std::size_t>(offset), bytes);
    std::copy(found.begin(), found.end(), static_cast<std::byte*>(data));
    *got = found.size();
    return 0;
  };
  REQUIRE(lmzip_reader_open_source(read_at, &from, archive.size(), nullptr, &reader) == LMZIP_OK);
  CHECK(lmzip_reader_read(reader, 9000, into.data(), 100, &count) == LMZIP_OK);
  CHECK(part_of(into, 0, count) == part_of(plain, 9000, 100));
  from.fails = true;
  CHECK(lmzip_reader_read(reader, 0, into.data(), 100, &count) == LMZIP_IO);
  CHECK(count == 0);
  lmzip_reader_free(reader);
  CHECK(lmzip_reader_open_source(read_at, &from, archive.size(), nullptr, &reader) == LMZIP_IO);
  CHECK(lmzip_reader_open_source(nullptr, &from, 1, nullptr, &reader) == LMZIP_USAGE);
  CHECK(lmzip_reader_size(nullptr) == 0);
  lmzip_reader_free(nullptr);
}

TEST_CASE("tensors of joined archives are found in each member") {
  const auto file_of = [](char name) {
    const std::string header =
        std::string(R"({")") + name + R"(":{"dtype":"F32","shape":[10],"data_offsets":[0,40]}})";
    bytes file(8 + header.size() + 40);
    file[0] = std::byte(header.size());
    std::memcpy(&file[8], header.data(), header.size());
    return file;
  };
  const bytes one = file_of('a'), two = file_of('b'), text(100, std::byte('t'));
  bytes archive;
  for (const bytes& part : {one, text, two}) {
    const bytes member = compress(part, {.level = 1});
    archive.insert(archive.end(), member.begin(), member.end());
  }
  memory_archive from(archive);
  archive_reader reader(from);
  CHECK(reader.member_offsets() ==
        std::vector<std::uint64_t>{0, one.size(), one.size() + text.size()});
  const tensor_table table = find_tensors(reader);
  CHECK(table.format == "safetensors");
  REQUIRE(table.tensors.size() == 2);
  CHECK(table.tensors[0].name == "a");
  CHECK(table.tensors[1].name == "b");
  CHECK(table.tensors[1].offset == one.size() + text.size() + two.size() - 40);
}
