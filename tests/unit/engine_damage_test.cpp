// Going on after damage: decompress() with on_damage, repair(); and inspect().

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "codec/codec_data.h"
#include "core/hash.h"
#include "engine_support.h"
#include "formats/container/writer.h"
#include "lmzip/inspect.h"

using namespace lmzip;
using namespace lmzip::test;

namespace {

struct outcome {
  bytes plain;
  std::vector<damage> lost;
};

outcome keep_going(const bytes& archive, unsigned threads = 1) {
  outcome result;
  decompress_options options;
  options.threads = threads;
  options.on_damage = [&](const damage& d) { result.lost.push_back(d); };
  result.plain = decompress(archive, options);
  return result;
}

std::vector<member_description> inspected(const bytes& archive) {
  test_source in(archive);
  return inspect(in);
}

// The archive with a byte of the payload of block `number`, from 0, changed.
bytes with_damaged_block(const bytes& archive, std::size_t number) {
  bytes changed = archive;
  const block_description block = inspected(archive).front().blocks.at(number);
  changed[block.offset + container::block_header_bytes + block.coded_bytes / 2] ^= std::byte{4};
  return changed;
}

// A member of one block of any kind.
bytes member_of(const container::member_header& member, container::block_header block,
                const bytes& payload, const bytes& plain) {
  test_sink out;
  container::member_writer writer(out, member);
  block.plain_bytes = static_cast<std::uint32_t>(plain.size());
  block.plain_hash = xxh3_64(plain);
  writer.append(block, payload);
  writer.finish();
  return out.content;
}

std::string text_of(const bytes& archive) {
  try {
    decompress(archive);
  } catch (const error& cause) {
    return cause.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a damaged block is named, left as zeros and passed over") {
  const bytes plain = random_bytes(5 * 4096);
  const bytes archive = compress(plain, small_blocks());
  for (const unsigned threads : {1U, 3U}) {
    for (std::size_t number = 0; number < 5; ++number) {
      const bytes damaged = with_damaged_block(archive, number);
      const std::string text = text_of(damaged);
      CHECK(text.find("corrupt block " + std::to_string(number + 1) + " at offset ") == 0);

      const outcome result = keep_going(damaged, threads);
      bytes expected = plain;
      std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(4096 * number), 4096,
                  std::byte{0});
      CHECK(result.plain == expected);
      REQUIRE(result.lost.size() == 1);
      CHECK(result.lost[0].code == errc::damaged);
      CHECK(result.lost[0].plain_offset == 4096 * number);
      CHECK(result.lost[0].plain_bytes == 4096);
    }
  }
}

TEST_CASE("every flipped byte is survived: the rest is right or zero, and damage is reported") {
  const bytes plain = mixture(9500);
  const bytes archive = compress(plain, small_blocks());
  for (std::size_t i = 0; i < archive.size(); ++i) {
    bytes changed = archive;
    changed[i] ^= std::byte{0x55};
    const outcome result = keep_going(changed);
    REQUIRE(!result.lost.empty());
    REQUIRE(result.plain.size() <= plain.size());
    REQUIRE(
        std::equal(result.plain.begin(), result.plain.end(), plain.begin(),
                   [](std::byte got, std::byte had) { return got == had || got == std::byte{0}; }));
  }
}

TEST_CASE("an intact archive decodes the same when damage would be survived") {
  const bytes plain = mixture(30000);
  const outcome result = keep_going(compress(plain, small_blocks()), 2);
  CHECK(result.plain == plain);
  CHECK(result.lost.empty());
}

TEST_CASE("data in which nothing is an archive is an error all the same") {
  CHECK(failure_of([] { keep_going({}); }) == errc::not_lmzip);
  CHECK(failure_of([] { keep_going(random_bytes(5000)); }) == errc::not_lmzip);
}

TEST_CASE("a senseless plain offset does not make the output endless") {
  const bytes plain = random_bytes(4096);
  const bytes archive = compress(plain, small_blocks());
  // A second block, alone, that claims to stand at 2^61.
  container::block_header header;
  header.plain_bytes = 4096;
  header.plain_hash = xxh3_64(plain);
  auto sealed = container::seal(header, plain);
  sealed.header.plain_offset = std::uint64_t{1} << 61;
  const bytes far = container::serialize(sealed.header);
  bytes joined(archive.begin(), archive.begin() + 72 + 49 + 4096);
  joined.push_back(std::byte{0});  // damage
  joined.insert(joined.end(), far.begin(), far.end());
  joined.insert(joined.end(), sealed.payload.begin(), sealed.payload.end());
  const outcome result = keep_going(joined);
  CHECK(result.plain.size() == 8192);
  CHECK(!result.lost.empty());
}

TEST_CASE("what this build cannot decode is told apart from damage") {
  const bytes plain = prose(100);
  container::member_header member;
  member.block_bytes = 4096;
  member.memory = 1 << 20;
  container::block_header stored;
  CHECK(text_of(member_of(member, stored, plain, plain)).empty());

  container::block_header unknown;
  unknown.codec = 99;
  unknown.codec_version = 3;
  bytes archive = member_of(member, unknown, plain, plain);
  CHECK(failure_of([&] { decompress(archive); }) == errc::unsupported);
  CHECK(text_of(archive) == "needs a newer lmzip (codec 99 version 3)");
  CHECK(keep_going(archive).lost.front().code == errc::unsupported);
  CHECK(inspected(archive).front().blocks.front().codec == "codec 99 3");

  container::member_header other = member;
  other.codec_data.fill(std::byte{0xab});
  archive = member_of(other, stored, plain, plain);
  CHECK(failure_of([&] { decompress(archive); }) == errc::unsupported);
  CHECK(text_of(archive).find("made with other codec data (id abababababababab") == 0);

  other = member;
  other.model = other.codec_data;
  CHECK(decompress(member_of(other, stored, plain, plain)) == plain);  // stored: it needs none
  container::block_header with_network;
  with_network.codec = 3;
  with_network.parameters = 3 | 1 << 7 | 10 << 8;
  other.codec_data = codec::codec_data_id();
  archive = member_of(other, with_network, plain, plain);
  CHECK(failure_of([&] { decompress(archive); }) == errc::missing);
  CHECK(text_of(archive).find("needs the model 0000") == 0);
  other.model.reset();
  other.base_depth = 1;
  archive = member_of(other, stored, plain, plain);
  CHECK(failure_of([&] { decompress(archive); }) == errc::missing);
  CHECK(text_of(archive) == "needs a base, and none was given");
  // A block against a base in a member that says nothing of one.
  container::block_header against;
  against.codec = 9;
  against.parameters = 12;
  other.base_depth = 0;
  archive = member_of(other, against, plain, plain);
  CHECK(failure_of([&] { decompress(archive); }) == errc::damaged);
  CHECK(text_of(archive).find("needs a base, of which its member says nothing") !=
        std::string::npos);
}

TEST_CASE("a block that needs more memory than its member says is damaged") {
  const bytes plain = prose(1000);
  container::member_header member;
  member.block_bytes = 4096;
  member.memory = 0;
  compress_options options = small_blocks();
  const bytes good = compress(plain, options);
  const block_description block = inspected(good).front().blocks.front();
  REQUIRE(block.codec == "zstd 0");
  const auto payload = good.begin() + static_cast<std::ptrdiff_t>(block.offset + 49);
  container::block_header header;
  header.codec = 2;
  header.parameters = 1;
  const bytes archive = member_of(
      member, header, {payload, payload + static_cast<std::ptrdiff_t>(block.coded_bytes)}, plain);
  CHECK(failure_of([&] { decompress(archive); }) == errc::damaged);
}

TEST_CASE("inspect describes an archive") {
  const bytes plain = mixture(20000);
  compress_options options = small_blocks();
  options.strong = true;
  options.name = "some name";
  bytes archive = compress(plain, options);
  const bytes second = compress(prose(100), small_blocks(3));
  archive.insert(archive.end(), second.begin(), second.end());
  const auto members = inspected(archive);
  REQUIRE(members.size() == 2);
  CHECK(members[0].offset == 0);
  CHECK(members[0].plain_bytes == plain.size());
  CHECK(members[0].coded_bytes + members[1].coded_bytes == archive.size());
  CHECK(members[1].offset == members[0].coded_bytes);
  CHECK(members[0].strong);
  CHECK(members[0].name == "some name");
  CHECK(members[0].block_bytes == min_block_bytes);
  CHECK(members[0].memory_per_block > 2 * min_block_bytes);
  CHECK(members[0].codec_data.empty());
  CHECK(members[1].name.empty());
  REQUIRE(members[0].blocks.size() == 5);
  CHECK(members[0].blocks[0].codec == "zstd 0");
  CHECK(members[0].blocks[0].parameters == "level 1");
  CHECK(members[0].blocks[0].reason == "chosen by the level");
  CHECK(members[0].blocks[1].plain_offset == 4096);
  CHECK(std::any_of(members[0].blocks.begin(), members[0].blocks.end(),
                    [](const auto& b) { return b.codec == "fill 0"; }));
  CHECK(failure_of([] { inspected({}); }) == errc::not_lmzip);
  archive.pop_back();
  CHECK(failure_of([&] { inspected(archive); }) == errc::truncated);
}

TEST_CASE("repair copies a clean archive byte for byte") {
  bytes archive = compress(mixture(20000), small_blocks());
  const bytes empty = compress(bytes{}, small_blocks()), more = compress(prose(5), small_blocks(6));
  archive.insert(archive.end(), empty.begin(), empty.end());
  archive.insert(archive.end(), more.begin(), more.end());
  test_source in(archive);
  test_sink out;
  const repair_report report = repair(in, out);
  CHECK(out.content == archive);
  CHECK(report.lost.empty());
  CHECK(report.written.members == 3);
  CHECK(report.written.coded_bytes == archive.size());
}

TEST_CASE("repair leaves out what is lost and makes a valid archive of the rest") {
  const bytes plain = random_bytes(5 * 4096);
  for (const bool strong : {false, true}) {
    compress_options options = small_blocks();
    options.strong = strong;
    const bytes archive = compress(plain, options);
    for (std::size_t i = 0; i < archive.size(); i += strong ? 37 : 1) {
      bytes changed = archive;
      changed[i] ^= std::byte{0x10};
      test_source in(changed);
      test_sink out;
      const repair_report report = repair(in, out);
      REQUIRE(!report.lost.empty());
      const bytes mended = decompress(out.content);
      // At most one block is missing, the others stand in their order.
      REQUIRE(mended.size() >= plain.size() - 4096);
      std::size_t from = 0;
      for (std::size_t at = 0; at < mended.size(); at += 4096, from += 4096) {
        if (!std::equal(mended.begin() + static_cast<std::ptrdiff_t>(at),
                        mended.begin() + static_cast<std::ptrdiff_t>(at + 4096),
                        plain.begin() + static_cast<std::ptrdiff_t>(from)))
          from += 4096;
        REQUIRE(std::equal(mended.begin() + static_cast<std::ptrdiff_t>(at),
                           mended.begin() + static_cast<std::ptrdiff_t>(at + 4096),
                           plain.begin() + static_cast<std::ptrdiff_t>(from)));
      }
    }
  }
}

TEST_CASE("repair of a beheaded archive keeps every block") {
  const bytes plain = mixture(20000);
  for (const int level : {1, 6}) {
    const bytes archive = compress(plain, small_blocks(level));
    const bytes headless(archive.begin() + 60, archive.end());
    test_source in(headless);
    test_sink out;
    const repair_report report = repair(in, out);
    CHECK(!report.lost.empty());
    CHECK(decompress(out.content) == plain);
  }
}

TEST_CASE("repair of something else, or with nothing left, is an error") {
  const auto code_of = [](const bytes& input) {
    test_source in(input);
    test_sink out;
    return failure_of([&] { repair(in, out); });
  };
  CHECK(code_of({}) == errc::not_lmzip);
  CHECK(code_of(random_bytes(10000)) == errc::not_lmzip);
}

TEST_CASE("repair can be stopped") {
  std::stop_source stop;
  stop.request_stop();
  const bytes archive = compress(prose(10), small_blocks());
  test_source in(archive);
  test_sink out;
  decompress_options options;
  options.stop = stop.get_token();
  CHECK(failure_of([&] { repair(in, out, options); }) == errc::canceled);
}
