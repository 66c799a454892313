#include "formats/container/members.h"

#include <doctest/doctest.h>

#include "container_support.h"

namespace lmzip::container::test {
namespace {

const std::vector<bytes> plains = {random_bytes(300, 1), to_bytes("second"), random_bytes(150, 3)};

/// A reader at positions that gives at most 1000 bytes a call, as read(2) may.
read_at_function reading(const bytes& archive) {
  return [&archive](std::uint64_t offset, std::span<std::byte> out) -> std::size_t {
    if (offset >= archive.size()) return 0;
    const std::size_t count = std::min<std::size_t>({out.size(), archive.size() - offset, 1000});
    std::memcpy(out.data(), archive.data() + offset, count);
    return count;
  };
}

member_list find(const bytes& archive) { return find_members(reading(archive), archive.size()); }

errc failure(const bytes& archive) {
  try {
    find(archive);
  } catch (const error& cause) {
    return cause.code();
  }
  return errc::internal;
}

errc index_failure(const bytes& archive, const member_location& member) {
  try {
    read_index(reading(archive), member);
  } catch (const error& cause) {
    return cause.code();
  }
  return errc::internal;
}

/// The index must say what a scan from front to back sees.
void check_index(const bytes& archive, const member_location& member,
                 const std::vector<block>& scanned) {
  const auto index = read_index(reading(archive), member);
  REQUIRE(index.size() == scanned.size());
  for (std::size_t i = 0; i < index.size(); ++i) {
    REQUIRE(index[i].offset == scanned[i].offset);
    REQUIRE(index[i].plain_offset == scanned[i].header.plain_offset);
    REQUIRE(index[i].sizes.coded_bytes == scanned[i].header.coded_bytes);
    REQUIRE(index[i].sizes.plain_bytes == scanned[i].header.plain_bytes);
  }
}

}  // namespace

TEST_CASE("members and blocks are found from the end without a scan") {
  member_header named;
  named.name = "second member";
  named.strong = true;
  const bytes first = make_member(plains);
  const bytes second = make_member({plains[2], plains[0]}, named);
  const bytes archive = first + second + make_member({});
  const member_list list = find(archive);
  REQUIRE(list.members.size() == 3);
  CHECK(list.gaps.empty());
  CHECK_FALSE(list.torn);
  CHECK(list.end_offset == archive.size());
  CHECK(list.members[0].offset == 0);
  CHECK(list.members[1].offset == first.size());
  CHECK(list.members[1].header.name == "second member");
  CHECK(list.members[2].end.blocks == 0);
  CHECK(read_index(reading(archive), list.members[2]).empty());
  const auto blocks = only<block>(read_all(archive));
  check_index(archive, list.members[0], {blocks.begin(), blocks.begin() + 3});
  check_index(archive, list.members[1], {blocks.begin() + 3, blocks.end()});
}

TEST_CASE("an index of several segments is read as one") {
  for (const std::size_t count :
       {max_segment_entries - 1, max_segment_entries, 2 * max_segment_entries + 3}) {
    const bytes archive = make_member(std::vector<bytes>(count, to_bytes("x")));
    const member_list list = find(archive);
    REQUIRE(list.members.size() == 1);
    check_index(archive, list.members[0], only<block>(read_all(archive)));
  }
}

TEST_CASE("blocks outside the plain stream take no place in it") {
  vector_sink out;
  member_writer writer(out, {});
  block_header metadata = stored(plains[0]);
  metadata.type = block_type::metadata;
  writer.append(stored(plains[1]), plains[1]);
  writer.append(metadata, plains[0]);
  writer.append(stored(plains[2]), plains[2]);
  writer.finish();
  const auto index = read_index(reading(out.written), find(out.written).members[0]);
  REQUIRE(index.size() == 3);
  CHECK(index[1].plain_offset == 6);
  CHECK(index[1].sizes.plain_bytes == 0);
  CHECK(index[2].plain_offset == 6);
  CHECK(index[2].offset == 72 + 6 + 300 + 2 * 49);
}

TEST_CASE("after a torn append the state before it is found, wherever it was cut") {
  const bytes before = make_member(plains) + make_member({plains[1]});
  const bytes appended = make_member({random_bytes(200000, 5), plains[0]});
  for (std::size_t size = 1; size < appended.size();
       size += size < 400 || size > appended.size() - 400 ? 1 : 9973) {
    const member_list list = find(before + cut(appended, 0, size));
    REQUIRE(list.members.size() == 2);
    REQUIRE(list.torn);
    REQUIRE(list.gaps.empty());
    REQUIRE(list.end_offset == before.size());
  }
  CHECK(find(before + appended).members.size() == 3);
}

TEST_CASE("padding after the last member is not a torn append") {
  const bytes archive = make_member(plains);
  for (const std::size_t padding : {1, 79, 80, 65536, 200000}) {
    const member_list list = find(archive + bytes(padding));
    REQUIRE(list.members.size() == 1);
    CHECK_FALSE(list.torn);
    CHECK(list.end_offset == archive.size());
  }
}

TEST_CASE("damaged members are gaps, and the others are found") {
  const bytes one = make_member(plains);
  for (const std::size_t at : {std::size_t{3}, std::size_t{30}, one.size() - 2, one.size() - 75}) {
    bytes archive = one + one + one;
    archive[one.size() + at] ^= std::byte{1};
    const member_list list = find(archive);
    REQUIRE(list.members.size() == 2);
    REQUIRE(list.gaps.size() == 1);
    CHECK(list.gaps[0].offset == one.size());
    CHECK(list.gaps[0].bytes == one.size());
    CHECK(list.members[1].offset == 2 * one.size());
  }
  const member_list list = find(to_bytes("in front") + one);
  REQUIRE(list.gaps.size() == 1);
  CHECK(list.gaps[0].offset == 0);
  CHECK(list.gaps[0].bytes == 8);
}

TEST_CASE("where no member is found the archive is not in lmzip format") {
  CHECK(failure({}) == errc::not_lmzip);
  CHECK(failure(to_bytes("text")) == errc::not_lmzip);
  CHECK(failure(random_bytes(200000, 3)) == errc::not_lmzip);
  const bytes archive = make_member(plains);
  CHECK(failure(cut(archive, 0, archive.size() - 1)) == errc::not_lmzip);
}

TEST_CASE("a member in a newer format is unsupported") {
  bytes archive = make_member(plains);
  patch(archive, 8, std::uint16_t{1});
  rehash_header(archive);
  CHECK(failure(archive) == errc::unsupported);
}

TEST_CASE("every flipped byte of the index is damage") {
  const bytes archive = make_member(plains);
  const member_location member = find(archive).members[0];
  const std::size_t end = archive.size() - trailer_bytes;
  for (std::size_t at = end - member.end.index_bytes; at < end; ++at) {
    bytes damaged = archive;
    damaged[at] ^= std::byte{0x81};
    REQUIRE(index_failure(damaged, member) == errc::damaged);
  }
}

TEST_CASE("an index that contradicts itself or the trailer is damage") {
  const bytes archive = make_member(plains);
  const member_location member = find(archive).members[0];
  const std::size_t end = archive.size() - trailer_bytes;
  const std::size_t index = end - member.end.index_bytes;
  const auto with = [&](index_segment segment) {
    const auto written = serialize(segment);
    return cut(archive, 0, index) + written + cut(archive, end, archive.size());
  };
  const index_segment right = parse_segment(std::span(archive).subspan(index, end - index), index);
  for (const std::uint64_t distance :
       {std::uint64_t{1}, std::uint64_t{index}, std::uint64_t{index - 72}, std::uint64_t{600},
        ~std::uint64_t{0}}) {
    index_segment wrong = right;
    wrong.previous_distance = distance;
    CHECK(index_failure(with(wrong), member) == errc::damaged);
  }
  for (const std::uint32_t size : {0u, 5u, 7u, 100000u, ~0u}) {
    index_segment wrong = right;
    wrong.entries[1].plain_bytes = size;
    CHECK(index_failure(with(wrong), member) == errc::damaged);
    wrong = right;
    wrong.entries[1].coded_bytes = size;
    CHECK(index_failure(with(wrong), member) == errc::damaged);
  }
  for (const std::uint64_t count : {2, 4}) {
    member_location wrong = member;
    wrong.end.blocks = count;
    CHECK(index_failure(archive, wrong) == errc::damaged);
  }
  member_location wrong = member;
  wrong.end.plain_bytes += 1;
  CHECK(index_failure(archive, wrong) == errc::damaged);
}

TEST_CASE("a trailer that points elsewhere is not believed") {
  const bytes archive = make_member(plains);
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{archive.size() - 1},
                                   std::uint64_t{archive.size() + 1}, ~std::uint64_t{0}}) {
    bytes damaged = archive;
    patch(damaged, archive.size() - trailer_bytes + 8, size);
    rehash_trailer(damaged);
    CHECK(failure(damaged) == errc::not_lmzip);
  }
  for (const std::uint32_t size : {0u, 27u, ~0u}) {
    bytes damaged = archive;
    patch(damaged, archive.size() - trailer_bytes + 64, size);
    rehash_trailer(damaged);
    CHECK(failure(damaged) == errc::not_lmzip);
  }
}

TEST_CASE("a file that shrinks while it is read is an error, and errors of reading pass through") {
  const bytes archive = make_member(plains);
  CHECK_THROWS_AS(find_members(reading(archive), archive.size() + 1000), error);
  const auto broken = [](std::uint64_t, std::span<std::byte>) -> std::size_t {
    throw error(errc::io, "no disk");
  };
  CHECK_THROWS_WITH_AS(find_members(broken, 1000), "no disk", error);
}

}  // namespace lmzip::container::test
