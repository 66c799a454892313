// compress() and decompress(): round trips, equality, limits, faults, damage.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "codec/codec_data.h"
#include "engine/threads.h"
#include "engine_support.h"
#include "formats/container/format.h"
#include "lmzip/inspect.h"

using namespace lmzip;
using namespace lmzip::test;

namespace {

bool is_prefix(const bytes& part, const bytes& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

// Gives as many zero bytes as wanted.
class zero_source final : public source {
 public:
  explicit zero_source(std::uint64_t count) : left_(count) {}
  std::size_t read(std::span<std::byte> out) override {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), left_));
    if (count > 0) std::memset(out.data(), 0, count);
    left_ -= count;
    return count;
  }

 private:
  std::uint64_t left_;
};

// Checks for zeros and counts them.
class zero_sink final : public sink {
 public:
  void write(std::span<const std::byte> data) override {
    if (!data.empty() && data.front() == std::byte{0})
      zeros += std::memcmp(data.data(), data.data() + 1, data.size() - 1) == 0 ? data.size() : 0;
  }
  std::uint64_t zeros = 0;
};

}  // namespace

TEST_CASE("what goes in comes out, at sizes around block borders") {
  for (const int level : {1, 3}) {
    compress_options options = small_blocks(level);
    for (const std::size_t size : {0, 1, 2, 3, 4095, 4096, 4097, 8191, 8192, 8193, 100000}) {
      for (const bytes& plain : {prose(size), random_bytes(size), bytes(size), mixture(size)}) {
        const bytes archive = compress(plain, options);
        REQUIRE(decompress(archive) == plain);
        const std::size_t blocks = (size + 4095) / 4096;
        CHECK(archive.size() <= size + 256 + 64 * blocks);
      }
    }
  }
}

TEST_CASE("the default level gives back what it got") {
  for (const std::size_t size : {0, 1, 2, 1000, 20000}) {
    const bytes plain = mixture(size);
    CHECK(decompress(compress(plain)) == plain);
  }
}

TEST_CASE("totals and progress tell the truth, in order") {
  const bytes plain = mixture(50000);
  for (const unsigned threads : {1U, 3U}) {
    compress_options options = small_blocks();
    options.threads = threads;
    std::vector<progress> reports;
    options.on_progress = [&](const progress& p) { reports.push_back(p); };
    test_source in(plain);
    test_sink out;
    const totals done = compress(in, out, options);
    CHECK(done.plain_bytes == plain.size());
    CHECK(done.coded_bytes == out.content.size());
    CHECK(done.blocks == 13);
    CHECK(done.members == 1);
    REQUIRE(!reports.empty());
    CHECK(std::is_sorted(reports.begin(), reports.end(), [](const auto& a, const auto& b) {
      return a.plain_bytes < b.plain_bytes;
    }));
    CHECK(reports.back().coded_bytes == out.content.size());

    decompress_options reading;
    reading.threads = threads;
    reports.clear();
    reading.on_progress = [&](const progress& p) { reports.push_back(p); };
    test_source archive(out.content);
    test_sink again;
    const totals read = decompress(archive, again, reading);
    CHECK(read.plain_bytes == plain.size());
    CHECK(read.coded_bytes == out.content.size());
    CHECK(read.blocks == 13);
    CHECK(read.members == 1);
    CHECK(reports.back().plain_bytes == plain.size());
  }
}

TEST_CASE("the archive depends neither on threads nor on how the input is cut") {
  const bytes plain = mixture(200000);
  const bytes expected = compress(plain, small_blocks());
  for (unsigned threads = 0; threads <= 4; ++threads) {
    for (const std::size_t most : {std::size_t{1}, std::size_t{1000}, ~std::size_t{0}}) {
      compress_options options = small_blocks();
      options.threads = threads;
      test_source in(plain, most);
      test_sink out;
      compress(in, out, options);
      REQUIRE(out.content == expected);

      decompress_options reading;
      reading.threads = threads;
      test_source archive(out.content, most);
      test_sink again;
      decompress(archive, again, reading);
      REQUIRE(again.content == plain);
    }
  }
}

TEST_CASE("verify, limits and progress do not change the archive; strong and name do") {
  const bytes plain = mixture(20000);
  const bytes expected = compress(plain, small_blocks());
  compress_options options = small_blocks();
  options.verify = true;
  options.memory_limit = std::uint64_t{1} << 30;
  options.on_progress = [](const progress&) {};
  CHECK(compress(plain, options) == expected);
  options.strong = true;
  const bytes strong = compress(plain, options);
  CHECK(strong.size() > expected.size());
  CHECK(decompress(strong) == plain);
  options.name = "a\nname";
  CHECK(decompress(compress(plain, options)) == plain);
}

TEST_CASE("senseless options are refused before anything is written") {
  const bytes plain = prose(10);
  const auto code_with = [&](auto change) {
    compress_options options;
    change(options);
    test_source in(plain);
    test_sink out;
    const errc code = failure_of([&] { compress(in, out, options); });
    CHECK(out.content.empty());
    return code;
  };
  CHECK(code_with([](auto& o) { o.level = 0; }) == errc::usage);
  CHECK(code_with([](auto& o) { o.level = 10; }) == errc::usage);
  CHECK(code_with([](auto& o) { o.block_bytes = min_block_bytes - 1; }) == errc::usage);
  CHECK(code_with([](auto& o) { o.block_bytes = max_block_bytes + 1; }) == errc::usage);
  CHECK(code_with([](auto& o) { o.name = std::string(5000, 'x'); }) == errc::usage);
  CHECK(code_with([](auto& o) { o.name = std::string("a\0b", 3); }) == errc::usage);
  CHECK(code_with([](auto& o) { o.memory_limit = 1000; }) == errc::memory_limit);
}

TEST_CASE("archives written one after the other are one archive") {
  const bytes first = mixture(10000), second = prose(3), third = random_bytes(9000);
  bytes all, archive;
  for (const bytes& part : {first, {}, second, third}) {
    // Members of different block size, so that the need for memory rises on the way.
    compress_options options = small_blocks();
    options.block_bytes = min_block_bytes << (archive.size() % 3);
    const bytes member = compress(part, options);
    archive.insert(archive.end(), member.begin(), member.end());
    all.insert(all.end(), part.begin(), part.end());
  }
  for (const unsigned threads : {1U, 4U}) {
    decompress_options options;
    options.threads = threads;
    CHECK(decompress(archive, options) == all);
    bytes padded = archive;
    padded.resize(padded.size() + 5000);
    CHECK(decompress(padded, options) == all);

    padded.push_back(std::byte{1});
    test_source in(padded);
    test_sink out;
    CHECK(failure_of([&] { decompress(in, out, options); }) == errc::damaged);
    CHECK(out.content == all);
  }
}

TEST_CASE("every flipped bit is an error, and no wrong byte comes out") {
  const bytes plain = mixture(9500);
  const bytes archive = compress(plain, small_blocks());
  for (const unsigned threads : {1U, 3U}) {
    decompress_options options;
    options.threads = threads;
    const std::size_t step = threads == 1 ? 1 : 97;
    for (std::size_t bit = 0; bit < 8 * archive.size(); bit += step) {
      bytes changed = archive;
      changed[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      test_source in(changed);
      test_sink out;
      const errc code = failure_of([&] { decompress(in, out, options); });
      const bool expected =
          code == errc::damaged || code == errc::truncated || code == errc::not_lmzip;
      REQUIRE(expected);
      REQUIRE(is_prefix(out.content, plain));
    }
  }
}

TEST_CASE("every truncation is an error, and all whole blocks come out") {
  const bytes plain = mixture(9500);
  const bytes archive = compress(plain, small_blocks());
  for (const unsigned threads : {1U, 3U}) {
    decompress_options options;
    options.threads = threads;
    for (std::size_t size = 0; size < archive.size(); size += threads == 1 ? 1 : 41) {
      const bytes cut(archive.begin(), archive.begin() + static_cast<std::ptrdiff_t>(size));
      test_source in(cut);
      test_sink out;
      const errc code = failure_of([&] { decompress(in, out, options); });
      REQUIRE((code == errc::truncated || (size < 8 && code == errc::not_lmzip)));
      REQUIRE(is_prefix(out.content, plain));
      if (size + 116 > archive.size()) CHECK(out.content == plain);
    }
  }
}

TEST_CASE("a fault in the source or sink ends the call with that fault") {
  const bytes plain = mixture(40000);
  const bytes archive = compress(plain, small_blocks());
  for (const unsigned threads : {1U, 3U}) {
    for (const auto kind : {fault::kind::io, fault::kind::memory}) {
      for (const bool in_source : {true, false}) {
        for (const bool compressing : {true, false}) {
          bool succeeded = false;
          for (int at = 0; !succeeded; ++at) {
            fault plan{at, kind};
            test_source in(compressing ? plain : archive, 1000, in_source ? &plan : nullptr);
            test_sink out(in_source ? nullptr : &plan);
            try {
              if (compressing) {
                compress_options options = small_blocks();
                options.threads = threads;
                compress(in, out, options);
              } else {
                decompress_options options;
                options.threads = threads;
                decompress(in, out, options);
              }
              succeeded = true;
              CHECK(out.content == (compressing ? archive : plain));
            } catch (const error& cause) {
              REQUIRE(kind == fault::kind::io);
              REQUIRE(cause.code() == errc::io);
            } catch (const std::bad_alloc&) {
              REQUIRE(kind == fault::kind::memory);
            }
            REQUIRE(is_prefix(out.content, compressing ? archive : plain));
          }
        }
      }
    }
  }
}

TEST_CASE("a request to stop ends the call") {
  const bytes plain = mixture(40000);
  const bytes archive = compress(plain, small_blocks());
  for (const unsigned threads : {1U, 3U}) {
    std::stop_source stop;
    compress_options options = small_blocks();
    options.threads = threads;
    options.stop = stop.get_token();
    options.on_progress = [&](const progress&) { stop.request_stop(); };
    CHECK(failure_of([&] { compress(plain, options); }) == errc::canceled);
    decompress_options reading;
    reading.threads = threads;
    reading.stop = stop.get_token();
    CHECK(failure_of([&] { decompress(archive, reading); }) == errc::canceled);
  }
}

TEST_CASE("an exception from a progress callback passes through") {
  compress_options options = small_blocks();
  options.threads = 2;
  options.on_progress = [](const progress&) { throw std::runtime_error("enough"); };
  CHECK_THROWS_WITH(compress(mixture(40000), options), "enough");
}

TEST_CASE("a memory limit lowers the number of threads, then refuses") {
  const engine::memory_need need{.per_thread = 100, .per_slot = 10, .fixed = 5};
  CHECK(engine::memory_of(need, 1) == 115);
  CHECK(engine::memory_of(need, 4) == 455);
  CHECK(engine::plan_threads(need, 4, 0).threads == 4);
  CHECK(engine::plan_threads(need, 4, 0).slots == 5);
  CHECK(engine::plan_threads(need, 4, 455).slots == 5);
  CHECK(engine::plan_threads(need, 4, 445).slots == 4);
  CHECK(engine::plan_threads(need, 4, 444).threads == 3);
  CHECK(engine::plan_threads(need, 4, 115).threads == 1);
  CHECK_THROWS_WITH(engine::plan_threads(need, 4, 114),
                    "needs 115 bytes of memory, more than the limit of 114");
  CHECK(engine::plan_threads(need, 0, 0).threads >= 1);
  const engine::memory_need absurd{.per_thread = ~std::uint64_t{0}, .per_slot = 1, .fixed = 1};
  CHECK(failure_of([&] { engine::plan_threads(absurd, 1, 1000); }) == errc::memory_limit);
}

TEST_CASE("decoding states its memory and keeps to limits") {
  const bytes plain = mixture(20000);
  const bytes archive = compress(plain, small_blocks());
  decompress_options options;
  options.threads = 4;
  options.memory_limit = std::uint64_t{1} << 20;
  CHECK(failure_of([&] { decompress(archive, options); }) == errc::memory_limit);
  test_source in(archive);
  options.memory_limit = inspect(in).front().memory_per_block;
  CHECK(decompress(archive, options) == plain);

  options = {};
  options.output_limit = plain.size();
  CHECK(decompress(archive, options) == plain);
  --options.output_limit;
  CHECK(failure_of([&] { decompress(archive, options); }) == errc::memory_limit);
}

TEST_CASE("compress_memory grows with threads, blocks and verify") {
  compress_options options;
  CHECK(compress_memory(options, 1) < compress_memory(options, 2));
  const std::uint64_t normal = compress_memory(options, 1);
  options.verify = true;
  CHECK(compress_memory(options, 1) > normal);
  options.verify = false;
  options.block_bytes = min_block_bytes;
  CHECK(compress_memory(options, 1) < normal);
}

TEST_CASE("5 GB of zeros cost neither memory nor room") {
  const std::uint64_t count = 5'000'000'000;
  compress_options options;
  options.level = 1;
  options.block_bytes = std::uint64_t{1} << 20;
  options.memory_limit = std::uint64_t{16} << 20;
  zero_source in(count);
  test_sink archive;
  const totals done = compress(in, archive, options);
  CHECK(done.plain_bytes == count);
  CHECK(archive.content.size() < 100 * done.blocks);
  test_source reading(archive.content);
  zero_sink out;
  decompress(reading, out);
  CHECK(out.zeros == count);
}

TEST_CASE("fast levels make archives that need no codec data") {
  const bytes plain = prose(5000);
  for (int level = min_level; level <= max_level; ++level) {
    const bytes archive = compress(plain, small_blocks(level));
    test_source in(archive);
    const auto members = inspect(in);
    REQUIRE(members.size() == 1);
    CHECK(members[0].codec_data.empty() == (level <= 3));
  }
}
