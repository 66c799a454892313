#include <doctest/doctest.h>

#include <map>

#include "container_support.h"

namespace lmzip::container::test {
namespace {

const std::vector<bytes> plains = {random_bytes(300, 1), to_bytes("second"), random_bytes(150, 3),
                                   random_bytes(80, 4)};

bytes joined(const std::vector<bytes>& parts) {
  bytes all;
  for (const bytes& part : parts) all = all + part;
  return all;
}

std::vector<event> salvage(const bytes& archive, std::size_t step = ~std::size_t{0}) {
  return read_all(archive, {.resynchronise = true}, step);
}

/// What a caller that fills gaps with zeros makes of the events, one string a member.
/// Fails if a block does not lie where the damage before it says, or is not what it claims to be.
std::vector<bytes> assemble(const std::vector<event>& events) {
  std::vector<bytes> members;
  bool inside = false;
  for (const event& each : events) {
    if (std::holds_alternative<member_begin>(each)) {
      REQUIRE_FALSE(inside);
      inside = true;
      members.emplace_back();
    } else if (const auto* lost = std::get_if<damage>(&each)) {
      REQUIRE_FALSE(lost->text.empty());
      if (!inside) {
        REQUIRE(lost->plain_bytes == 0);
        continue;
      }
      REQUIRE(lost->plain_offset == members.back().size());
      members.back().resize(members.back().size() + lost->plain_bytes);
    } else if (const auto* found = std::get_if<block>(&each)) {
      REQUIRE(inside);
      REQUIRE(found->header.plain_offset == members.back().size());
      REQUIRE(xxh3_64(found->payload) == found->header.plain_hash);
      members.back() = members.back() + found->payload;
    } else if (const auto* end = std::get_if<member_end>(&each)) {
      REQUIRE(inside);
      REQUIRE(end->end.plain_bytes == members.back().size());
      inside = false;
    }
  }
  REQUIRE_FALSE(inside);
  return members;
}

/// How many of the blocks of `plains` were delivered, with their bytes intact.
std::size_t delivered(const std::vector<event>& events, const std::vector<bytes>& expected) {
  std::map<std::uint64_t, std::size_t> wanted;
  for (const bytes& plain : expected) ++wanted[xxh3_64(plain)];
  std::size_t count = 0;
  for (const block& each : only<block>(events)) {
    auto found = wanted.find(xxh3_64(each.payload));
    REQUIRE(found != wanted.end());
    REQUIRE(found->second > 0);
    --found->second;
    ++count;
  }
  return count;
}

std::size_t block_offset(std::size_t number) {
  std::size_t at = 72;
  for (std::size_t i = 0; i < number; ++i) at += 49 + plains[i].size();
  return at;
}

}  // namespace

TEST_CASE("an intact archive gives the same events with and without resynchronisation") {
  const bytes archive = make_member(plains) + make_member({}) + bytes(100);
  const auto events = salvage(archive);
  CHECK(only<damage>(events).empty());
  CHECK(plain_of(events) == joined(plains));
  CHECK(only<member_end>(events).size() == 2);
}

TEST_CASE("after any flipped byte all other blocks are delivered in their places") {
  const bytes archive = make_member(plains);
  const bytes whole = joined(plains);
  for (std::size_t at = 0; at < archive.size(); ++at) {
    bytes damaged = archive;
    damaged[at] ^= std::byte{0xff};
    const auto events = salvage(damaged);
    REQUIRE_FALSE(only<damage>(events).empty());
    const std::size_t count = delivered(events, plains);
    const bool in_block = at >= 72 && at < block_offset(plains.size());
    REQUIRE_MESSAGE(count == plains.size() - (in_block ? 1 : 0), "byte " << at);
    const auto members = assemble(events);
    REQUIRE(members.size() == 1);
    REQUIRE(members[0].size() == whole.size());
  }
}

TEST_CASE("after any cut all whole blocks are delivered") {
  const bytes archive = make_member(plains);
  for (std::size_t size = 0; size < archive.size(); ++size) {
    const auto events = salvage(cut(archive, 0, size));
    REQUIRE_FALSE(only<damage>(events).empty());
    std::size_t whole = 0;
    while (whole < plains.size() && block_offset(whole + 1) <= size) ++whole;
    REQUIRE(delivered(events, plains) == whole);
    assemble(events);
  }
}

TEST_CASE(
    "whatever is removed, overwritten or inserted, the blocks it does not touch are delivered") {
  const bytes archive = make_member(plains) + make_member(plains);
  const std::size_t half = archive.size() / 2;
  std::vector<bytes> expected = plains;
  expected.insert(expected.end(), plains.begin(), plains.end());
  std::minstd_rand random(5);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t from = random() % archive.size();
    const std::size_t to = std::min<std::size_t>(archive.size(), from + 1 + random() % 400);
    bytes middle;
    if (round % 3 == 1) middle = bytes(to - from);
    if (round % 3 == 2) middle = random_bytes(random() % 300, static_cast<unsigned>(round));
    const bytes damaged = cut(archive, 0, from) + middle + cut(archive, to, archive.size());
    if (damaged == archive) continue;  // zeros over zeros
    std::size_t untouched = 0;
    for (std::size_t member = 0; member < 2; ++member) {
      for (std::size_t i = 0; i < plains.size(); ++i) {
        const std::size_t begin = member * half + block_offset(i);
        const std::size_t end = member * half + block_offset(i + 1);
        untouched += end <= from || begin >= to;
      }
    }
    const auto events = salvage(damaged, 1 + random() % 5000);
    REQUIRE_FALSE(only<damage>(events).empty());
    const std::size_t count = delivered(events, expected);
    REQUIRE_MESSAGE(count >= untouched, "round " << round << ": " << from << " to " << to);
    assemble(events);
  }
}

TEST_CASE("a damaged payload loses its block alone, and keeps the numbers of the others") {
  bytes damaged = make_member(plains);
  damaged[block_offset(1) + 50] ^= std::byte{1};
  const auto events = salvage(damaged);
  const auto lost = only<damage>(events);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].code == errc::damaged);
  CHECK(lost[0].text.rfind(corrupt_block_text(2, block_offset(1)), 0) == 0);
  CHECK(lost[0].offset == block_offset(1));
  CHECK(lost[0].plain_offset == 300);
  CHECK(lost[0].plain_bytes == 6);
  const auto found = only<block>(events);
  REQUIRE(found.size() == 3);
  CHECK(found[1].number == 3);
  CHECK_FALSE(only<member_end>(events)[0].trailer_lost);
}

TEST_CASE("a damaged block header loses its block, and the next one tells how much that is") {
  bytes damaged = make_member(plains);
  damaged[block_offset(1) + 20] ^= std::byte{1};
  const auto events = salvage(damaged);
  const auto lost = only<damage>(events);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].plain_offset == 300);
  CHECK(lost[0].plain_bytes == 6);
  CHECK(only<block>(events).size() == 3);
  CHECK_FALSE(only<member_end>(events)[0].trailer_lost);
}

TEST_CASE("without the last block the trailer tells how much is lost") {
  bytes damaged = make_member(plains);
  damaged[block_offset(3)] ^= std::byte{1};
  const auto lost = only<damage>(salvage(damaged));
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].plain_offset == 456);
  CHECK(lost[0].plain_bytes == 80);
}

TEST_CASE("a lost header leaves the blocks, whatever the flags were") {
  for (const bool strong : {false, true}) {
    member_header header;
    header.strong = strong;
    bytes damaged = make_member(plains, header);
    for (std::size_t i = 0; i < 72; ++i) damaged[i] = std::byte{'?'};
    const auto events = salvage(damaged);
    const auto begins = only<member_begin>(events);
    REQUIRE(begins.size() == 1);
    CHECK(begins[0].header_lost);
    CHECK(begins[0].header.strong == strong);
    CHECK(begins[0].header.codec_data == hash256{});
    CHECK(plain_of(events) == joined(plains));
    const auto lost = only<damage>(events);
    REQUIRE(lost.size() == 1);
    CHECK(lost[0].code == errc::damaged);
    CHECK(lost[0].text.rfind("corrupt header", 0) == 0);
  }
}

TEST_CASE("a member whose blocks are all lost is still told by its trailer") {
  const bytes archive = make_member({plains[1]});
  const auto events = salvage(to_bytes("lost") + cut(archive, 100, archive.size()));
  const auto lost = only<damage>(events);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].plain_bytes == 6);
  CHECK(only<member_end>(events).size() == 1);
}

TEST_CASE("where one member's end and the next one's header are lost, both give their blocks") {
  const bytes archive = make_member(plains);
  const std::size_t gone = archive.size() - trailer_bytes;
  const bytes damaged =
      cut(archive, 0, gone) + bytes(trailer_bytes + 72) + cut(archive, 72, archive.size());
  const auto events = salvage(damaged);
  CHECK(plain_of(events) == joined(plains) + joined(plains));
  const auto begins = only<member_begin>(events);
  REQUIRE(begins.size() == 2);
  CHECK(begins[1].header_lost);
  const auto ends = only<member_end>(events);
  REQUIRE(ends.size() == 2);
  CHECK(ends[0].trailer_lost);
  CHECK(ends[0].end.plain_bytes == 536);
  CHECK_FALSE(ends[1].trailer_lost);
  assemble(events);
}

TEST_CASE("data between members is reported, and the members around it are delivered") {
  const bytes archive = make_member(plains);
  for (const bytes& between : {bytes(1000), to_bytes("garbage"), random_bytes(100000, 9)}) {
    const auto events = salvage(archive + between + archive);
    CHECK(only<damage>(events).size() == 1);
    CHECK(assemble(events) == std::vector<bytes>{joined(plains), joined(plains)});
  }
}

TEST_CASE("foreign data gives one damage and no member") {
  for (const bytes& data : {bytes{}, to_bytes("text"), random_bytes(300000, 2), bytes(100000)}) {
    const auto events = salvage(data);
    CHECK(events.size() == 2);
    REQUIRE(only<damage>(events).size() == 1);
    CHECK(only<damage>(events)[0].code == errc::not_lmzip);
  }
}

TEST_CASE("an archive inside an archive is never mistaken for the outer one") {
  const bytes inner = make_member({to_bytes("inner bytes")}) + make_member(plains);
  const std::vector<bytes> blocks = {plains[0], inner, plains[1]};
  const bytes archive = make_member(blocks);
  const std::size_t at = block_offset(1);
  for (std::size_t i = 0; i < 49 + 20; ++i) {
    bytes damaged = archive;
    damaged[at + i] ^= std::byte{0x10};
    const auto events = salvage(damaged);
    REQUIRE(delivered(events, {plains[0], plains[1]}) == 2);
    REQUIRE(assemble(events).size() == 1);
    REQUIRE(only<damage>(events)[0].plain_bytes == inner.size());
  }
}

TEST_CASE("a member in a newer format is passed over to the next one") {
  bytes newer = make_member({plains[2]});
  patch(newer, 8, std::uint16_t{7});
  rehash_header(newer);
  const bytes archive = make_member(plains);
  const auto events = salvage(archive + newer + archive);
  const auto lost = only<damage>(events);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].code == errc::unsupported);
  CHECK(assemble(events) == std::vector<bytes>{joined(plains), joined(plains)});

  // The same where the trailer before it is lost.
  const auto without = salvage(cut(archive, 0, archive.size() - trailer_bytes) + newer);
  CHECK(only<damage>(without).size() == 2);
  CHECK(only<damage>(without).back().code == errc::unsupported);
  CHECK(assemble(without) == std::vector<bytes>{joined(plains)});
}

TEST_CASE("an unknown essential block is reported and the others are delivered") {
  vector_sink out;
  member_writer writer(out, {});
  block_header header = stored(plains[0]);
  header.type = static_cast<block_type>(40);
  writer.append(header, plains[0]);
  writer.append(stored(plains[1]), plains[1]);
  writer.finish();
  const auto events = salvage(out.written);
  const auto lost = only<damage>(events);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].code == errc::unsupported);
  CHECK(lost[0].plain_bytes == 0);
  CHECK(plain_of(events) == plains[1]);
  assemble(events);
}

TEST_CASE("blocks taken out or doubled are noticed and the rest is delivered") {
  const bytes archive = make_member(plains);
  const bytes without =
      cut(archive, 0, block_offset(1)) + cut(archive, block_offset(2), archive.size());
  auto events = salvage(without);
  REQUIRE(only<damage>(events).size() == 1);
  CHECK(only<damage>(events)[0].plain_bytes == 6);
  CHECK(delivered(events, plains) == 3);
  assemble(events);
  const bytes doubled =
      cut(archive, 0, block_offset(2)) + cut(archive, block_offset(1), archive.size());
  events = salvage(doubled);
  CHECK_FALSE(only<damage>(events).empty());
  CHECK(only<block>(events).size() == 5);
  assemble(events);
}

TEST_CASE("an index or trailer that contradicts the blocks is reported, and nothing else is lost") {
  const bytes archive = make_member(plains);
  bytes damaged = archive;
  patch(damaged, archive.size() - trailer_bytes + 24, std::uint64_t{5});
  rehash_trailer(damaged);
  CHECK(only<damage>(salvage(damaged)).size() == 1);
  CHECK(plain_of(salvage(damaged)) == joined(plains));
  patch(damaged, archive.size() - trailer_bytes + 16, std::uint64_t{5});
  rehash_trailer(damaged);
  CHECK_FALSE(only<damage>(salvage(damaged)).empty());
  CHECK(plain_of(salvage(damaged)) == joined(plains));
  assemble(salvage(damaged));
}

TEST_CASE("blocks after lost index segments are delivered, however many") {
  const std::size_t many = 2 * max_segment_entries + 10;
  const bytes archive = make_member(std::vector<bytes>(many, to_bytes("x")));
  bytes damaged = archive;
  const std::size_t first_segment = 72 + 50 * max_segment_entries;
  const std::size_t segment = segment_fixed_bytes + 8 * max_segment_entries;
  damaged[first_segment + 100] ^= std::byte{1};
  damaged[first_segment + segment + 50 * max_segment_entries] ^= std::byte{1};
  const auto events = salvage(damaged);
  CHECK(only<block>(events).size() == many);
  CHECK(only<damage>(events).size() == 2);
  CHECK(assemble(events)[0].size() == many);
}

TEST_CASE("headers that claim overlapping payloads cost linear time") {
  // Each header is intact and claims everything behind it; searched anew from each, four million
  // bytes would be hashed eighty thousand times.
  const std::size_t count = 80000;
  bytes hostile = cut(make_member({}), 0, 72);
  for (std::size_t i = 0; i < count; ++i) {
    block_header header;
    header.plain_bytes = max_block_size;
    header.coded_bytes = static_cast<std::uint32_t>((count - i) * block_header_bytes);
    header.coded_hash = i;
    const auto head = serialize(header);
    hostile.insert(hostile.end(), head.begin(), head.end());
  }
  const auto events = salvage(hostile);
  CHECK(only<block>(events).empty());
  CHECK_FALSE(only<damage>(events).empty());
}

TEST_CASE("salvage that reads over payloads finds the same blocks") {
  bytes damaged = make_member(plains);
  damaged[block_offset(1) + 3] ^= std::byte{1};
  const auto events = read_all(damaged, {.skip_payloads = true, .resynchronise = true});
  CHECK(only<block>(events).size() == 3);
  const auto torn = read_all(cut(damaged, 0, block_offset(2) + 60),
                             {.skip_payloads = true, .resynchronise = true});
  CHECK(only<damage>(torn).back().code == errc::truncated);
}

}  // namespace lmzip::container::test
