// Compressing against a base, and bases: names, contents, chains.

#include <doctest/doctest.h>

#include <cstdio>
#include <numeric>

#include "base_support.h"
#include "engine/base_match.h"
#include "engine/base_pool.h"
#include "formats/container/writer.h"
#include "lmzip/archive_reader.h"
#include "lmzip/incremental.h"
#include "lmzip/inspect.h"
#include "lmzip/lmzip.h"

using namespace lmzip;
using namespace lmzip::test;

namespace {

constexpr std::size_t many = 40000;

/// Steps of a training run, the oldest first.
std::vector<bytes> steps(std::size_t count) {
  std::vector<bytes> files;
  std::vector<float> numbers = weights(many, 1);
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) numbers = trained(std::move(numbers), 100 + i);
    files.push_back(one_matrix(numbers));
  }
  return files;
}

std::string failure_text(const bytes& archive, const base_handle& base) {
  try {
    decompress_with(archive, base);
  } catch (const error& cause) {
    CHECK(cause.code() == errc::missing);
    return cause.what();
  }
  return {};
}

/// An archive of a checkpoint with stored blocks that claims to be in a chain of that depth.
bytes at_depth(const bytes& plain, std::uint16_t depth) {
  test_sink out;
  container::member_header header;
  header.base_depth = depth;
  container::member_writer writer(out, header);
  container::block_header block;
  block.plain_bytes = static_cast<std::uint32_t>(plain.size());
  block.plain_hash = xxh3_64(plain);
  writer.append(block, plain);
  writer.finish();
  return out.content;
}

std::string codec_of(const bytes& archive, std::size_t block) {
  test_source in(archive);
  return inspect(in).front().blocks.at(block).codec;
}

}  // namespace

TEST_CASE("a checkpoint is coded against the one before, and comes back with that only") {
  const auto files = steps(2);
  const base_handle base = base_of({files[0]});
  CHECK(describe_base(base).depth == 0);
  CHECK(describe_base(base).tensors == 1);
  CHECK(describe_base(base).bytes == 4 * many);
  const bytes archive = compress_against(files[1], base);
  CHECK(archive.size() < compress(files[1], small_blocks()).size() * 7 / 8);
  CHECK(codec_of(archive, 1) == "delta 0");
  CHECK(decompress_with(archive, base) == files[1]);
  CHECK(failure_text(archive, nullptr) == "needs a base, and none was given");
  CHECK(failure_text(archive, base_of({files[1]})).starts_with("needs another base: "));
}

TEST_CASE("the archive does not depend on threads, and verification finds nothing") {
  const auto files = steps(2);
  compress_options options;
  options.level = 4;
  options.base = base_of({files[0]});
  options.block_bytes = 16384;
  const bytes archive = compress(files[1], options);
  options.threads = 3;
  options.verify = true;
  CHECK(compress(files[1], options) == archive);
  decompress_options decoding;
  decoding.base = options.base;
  decoding.threads = 3;
  CHECK(decompress(archive, decoding) == files[1]);
}

TEST_CASE("chains of archives decode from all that they need, in any order") {
  const auto files = steps(4);
  std::vector<bytes> chain{files[0]};
  for (std::size_t i = 1; i < files.size(); ++i) {
    const base_handle base = base_of(chain);
    CHECK(describe_base(base).depth == i - 1);
    chain.push_back(compress_against(files[i], base));
    CHECK(codec_of(chain.back(), 1) == "delta 0");
  }
  const bytes last = chain.back();
  chain.pop_back();
  CHECK(decompress_with(last, base_of(chain)) == files[3]);
  std::swap(chain[0], chain[2]);
  CHECK(decompress_with(last, base_of(chain, {.cache_bytes = 0})) == files[3]);
  CHECK(decompress_with(last, base_of({files[2]})) == files[3]);
  CHECK(failure_text(last, base_of({chain[0], chain[1]})).find("(base 0: ") != std::string::npos);
  memory_file archive(last);
  archive_reader reader(archive, {.base = base_of({files[2]})});
  CHECK(reader.base_depth() == 3);
  CHECK(reader.read(0, files[3].size()) == files[3]);
}

TEST_CASE("archives that need each other, or themselves, are not decoded for ever") {
  const auto files = steps(2);
  const bytes there = compress_against(files[1], base_of({files[0]}));
  const bytes back = compress_against(files[0], base_of({files[1]}));
  CHECK(failure_text(there, base_of({there})).starts_with("needs another base"));
  CHECK(failure_text(there, base_of({there, back})).starts_with("needs another base"));
  CHECK(failure_text(back, base_of({back, there})).starts_with("needs another base"));
}

TEST_CASE("chains have an end") {
  const auto files = steps(2);
  const bytes deep = at_depth(files[0], 254);
  const bytes archive = compress_against(files[1], base_of({deep}));
  CHECK(decompress_with(archive, base_of({deep})) == files[1]);
  const base_handle deepest = base_of({at_depth(files[0], 255)});
  CHECK(describe_base(deepest).depth == 255);
  CHECK(failure_of([&] { compress_against(files[1], deepest); }) == errc::usage);
}

TEST_CASE("tensors are found by name, and by content where no name fits") {
  const auto a = weights(many, 1), b = weights(many, 2), c = weights(many, 3);
  const auto matrix = [](const char* name, const std::vector<float>& numbers) {
    return named_tensor{name, dtype::f32, "400,100", bytes_of(numbers)};
  };
  const base_handle base = base_of({checkpoint({matrix("a", a), matrix("b", b), matrix("c", c)})});
  const bytes plain = checkpoint(
      {matrix("x", trained(c, 9)), matrix("b", trained(b, 8)), matrix("y", trained(a, 7))});
  const bytes archive = compress_against(plain, base);
  CHECK(codec_of(archive, 1) == "delta 0");
  CHECK(archive.size() < compress(plain, small_blocks()).size() * 7 / 8);
  CHECK(decompress_with(archive, base) == plain);
}

TEST_CASE("partners have as many numbers of a type that can be cast") {
  const base_handle base =
      base_of({checkpoint({{"f", dtype::f32, "8", bytes(32)}, {"i", dtype::i32, "8", bytes(32)}})});
  tensors::tensor_layout layout;
  const auto add = [&](std::string name, dtype type, std::uint64_t count) {
    tensors::tensor t;
    t.name = std::move(name);
    t.type = type;
    t.shape = {count};
    t.bytes = count * bits_of(type) / 8;
    layout.tensors.push_back(t);
  };
  add("f", dtype::bf16, 8);  // cast
  add("f", dtype::f32, 7);   // too short
  add("f", dtype::i32, 8);   // by content: i, which the next name takes
  add("i", dtype::i32, 8);
  add("", dtype::f32, 8);  // f is taken
  const auto found = engine::match(layout, *base);
  CHECK(found[0].named == 0u);
  CHECK(found[1].empty());
  CHECK(found[2].empty());
  CHECK(found[3].named == 1u);
  CHECK(found[4].empty());
}

TEST_CASE("of files that hold a name the nearest one counts, in whatever order they are given") {
  const auto files = steps(3);
  const bytes second = compress_against(files[1], base_of({files[0]}));
  const base_handle base = base_of({second, files[0]});
  CHECK(base->tensors()[*base->named("w")].file == 1);
  const base_handle other = base_of({files[0], second});
  CHECK(other->tensors()[*other->named("w")].file == 0);
  // The nearer one is taken all the same.
  CHECK(compress_against(files[2], base).size() == compress_against(files[2], other).size());
  CHECK(decompress_with(compress_against(files[2], other), base_of({files[1]})) == files[2]);
}

TEST_CASE("at most so many tensors are tried for their content") {
  std::vector<named_tensor> all;
  for (int i = 0; i < 100; ++i)
    all.push_back({"t" + std::to_string(i), dtype::f32, "8", bytes(32, static_cast<std::byte>(i))});
  const base_handle base = base_of({checkpoint(all)});
  tensors::tensor_layout layout;
  tensors::tensor t;
  t.type = dtype::f32;
  t.shape = {8};
  t.bytes = 32;
  layout.tensors = {t, t};
  const auto found = engine::match(layout, *base);
  REQUIRE(found[0].choice != nullptr);
  CHECK(found[0].choice->size() == engine::most_tried);
  CHECK(found[1].choice == found[0].choice);
}

TEST_CASE("numbers of all types go against a base, of all sizes") {
  for (unsigned i = 1; i < dtype_count; ++i) {
    const auto type = static_cast<dtype>(i);
    CAPTURE(name_of(type));
    for (const std::size_t count : {0, 8, 16, 4096, 100000}) {
      CAPTURE(count);
      bytes numbers = random_bytes(count * bits_of(type) / 8, i);
      for (std::size_t k = 0; k < numbers.size(); k += 3) numbers[k] = std::byte{60};
      const auto file = [&](const bytes& content) {
        return checkpoint({{"n", type, std::to_string(count), content},
                           {"small", type, "8", bytes(bits_of(type), std::byte{5})}});
      };
      const base_handle base = base_of({file(numbers)});
      for (std::size_t k = 0; k < numbers.size(); k += 50) numbers[k] ^= std::byte{1};
      const bytes plain = file(numbers);
      CHECK(decompress_with(compress_against(plain, base), base) == plain);
    }
  }
}

TEST_CASE("tiny tensors do not cost more against a base than without one") {
  std::vector<named_tensor> all;
  for (int i = 0; i < 5000; ++i)
    all.push_back({"t" + std::to_string(i), dtype::bf16, "3", random_bytes(6, unsigned(i))});
  const bytes before = checkpoint(all);
  for (named_tensor& each : all) each.content[0] ^= std::byte{1};
  const bytes plain = checkpoint(all);
  const base_handle base = base_of({before});
  const bytes archive = compress_against(plain, base);
  CHECK(archive.size() <= compress(plain, small_blocks()).size() + 2000);
  CHECK(decompress_with(archive, base) == plain);
}

TEST_CASE("what holds no tensors is no base, and no file is none") {
  CHECK(failure_of([] { base_of({prose(1000)}); }) == errc::usage);
  CHECK(failure_of([] { base_of({compress(prose(1000), small_blocks())}); }) == errc::usage);
  CHECK(failure_of([] { base_of({}); }) == errc::usage);
  CHECK(failure_of([] { open_base({base_input{}}); }) == errc::usage);
  CHECK(failure_of([] { open_base(std::vector<std::string>{"/nowhere/model"}); }) == errc::io);
}

TEST_CASE("what has no tensors like those of the base needs none") {
  const base_handle base = base_of({one_matrix(weights(many, 1))});
  const bytes text = prose(100000);
  CHECK(decompress(compress_against(text, base)) == text);
  const bytes other = checkpoint({{"v", dtype::f32, "64,100", bytes_of(weights(6400, 2))}});
  CHECK(decompress(compress_against(other, base)) == other);
  CHECK(compress_against(other, base) == compress_against(other, nullptr));
}

TEST_CASE("every flip in a small archive against a base is found") {
  const auto numbers = weights(256, 1);
  const base_handle base = base_of({one_matrix(numbers)});
  const bytes plain = one_matrix(trained(numbers, 2));
  const bytes archive = compress_against(plain, base);
  REQUIRE(decompress_with(archive, base) == plain);
  for (std::size_t at = 0; at < archive.size(); ++at) {
    CAPTURE(at);
    bytes changed = archive;
    changed[at] ^= std::byte{4};
    CHECK(failure_of([&] { decompress_with(changed, base); }) != errc{0});
    changed.resize(at);
    CHECK(failure_of([&] { decompress_with(changed, base); }) != errc{0});
  }
}

TEST_CASE("salvage without the base loses the blocks that need it") {
  const auto files = steps(2);
  const bytes archive = compress_against(files[1], base_of({files[0]}));
  decompress_options options;
  std::vector<damage> lost;
  options.on_damage = [&](const damage& part) { lost.push_back(part); };
  bytes wanted = files[1];
  std::fill(wanted.end() - 4 * many, wanted.end(), std::byte{0});
  CHECK(decompress(archive, options) == wanted);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].code == errc::missing);
  options.base = base_of({files[0]});
  CHECK(decompress(archive, options) == files[1]);
  test_source in(archive);
  test_sink out;
  CHECK(failure_of([&] { repair(in, out); }) == errc::missing);
}

TEST_CASE("memory of a base counts") {
  const auto files = steps(2);
  compress_options options;
  const std::uint64_t without = compress_memory(options, 1);
  const bytes archive = compress_against(files[1], base_of({files[0]}));
  options.base = base_of({archive, files[0]}, {.cache_bytes = 1 << 20});
  CHECK(compress_memory(options, 1) > without + (1 << 20));
  options.memory_limit = 4096;
  CHECK(failure_of([&] { compress(files[1], options); }) == errc::memory_limit);
  CHECK(failure_of([&] {
          base_of({archive, files[0]}, {.memory_limit = 4096});
        }) == errc::memory_limit);
}

TEST_CASE("the C interface and incremental coding take a base") {
  const auto files = steps(2);
  struct file {
    const bytes& content;
    static int read_at(void* context, uint64_t offset, void* into, size_t count, size_t* done) {
      const bytes& all = static_cast<file*>(context)->content;
      *done = offset >= all.size() ? 0 : std::min<std::size_t>(count, all.size() - offset);
      if (*done > 0) std::memcpy(into, all.data() + offset, *done);
      return 0;
    }
  } from{files[0]};
  const lmzip_base_input input{"before", file::read_at, &from, files[0].size()};
  lmzip_base* base = nullptr;
  REQUIRE(lmzip_base_open_sources(&input, 1, nullptr, &base) == LMZIP_OK);
  lmzip_options options;
  lmzip_options_init(&options, sizeof options);
  CHECK(options.base == nullptr);
  options.base = base;
  void* archive = nullptr;
  std::size_t archive_bytes = 0;
  REQUIRE(lmzip_compress(files[1].data(), files[1].size(), &options, &archive, &archive_bytes) ==
          LMZIP_OK);
  void* plain = nullptr;
  std::size_t plain_bytes = 0;
  CHECK(lmzip_decompress(archive, archive_bytes, nullptr, &plain, &plain_bytes) == LMZIP_MISSING);
  REQUIRE(lmzip_decompress(archive, archive_bytes, &options, &plain, &plain_bytes) == LMZIP_OK);
  CHECK(plain_bytes == files[1].size());
  CHECK(std::memcmp(plain, files[1].data(), plain_bytes) == 0);
  lmzip_free(plain);
  lmzip_free(archive);
  lmzip_base_free(base);
  lmzip_base_free(nullptr);
  CHECK(lmzip_base_open_sources(&input, 0, nullptr, &base) == LMZIP_USAGE);
  CHECK(lmzip_base_open(nullptr, 1, nullptr, &base) == LMZIP_USAGE);
  const char* const path = "/nowhere/model";
  CHECK(lmzip_base_open(&path, 1, nullptr, &base) == LMZIP_IO);
  CHECK(base == nullptr);
}

TEST_CASE("tensors of a program are coded as one beside others against the base") {
  const auto numbers = weights(many, 1);
  const base_handle base = base_of({one_matrix(numbers)});
  bytes ramp(8 * 50000);
  for (std::size_t i = 0; i < 50000; ++i) ramp[8 * i] = static_cast<std::byte>(i & 255);
  for (std::size_t i = 0; i < 50000; ++i) ramp[8 * i + 1] = static_cast<std::byte>(i >> 8);
  const bytes plain = checkpoint(
      {{"w", dtype::f32, std::to_string(many / 64) + ",64", bytes_of(trained(numbers, 2))},
       {"positions", dtype::i64, "50000", ramp}});
  compress_options options;
  options.base = base;
  const bytes archive = compress(plain, options);
  CHECK(codec_of(archive, 1) == "delta 0");
  CHECK(codec_of(archive, 2) == "brevis 0");
  CHECK(decompress_with(archive, base) == plain);
}
