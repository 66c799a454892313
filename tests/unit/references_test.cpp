// Archives whose blocks refer to earlier bytes.

#include <doctest/doctest.h>

#include "engine_support.h"
#include "formats/container/reader.h"
#include "formats/container/writer.h"
#include "lmzip/archive_reader.h"
#include "lmzip/compress.h"
#include "lmzip/decompress.h"
#include "lmzip/inspect.h"

using namespace lmzip;
using namespace lmzip::test;

namespace {

constexpr std::uint64_t block_bytes = 64 << 10;

/// Copies of one another, far apart and at odd places.
bytes plain_with_copies() {
  const bytes one = random_bytes(90'001, 1), two = random_bytes(70'000, 2);
  bytes all;
  for (const bytes& part : {one, random_bytes(200'000, 3), two, one, prose(50'000), two, one})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

compress_options with_window(std::uint64_t window, int level = 1) {
  compress_options options;
  options.level = level;
  options.block_bytes = block_bytes;
  options.window = window;
  return options;
}

class memory_archive final : public seekable_source {
 public:
  explicit memory_archive(const bytes& content) : content_(content) {}

  std::uint64_t size() override { return content_.size(); }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset >= content_.size()) return 0;
    const std::size_t count =
        std::min(out.size(), content_.size() - static_cast<std::size_t>(offset));
    std::memcpy(out.data(), content_.data() + offset, count);
    return count;
  }

 private:
  const bytes& content_;
};

std::vector<member_description> inspected(const bytes& archive) {
  test_source in(archive);
  return inspect(in);
}

}  // namespace

TEST_CASE(
    "repeats within the window are referred to, at all levels and from any number of threads") {
  const bytes plain = plain_with_copies();
  for (const int level : {1, 3, 4, 6}) {
    const bytes archive = compress(plain, with_window(1 << 20, level));
    CHECK(archive.size() < 90'001 + 200'000 + 70'000 + 50'000);
    CHECK(archive.size() + 200'000 < compress(plain, with_window(0, level)).size());
    CHECK(decompress(archive) == plain);
    compress_options options = with_window(1 << 20, level);
    options.threads = 4;
    options.strong = options.verify = true;
    const bytes strong = compress(plain, options);
    CHECK(decompress(strong, {.threads = 3}) == plain);
    options.threads = 1;
    options.verify = false;
    CHECK(compress(plain, options) == strong);
  }
}

TEST_CASE("the window is told, and counted") {
  const bytes plain = plain_with_copies();
  const auto members = inspected(compress(plain, with_window(1 << 20)));
  CHECK(members[0].window == 1 << 20);
  CHECK(members[0].memory_per_block > 1 << 20);
  CHECK(std::any_of(members[0].blocks.begin(), members[0].blocks.end(),
                    [](const auto& b) { return b.refers; }));
  // None where there is nothing to refer to, where blocks are small, and at levels with zstd.
  CHECK(inspected(compress(random_bytes(1000), with_window(1 << 20)))[0].window == 0);
  compress_options options = with_window(window_of_level, 4);
  CHECK(inspected(compress(plain, options))[0].window == 0);
  options.block_bytes = 1 << 20;
  CHECK(inspected(compress(random_bytes(1 << 21), options))[0].window == 64 << 20);
  options.level = 1;
  CHECK(inspected(compress(random_bytes(1 << 21), options))[0].window == 0);
  options.window = max_window_bytes + 1;
  CHECK_THROWS_AS(compress(plain, options), error);
  const bytes archive = compress(plain, with_window(8 << 20));
  decompress_options limited;
  limited.memory_limit = 9 << 20;
  CHECK_THROWS_AS(decompress(archive, limited), error);
}

TEST_CASE("any part of an archive with references can be read") {
  const bytes plain = plain_with_copies();
  const bytes archive = compress(plain, with_window(1 << 20));
  memory_archive from(archive);
  for (const std::uint64_t cache : {std::uint64_t{0}, std::uint64_t{1} << 20}) {
    archive_reader reader(from, {.cache_bytes = cache});
    for (std::size_t at = plain.size(); at > 20'000; at -= 17'777) {
      const bytes part = reader.read(at - 20'000, 20'000);
      CHECK(std::equal(part.begin(), part.end(), plain.begin() + std::ptrdiff_t(at - 20'000)));
    }
  }
}

TEST_CASE("a copy of numbers is referred to as a whole") {
  const std::string header =
      R"({"a":{"dtype":"F32","shape":[50000],"data_offsets":[0,200000]},)"
      R"("b":{"dtype":"F32","shape":[50000],"data_offsets":[200000,400000]}})";
  bytes file(8 + header.size());
  file[0] = std::byte(header.size());
  std::memcpy(&file[8], header.data(), header.size());
  const bytes numbers = random_bytes(200'000, 5);
  for (int i = 0; i < 2; ++i) file.insert(file.end(), numbers.begin(), numbers.end());
  for (const int level : {1, 4}) {
    const bytes archive = compress(file, with_window(1 << 20, level));
    CHECK(archive.size() < 202'000);
    CHECK(decompress(archive) == file);
  }
}

TEST_CASE("damage takes away what refers to it, and no more") {
  const bytes plain = plain_with_copies();
  const bytes archive = compress(plain, with_window(1 << 20));
  const auto blocks = inspected(archive)[0].blocks;
  for (const std::size_t hurt : {std::size_t{0}, std::size_t{2}, blocks.size() - 1}) {
    bytes changed = archive;
    changed[static_cast<std::size_t>(blocks[hurt].offset) + 60] ^= std::byte{1};
    CHECK_THROWS_AS(decompress(changed), error);
    std::vector<damage> lost;
    decompress_options options;
    options.on_damage = [&](const damage& one) { lost.push_back(one); };
    const bytes kept = decompress(changed, options);
    REQUIRE(kept.size() == plain.size());
    std::uint64_t zeros = 0;
    for (const damage& one : lost) zeros += one.plain_bytes;
    CHECK(lost.size() >= 1);
    std::uint64_t differ = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) differ += kept[i] != plain[i];
    CHECK(differ <= zeros);

    // Repair writes anew what referred over the gap.
    test_source in(changed);
    test_sink out;
    const repair_report report = repair(in, out);
    CHECK(report.lost.size() == lost.size());
    CHECK(decompress(out.content).size() == plain.size() - zeros);
  }
}

TEST_CASE("references that no encoder writes are damage") {
  const auto archive_of = [](std::uint64_t window, const bytes& payload, std::uint8_t codec) {
    container::member_header header;
    header.block_bytes = block_bytes;
    header.memory = 1 << 20;
    header.window = window;
    test_sink out;
    container::member_writer writer(out, header);
    const bytes first = random_bytes(1000, 1);
    container::block_header block;
    block.plain_bytes = 1000;
    block.plain_hash = xxh3_64(first);
    writer.append(block, first);
    block.type = container::block_type::reference;
    block.codec = codec;
    block.plain_hash = xxh3_64(first);
    writer.append(block, payload);
    writer.finish();
    return out.content;
  };
  const auto code_of = [](const bytes& archive) {
    try {
      decompress(archive);
    } catch (const error& cause) {
      return cause.code();
    }
    return errc::internal;
  };
  const auto list = [](std::initializer_list<int> numbers) {
    bytes out;
    for (const int n : numbers) out.push_back(std::byte(n));
    return out;
  };
  // 1 repeat at 0 of 1000 bytes, 1000 before: valid.
  const bytes whole = list({1, 0, 0xe8, 7, 0xe8, 7});
  CHECK(decompress(archive_of(2000, whole, 0)).size() == 2000);
  CHECK(code_of(archive_of(0, whole, 0)) == errc::damaged);     // no window
  CHECK(code_of(archive_of(999, whole, 0)) == errc::damaged);   // too small a window
  CHECK(code_of(archive_of(2000, whole, 2)) == errc::damaged);  // zstd of nothing
  CHECK(code_of(archive_of(2000, list({0}), 0)) == errc::damaged);
  CHECK(code_of(archive_of(2000, list({1, 0, 0xe8, 7, 0xe8, 7, 9}), 0)) == errc::damaged);
  CHECK(code_of(archive_of(2000, list({1, 0, 0xe7, 7, 0xe8, 7}), 0)) == errc::damaged);
  CHECK(code_of(archive_of(2000, list({1, 0, 0xe7, 7, 0xe8, 7, 1}), 0)) == errc::damaged);  // hash
}
