// The ways to use the library: incremental, Boost filters, C interface.

#include <doctest/doctest.h>

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "engine_support.h"
#include "lmzip/boost_filters.h"
#include "lmzip/incremental.h"
#include "lmzip/lmzip.h"

using namespace lmzip;
using namespace lmzip::test;
namespace io = boost::iostreams;

namespace {

// Feeds `in` in pieces and collects the output through a small buffer.
bytes run_through(incremental& coder, const bytes& in, std::size_t in_piece,
                  std::size_t out_piece) {
  bytes result, room(out_piece);
  std::size_t position = 0;
  for (;;) {
    const std::size_t count = std::min(in_piece, in.size() - position);
    const bool last = position + count == in.size();
    const auto step = coder.run(std::span(in).subspan(position, count), room, last);
    position += step.consumed;
    result.insert(result.end(), room.begin(),
                  room.begin() + static_cast<std::ptrdiff_t>(step.produced));
    if (step.finished) return result;
  }
}

std::string text_of(const bytes& content) {
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

lmzip_options small_c_options() {
  lmzip_options options;
  lmzip_options_init(&options, sizeof options);
  options.level = 1;
  options.block_bytes = 4096;
  return options;
}

}  // namespace

TEST_CASE("piece by piece gives the same bytes as at once") {
  for (const std::size_t size : {0, 1, 5000, 60000}) {
    const bytes plain = mixture(size);
    const bytes archive = compress(plain, small_blocks());
    for (const unsigned threads : {1U, 3U}) {
      for (const auto& [in_piece, out_piece] :
           {std::pair<std::size_t, std::size_t>{1, 100}, {777, 1}, {100000, 100000}, {64, 64}}) {
        compress_options options = small_blocks();
        options.threads = threads;
        incremental coder(options);
        REQUIRE(run_through(coder, plain, in_piece, out_piece) == archive);
        decompress_options reading;
        reading.threads = threads;
        incremental decoder(reading);
        REQUIRE(run_through(decoder, archive, in_piece, out_piece) == plain);
      }
    }
  }
}

TEST_CASE("an error comes after what was valid, and stays") {
  const bytes plain = random_bytes(10000);
  bytes archive = compress(plain, small_blocks());
  archive.resize(archive.size() - 200);
  incremental decoder{decompress_options{}};
  bytes room(20000);
  const auto step = decoder.run(archive, room, true);
  CHECK(step.produced == 8192);
  CHECK(!step.finished);
  for (int i = 0; i < 2; ++i)
    CHECK(failure_of([&] { decoder.run({}, room, true); }) == errc::truncated);
  CHECK(failure_of([&] { incremental(small_blocks(77)).run({}, room, true); }) == errc::usage);
}

TEST_CASE("an unfinished object can be dropped at any time") {
  const bytes plain = mixture(50000);
  { incremental unused{small_blocks()}; }
  {
    incremental fed{small_blocks()};
    bytes room(10);
    fed.run(plain, room, false);
    incremental moved = std::move(fed);
    moved.run({}, room, false);
  }
  const bytes archive = compress(plain, small_blocks());
  incremental decoder{decompress_options{}};
  bytes room(10);
  decoder.run(archive, room, false);
}

TEST_CASE("Boost filters work in input and output streams") {
  const bytes plain = mixture(100000);
  const bytes archive = compress(plain, small_blocks());
  const std::string plain_text = text_of(plain), archive_text = text_of(archive);

  std::vector<char> written;  // GCC 12 warns about inserting into strings
  {
    io::filtering_ostream out;
    out.push(compress_filter(small_blocks()));
    out.push(io::back_inserter(written));
    out.write(plain_text.data(), static_cast<std::streamsize>(plain_text.size()));
    io::close(out);
  }
  CHECK(std::string(written.begin(), written.end()) == archive_text);

  written.clear();
  {
    io::filtering_ostream out;
    out.push(decompress_filter());
    out.push(io::back_inserter(written));
    out.write(archive_text.data(), static_cast<std::streamsize>(archive_text.size()));
    io::close(out);
  }
  CHECK(std::string(written.begin(), written.end()) == plain_text);

  const auto read_through = [](auto filter, const std::string& text) {
    io::filtering_istream in;
    in.push(filter);
    in.push(io::array_source(text.data(), text.size()));
    std::vector<char> result;
    io::copy(in, io::back_inserter(result));
    return std::string(result.begin(), result.end());
  };
  CHECK(read_through(compress_filter(small_blocks()), plain_text) == archive_text);
  CHECK(read_through(decompress_filter(), archive_text) == plain_text);
  CHECK(read_through(compress_filter(small_blocks()), "") ==
        text_of(compress(bytes{}, small_blocks())));
}

TEST_CASE("Boost filters throw the library's errors") {
  const std::string garbage = "this is no archive";
  io::filtering_istream in;
  in.push(decompress_filter());
  in.push(io::array_source(garbage.data(), garbage.size()));
  in.exceptions(std::ios::badbit);
  std::vector<char> result;
  CHECK(failure_of([&] { io::copy(in, io::back_inserter(result)); }) == errc::not_lmzip);

  std::vector<char> written;
  io::filtering_ostream out;
  out.push(decompress_filter());
  out.push(io::back_inserter(written));
  out << garbage;
  CHECK(failure_of([&] { io::close(out); }) == errc::not_lmzip);
}

TEST_CASE("the C interface gives the same archive, and its plain bytes") {
  const bytes plain = mixture(30000);
  const lmzip_options options = small_c_options();
  void* archive = nullptr;
  std::size_t archive_bytes = 0;
  REQUIRE(lmzip_compress(plain.data(), plain.size(), &options, &archive, &archive_bytes) ==
          LMZIP_OK);
  const auto* const begin = static_cast<const std::byte*>(archive);
  CHECK(bytes(begin, begin + archive_bytes) == compress(plain, small_blocks()));

  void* again = nullptr;
  std::size_t again_bytes = 0;
  REQUIRE(lmzip_decompress(archive, archive_bytes, nullptr, &again, &again_bytes) == LMZIP_OK);
  CHECK(again_bytes == plain.size());
  CHECK(std::memcmp(again, plain.data(), plain.size()) == 0);
  lmzip_free(archive);
  lmzip_free(again);

  REQUIRE(lmzip_compress(nullptr, 0, &options, &archive, &archive_bytes) == LMZIP_OK);
  REQUIRE(lmzip_decompress(archive, archive_bytes, nullptr, &again, &again_bytes) == LMZIP_OK);
  CHECK(again != nullptr);
  CHECK(again_bytes == 0);
  lmzip_free(archive);
  lmzip_free(again);
}

TEST_CASE("the C interface turns every failure into a code") {
  void* out = &out;
  std::size_t out_bytes = 5;
  CHECK(lmzip_decompress("garbage", 7, nullptr, &out, &out_bytes) == LMZIP_NOT_LMZIP);
  CHECK(out == nullptr);
  CHECK(out_bytes == 0);
  CHECK(lmzip_compress(nullptr, 5, nullptr, &out, &out_bytes) == LMZIP_USAGE);
  CHECK(lmzip_compress("x", 1, nullptr, nullptr, &out_bytes) == LMZIP_USAGE);
  CHECK(lmzip_compress("x", 1, nullptr, &out, nullptr) == LMZIP_USAGE);
  lmzip_options options = small_c_options();
  options.level = 12;
  CHECK(lmzip_compress("x", 1, &options, &out, &out_bytes) == LMZIP_USAGE);
  options = small_c_options();
  options.memory_limit = 100;
  CHECK(lmzip_compress("x", 1, &options, &out, &out_bytes) == LMZIP_MEMORY_LIMIT);
  CHECK(lmzip_compress_begin(nullptr, nullptr) == LMZIP_USAGE);
  CHECK(lmzip_stream_run(nullptr, nullptr, 0) == LMZIP_USAGE);
  lmzip_stream_free(nullptr);
  lmzip_free(nullptr);
}

TEST_CASE("the C interface accepts options of older and newer programs") {
  struct newer_options {
    lmzip_options known;
    std::uint64_t unknown;
  } newer;
  lmzip_options_init(&newer.known, sizeof newer);
  newer.known.level = 1;
  void* out = nullptr;
  std::size_t out_bytes = 0;
  CHECK(newer.unknown == 0);
  REQUIRE(lmzip_compress("x", 1, &newer.known, &out, &out_bytes) == LMZIP_OK);
  lmzip_free(out);
  newer.unknown = 1;
  CHECK(lmzip_compress("x", 1, &newer.known, &out, &out_bytes) == LMZIP_USAGE);

  lmzip_options older = small_c_options();
  older.size = offsetof(lmzip_options, threads);
  older.threads = 999;  // not known to the program, so not looked at
  older.block_bytes = 1;
  REQUIRE(lmzip_compress("x", 1, &older, &out, &out_bytes) == LMZIP_OK);
  lmzip_free(out);
  older.size = 3;
  CHECK(lmzip_compress("x", 1, &older, &out, &out_bytes) == LMZIP_USAGE);
  older.size = 1 << 20;
  CHECK(lmzip_compress("x", 1, &older, &out, &out_bytes) == LMZIP_USAGE);
}

TEST_CASE("C streams code piece by piece") {
  const bytes plain = mixture(30000);
  const lmzip_options options = small_c_options();
  lmzip_stream* stream = nullptr;
  REQUIRE(lmzip_compress_begin(&options, &stream) == LMZIP_OK);
  bytes archive(60000);
  lmzip_buffers buffers = {plain.data(), plain.size(), archive.data(), archive.size(), 0};
  while (!buffers.finished) REQUIRE(lmzip_stream_run(stream, &buffers, 1) == LMZIP_OK);
  lmzip_stream_free(stream);
  archive.resize(archive.size() - buffers.out_bytes);
  CHECK(archive == compress(plain, small_blocks()));

  REQUIRE(lmzip_decompress_begin(nullptr, &stream) == LMZIP_OK);
  bytes again(plain.size());
  buffers = {archive.data(), archive.size() - 10, again.data(), again.size(), 0};
  int code = LMZIP_OK;
  while (code == LMZIP_OK && !buffers.finished) code = lmzip_stream_run(stream, &buffers, 1);
  CHECK(code == LMZIP_TRUNCATED);
  CHECK(again == plain);
  lmzip_stream_free(stream);
}

TEST_CASE("every code has its text") {
  for (int code = LMZIP_OK; code <= LMZIP_INTERNAL; ++code) {
    CHECK(std::string(lmzip_error_text(code)) != "unknown error");
    for (int other = LMZIP_OK; other < code; ++other)
      CHECK(std::string(lmzip_error_text(code)) != lmzip_error_text(other));
  }
  CHECK(std::string(lmzip_error_text(-5)) == "unknown error");
  CHECK(std::string(lmzip_version()).find('.') != std::string::npos);
  CHECK(lmzip_abi_version() == LMZIP_ABI_VERSION);
}
