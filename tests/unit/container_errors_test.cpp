#include <doctest/doctest.h>

#include <array>

#include "container_support.h"

namespace lmzip::container::test {
namespace {

const bytes first_plain = to_bytes("the first block, not very long");
const bytes second_plain = random_bytes(200, 7);

bytes small_archive(bool strong) {
  member_header header;
  header.strong = strong;
  header.name = "name";
  return make_member({first_plain, second_plain}, header) + make_member({second_plain});
}

std::size_t first_member_bytes(bool strong) {
  return small_archive(strong).size() - make_member({second_plain}).size();
}

bool is_fault_of_input(errc code) {
  return code == errc::damaged || code == errc::truncated || code == errc::not_lmzip ||
         code == errc::unsupported;
}

/// Checks that a reader refuses `archive` with this code and these words.
void check_refused(const bytes& archive, errc code, const std::string& words) {
  const outcome result = read_strictly(archive);
  CHECK(result.failed);
  CHECK_MESSAGE(result.code == code, result.text);
  CHECK_MESSAGE(result.text.find(words) != std::string::npos, result.text);
}

/// A member without blocks whose header has this optional field.
bytes with_field(std::uint16_t tag, const bytes& content) {
  bytes header = serialize(member_header{});
  header.resize(header.size() - 8);
  std::array<std::byte, 4> head;
  store_le(head.data(), tag);
  store_le(head.data() + 2, static_cast<std::uint16_t>(content.size()));
  header = header + bytes(head.begin(), head.end()) + content + bytes(8);
  patch(header, 10, static_cast<std::uint16_t>(header.size()));
  rehash_header(header);
  return header;
}

}  // namespace

TEST_CASE("every flipped bit is an error, and no wrong byte comes before it") {
  for (const bool strong : {false, true}) {
    const bytes whole = small_archive(strong);
    const bytes plain = plain_of(read_all(whole));
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (unsigned bit = 0; bit < 9; ++bit) {
        bytes damaged = whole;
        damaged[at] ^= static_cast<std::byte>(bit < 8 ? 1u << bit : 0xffu);
        const outcome result = read_strictly(damaged);
        // The digest and the plain hash are under the check of the block header.
        REQUIRE_MESSAGE(result.failed, "byte " << at << " bit " << bit);
        REQUIRE(is_fault_of_input(result.code));
        REQUIRE(result.text.find('\n') == std::string::npos);
        REQUIRE(starts_with(plain, result.plain));
      }
    }
  }
}

TEST_CASE("every cut is an error, but between members") {
  for (const bool strong : {false, true}) {
    const bytes whole = small_archive(strong);
    const bytes plain = plain_of(read_all(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const outcome result = read_strictly(cut(whole, 0, size));
      REQUIRE(starts_with(plain, result.plain));
      REQUIRE(result.failed == (size != first_member_bytes(strong)));
      if (result.failed) REQUIRE(result.code == (size == 0 ? errc::not_lmzip : errc::truncated));
      if (size > 0 && result.failed) REQUIRE(result.text.rfind("truncated", 0) == 0);
    }
  }
}

TEST_CASE("every two neighbouring bytes exchanged or removed is an error") {
  const bytes whole = small_archive(false);
  for (std::size_t at = 0; at + 1 < whole.size(); ++at) {
    bytes removed = cut(whole, 0, at) + cut(whole, at + 1, whole.size());
    REQUIRE(read_strictly(removed).failed);
    bytes exchanged = whole;
    std::swap(exchanged[at], exchanged[at + 1]);
    REQUIRE(read_strictly(exchanged).failed == (whole[at] != whole[at + 1]));
  }
}

TEST_CASE("foreign data is not in lmzip format") {
  check_refused({}, errc::not_lmzip, "not in lmzip format");
  check_refused(to_bytes("text"), errc::not_lmzip, "not in lmzip format");
  check_refused(bytes(1000), errc::not_lmzip, "not in lmzip format");
  check_refused(to_bytes("\x89PNG\r\n\x1a\n"), errc::not_lmzip, "not in lmzip format");
  check_refused(to_bytes("\x89LM"), errc::truncated, "truncated");
}

TEST_CASE("a transfer in text mode is recognised") {
  const bytes archive = small_archive(false);
  const bytes without_cr = cut(archive, 0, 4) + cut(archive, 5, archive.size());
  check_refused(without_cr, errc::damaged, "text mode");
}

TEST_CASE("zero bytes after the last member are accepted, anything else is not") {
  const bytes archive = small_archive(false);
  const bytes plain = plain_of(read_all(archive));
  for (const std::size_t padding : {1, 511, 1 << 20}) {
    CHECK(plain_of(read_all(archive + bytes(padding))) == plain);
    const outcome result = read_strictly(archive + bytes(padding) + to_bytes("x"));
    CHECK(result.failed);
    CHECK(result.code == errc::damaged);
    CHECK(result.plain == plain);
    CHECK(result.offset == archive.size() + padding);
  }
  const outcome result = read_strictly(archive + to_bytes("garbage"));
  CHECK(result.code == errc::damaged);
  CHECK(result.plain == plain);
  CHECK(result.text.find("trailing data") != std::string::npos);
  // A member after padding is not where a member may stand.
  CHECK(read_strictly(archive + bytes(512) + archive).code == errc::damaged);
}

TEST_CASE("a newer format is unsupported, a damaged header of one is damaged") {
  bytes archive = small_archive(false);
  patch(archive, 8, std::uint16_t{1});
  check_refused(archive, errc::damaged, "corrupt header");
  rehash_header(archive);
  check_refused(archive, errc::unsupported, "needs a newer lmzip (format 1)");

  bytes shortest = cut(archive, 0, 20);
  patch(shortest, 10, std::uint16_t{20});
  rehash_header(shortest);
  check_refused(shortest, errc::unsupported, "needs a newer lmzip (format 1)");

  bytes longest = cut(archive, 0, 20) + bytes(65535 - 20);
  patch(longest, 10, std::uint16_t{65535});
  rehash_header(longest);
  check_refused(longest, errc::unsupported, "needs a newer lmzip (format 1)");
}

TEST_CASE("unknown features, flags and essential fields are unsupported") {
  for (const std::size_t at : {12, 15, 17, 19}) {
    bytes archive = small_archive(false);
    archive[at] |= std::byte{0x40};
    rehash_header(archive);
    check_refused(archive, errc::unsupported, "needs a newer lmzip");
  }
  check_refused(with_field(0x0006, bytes(8)), errc::unsupported, "needs a newer lmzip");
  check_refused(with_field(0x7fff, {}), errc::unsupported, "needs a newer lmzip");
}

TEST_CASE("unknown skippable header fields are skipped") {
  const bytes archive = with_field(0x8002, to_bytes("later")) + bytes(0);
  CHECK(member_header_size(archive, 0) == archive.size());
  CHECK(parse_member_header(archive, 0).name.empty());
}

TEST_CASE("header values that no writer writes are damage") {
  for (const std::uint32_t size : {0u, min_block_size - 1, max_block_size + 1, ~0u}) {
    bytes archive = small_archive(false);
    patch(archive, 20, size);
    rehash_header(archive);
    check_refused(archive, errc::damaged, "corrupt header");
  }
  for (const std::uint16_t size : {0, 12, 71, 8193, 65535}) {
    bytes archive = small_archive(false);
    patch(archive, 10, size);
    check_refused(archive, errc::damaged, "corrupt header");
  }
  check_refused(with_field(0x0001, bytes(31)), errc::damaged, "corrupt header");
  for (const bytes& depth : {bytes(2), bytes(1, std::byte{1}), bytes(3, std::byte{1}),
                             bytes(2, std::byte{1}), bytes(1) + bytes(1, std::byte{1})})
    check_refused(with_field(0x0002, depth), errc::damaged, "corrupt header");
  for (const bytes& window : {bytes(8), bytes(7, std::byte{1}), bytes(9, std::byte{1}),
                              bytes(8, std::byte{1})})
    check_refused(with_field(0x0003, window), errc::damaged, "impossible window");
  // A model's size is eight bytes, possible, and with an id.
  for (const std::size_t size : {4, 8, 9})
    check_refused(with_field(0x0004, bytes(size)), errc::damaged, "corrupt header");
  check_refused(with_field(0x0004, bytes(8, std::byte{1})), errc::damaged, "corrupt header");
  check_refused(with_field(0x0004, bytes(1, std::byte{1}) + bytes(7)), errc::damaged,
                "a model without id");
  check_refused(with_field(0x8001, {}), errc::damaged, "corrupt header");
  check_refused(with_field(0x8001, bytes(3)), errc::damaged, "corrupt header");
  check_refused(with_field(0x8001, bytes(max_name_bytes + 1, std::byte{'n'})), errc::damaged,
                "corrupt header");

  // Fields out of order, twice, or cut.
  member_header header;
  header.model = hash256{};
  header.base_depth = 1;
  bytes archive = make_member({}, header);
  patch(archive, 64, std::uint16_t{2});
  rehash_header(archive);
  check_refused(archive, errc::damaged, "corrupt header");
  archive = make_member({}, header);
  patch(archive, 64 + 36 + 2, std::uint16_t{3});
  rehash_header(archive);
  check_refused(archive, errc::damaged, "corrupt header");
  archive = make_member({}, header);
  patch(archive, 64 + 36 + 2, std::uint16_t{1});
  rehash_header(archive);
  check_refused(archive, errc::damaged, "corrupt header");
}

TEST_CASE("a block larger than its member allows is damage, whatever it claims to hold") {
  member_header header;
  header.block_bytes = min_block_size;
  const bytes archive = make_member({first_plain}, header);
  for (const auto& [plain, coded] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {min_block_size + 1, 30}, {~0u, 30}, {0, 30}, {30, 31}, {30, 0}, {30, ~0u}}) {
    bytes changed = archive;
    patch(changed, 72 + 12, plain);
    patch(changed, 72 + 40, coded);
    rehash_block(changed, 72);
    check_refused(changed, errc::damaged, "corrupt block 1 at offset 72");
  }
}

TEST_CASE("a block that claims much and brings little is truncated") {
  bytes archive = cut(make_member({first_plain}), 0, 72 + 49 + 10);
  patch(archive, 72 + 12, max_block_size);
  patch(archive, 72 + 40, max_block_size);
  rehash_block(archive, 72);
  check_refused(archive, errc::truncated, "truncated");
}

TEST_CASE("blocks out of sequence, left out or doubled are damage") {
  const bytes archive = make_member({first_plain, second_plain, first_plain});
  const std::size_t a = 72;
  const std::size_t b = a + 49 + first_plain.size();
  const std::size_t c = b + 49 + second_plain.size();
  const std::size_t d = c + 49 + first_plain.size();
  const auto part = [&](std::size_t from, std::size_t to) { return cut(archive, from, to); };
  const bytes head = part(0, a);
  const bytes tail = part(d, archive.size());
  check_refused(head + part(b, c) + part(a, b) + part(c, d) + tail, errc::damaged,
                "out of sequence");
  check_refused(head + part(a, b) + part(c, d) + tail, errc::damaged, "corrupt block 2");
  check_refused(head + part(a, b) + part(a, b) + tail, errc::damaged, "out of sequence");
  check_refused(head + part(a, b) + tail, errc::damaged, "corrupt index");
  check_refused(part(0, d) + part(archive.size() - trailer_bytes, archive.size()), errc::damaged,
                "corrupt trailer");
}

TEST_CASE("index and trailer of another archive are damage") {
  const bytes archive = make_member({first_plain});
  bytes other_plain = first_plain;
  other_plain[0] ^= std::byte{1};
  const bytes other = make_member({other_plain});
  const std::size_t end = archive.size() - trailer_bytes;
  check_refused(cut(archive, 0, end) + cut(other, end, other.size()), errc::damaged,
                "corrupt trailer");
  for (const std::size_t at : {8, 16, 24, 40, 64}) {
    bytes changed = archive;
    changed[end + at] ^= std::byte{1};
    rehash_trailer(changed);
    check_refused(changed, errc::damaged, "corrupt trailer");
  }
  const std::size_t index = end - segment_fixed_bytes - index_entry_bytes;
  for (const std::size_t at : {12, 20, 24}) {
    bytes changed = archive;
    changed[index + at] ^= std::byte{1};
    patch(changed, end - 8, xxh3_64(std::span(changed).subspan(index, end - 8 - index)));
    check_refused(changed, errc::damaged, "corrupt index");
  }
}

TEST_CASE("an empty index segment stands only in a member without blocks") {
  const bytes archive = make_member({first_plain});
  const std::size_t end = archive.size() - trailer_bytes;
  index_segment empty;
  empty.previous_distance = segment_fixed_bytes + index_entry_bytes;
  const bytes changed = cut(archive, 0, end) + serialize(empty) + cut(archive, end, archive.size());
  check_refused(changed, errc::damaged, "corrupt index");
  const bytes none = make_member({});
  empty.previous_distance = segment_fixed_bytes;
  const bytes twice = cut(none, 0, none.size() - trailer_bytes) + serialize(empty) +
                      cut(none, none.size() - trailer_bytes, none.size());
  check_refused(twice, errc::damaged, "corrupt index");
}

TEST_CASE("reserved bytes of index and trailer are for newer versions") {
  bytes archive = make_member({first_plain});
  const std::size_t end = archive.size() - trailer_bytes;
  bytes changed = archive;
  changed[end + 6] = std::byte{1};
  rehash_trailer(changed);
  check_refused(changed, errc::unsupported, "needs a newer lmzip");
  const std::size_t index = end - segment_fixed_bytes - index_entry_bytes;
  changed = archive;
  changed[index + 5] = std::byte{1};
  patch(changed, end - 8, xxh3_64(std::span(changed).subspan(index, end - 8 - index)));
  check_refused(changed, errc::unsupported, "needs a newer lmzip");
}

TEST_CASE("the extra area of the index is skipped") {
  const bytes archive = make_member({first_plain});
  const std::size_t end = archive.size() - trailer_bytes;
  const std::size_t index = end - segment_fixed_bytes - index_entry_bytes;
  const bytes extra = random_bytes(5000, 3);
  bytes changed = cut(archive, 0, end - 8) + extra;
  patch(changed, index + 8, static_cast<std::uint32_t>(extra.size()));
  const std::uint64_t hash = xxh3_64(std::span(changed).subspan(index));
  changed = changed + bytes(8) + cut(archive, end, archive.size());
  patch(changed, end - 8 + extra.size(), hash);
  const std::size_t trailer_at = end + extra.size();
  patch(changed, trailer_at + 8, static_cast<std::uint64_t>(changed.size()));
  patch(changed, trailer_at + 64, static_cast<std::uint32_t>(36 + extra.size()));
  rehash_trailer(changed);
  CHECK(plain_of(read_all(changed)) == first_plain);
  patch(changed, index + 8, static_cast<std::uint32_t>(max_segment_extra_bytes + 1));
  check_refused(changed, errc::damaged, "corrupt index");
  patch(changed, index + 8, std::uint32_t{0});
  patch(changed, index + 6, static_cast<std::uint16_t>(max_segment_entries + 1));
  check_refused(changed, errc::damaged, "corrupt index");
}

TEST_CASE("unknown blocks are skipped if they say so, and unsupported if not") {
  for (const bool skippable : {false, true}) {
    for (const unsigned type : {4u, 61u}) {
      vector_sink out;
      member_writer writer(out, {});
      block_header header = stored(first_plain);
      header.type = static_cast<block_type>(type);
      header.skippable = skippable;
      writer.append(header, first_plain);
      writer.append(stored(second_plain), second_plain);
      writer.finish();
      if (!skippable) {
        check_refused(out.written, errc::unsupported,
                      "needs a newer lmzip (block type " + std::to_string(type) + ")");
        continue;
      }
      const auto events = read_all(out.written);
      CHECK(plain_of(events) == second_plain);
      CHECK(only<block>(events)[0].number == 2);
      CHECK(only<block>(events)[0].header.plain_offset == 0);
      bytes damaged = out.written;
      damaged[72 + 49] ^= std::byte{1};
      check_refused(damaged, errc::damaged, "corrupt block 1");
    }
  }
}

TEST_CASE("a block with a digest in a member that is not strong is damage") {
  const bytes plain = stored(first_plain, true).digest ? first_plain : bytes{};
  const bytes header = cut(make_member({}), 0, 72);
  const sealed_block sealed = seal(stored(plain, true), plain);
  check_refused(header + serialize(sealed.header) + sealed.payload + bytes(200), errc::damaged,
                "contradicts the member header");
}

TEST_CASE("errors of the source pass through") {
  class broken : public source {
   public:
    std::size_t read(std::span<std::byte>) override { throw error(errc::io, "no disk"); }
  } from;
  stream_reader strict(from);
  CHECK_THROWS_WITH_AS(strict.next(), "no disk", error);
  stream_reader salvaging(from, {.resynchronise = true});
  CHECK_THROWS_WITH_AS(salvaging.next(), "no disk", error);
}

}  // namespace lmzip::container::test
