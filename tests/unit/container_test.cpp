#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "container_support.h"

namespace lmzip::container::test {
namespace {

std::string read_specification() {
  const auto path = std::filesystem::path(__FILE__).parent_path() / "../../formats/SPEC.md";
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  REQUIRE_MESSAGE(!text.str().empty(), "cannot read " << path.string());
  return text.str();
}

std::string section(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  REQUIRE(from != std::string::npos);
  return text.substr(from, text.find(end, from) - from);
}

/// All lines indented by four blanks, as hexadecimal bytes.
bytes read_hex(const std::string& text) {
  bytes out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("    ", 0) != 0) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      out.push_back(static_cast<std::byte>(std::stoul(word, nullptr, 16)));
    }
  }
  return out;
}

member_header full_header() {
  member_header header;
  header.strong = true;
  header.block_bytes = 12345;
  header.memory = 0x123456789abcdef0;
  header.codec_data.fill(std::byte{7});
  header.model = sha256_of(to_bytes("model"));
  header.model_bytes = 4321;
  header.base_depth = max_base_depth;
  header.name =
      "n\xff"
      "am,e\n";
  return header;
}

}  // namespace

TEST_CASE("the minimal archive of SPEC.md is what the writer writes and the reader reads") {
  const bytes expected = read_hex(section(read_specification(), "## 10. A minimal", "\n## 11."));
  const bytes plain = to_bytes("hello\n");
  CHECK(to_hex(make_member({plain})) == to_hex(expected));
  const auto events = read_all(expected);
  REQUIRE(events.size() == 4);
  CHECK(plain_of(events) == plain);
  CHECK(only<block>(events)[0].offset == 72);
  CHECK(only<member_end>(events)[0].offset == expected.size());
}

TEST_CASE("the constants of SPEC.md are those of the program") {
  std::map<std::string, std::uint64_t> constants;
  std::istringstream lines(section(read_specification(), "## 7. Constants", "\nA member of"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bar = line.find(" | ");
    if (bar == std::string::npos || line.find_first_of("0123456789") == std::string::npos) continue;
    constants[line.substr(2, bar - 2)] = std::stoull(line.substr(bar + 3));
  }
  const std::map<std::string, std::uint64_t> expected = {
      {"format version", format_version},
      {"smallest member header", min_header_bytes},
      {"largest member header", max_header_bytes},
      {"longest name", max_name_bytes},
      {"largest model", max_model_bytes},
      {"longest chain of bases", max_base_depth},
      {"smallest block size", min_block_size},
      {"largest block size", max_block_size},
      {"largest window", max_window},
      {"block header", block_header_bytes},
      {"digest", digest_bytes},
      {"index segment without entries", segment_fixed_bytes},
      {"index entry", index_entry_bytes},
      {"entries of a segment", max_segment_entries},
      {"extra area of a segment", max_segment_extra_bytes},
      {"trailer", trailer_bytes},
      {"archive overhead", archive_overhead_bytes},
      {"block overhead", block_overhead_bytes},
  };
  CHECK(constants == expected);
}

TEST_CASE("the reasons of SPEC.md are those of the program") {
  std::istringstream lines(section(read_specification(), "### 4.3 Reasons", "### 4.4"));
  unsigned count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| ", 0) != 0 || line.find_first_of("0123456789") != 2) continue;
    CHECK(std::stoul(line.substr(2)) == count);
    CHECK(reason_text(static_cast<reason>(count)) != "unknown");
    ++count;
  }
  CHECK(count == 7);
  CHECK(reason_text(static_cast<reason>(count)) == "unknown");
}

TEST_CASE("an archive is larger than its payloads by exactly what SPEC.md states") {
  CHECK(make_member({}).size() == 180);
  for (const std::size_t count : {1, 2, 3, 100}) {
    const std::vector<bytes> blocks(count, to_bytes("x"));
    CHECK(make_member(blocks).size() == 180 + 58 * count);
    CHECK(make_member(blocks).size() - count <= 256 + 64 * count);
    member_header strong;
    strong.strong = true;
    CHECK(make_member(blocks, strong).size() == 180 + 90 * count);
  }
  const std::size_t many = 2 * max_segment_entries + 1;
  const std::vector<bytes> blocks(many, to_bytes("x"));
  CHECK(make_member(blocks).size() == 180 + 58 * many + 2 * segment_fixed_bytes);
}

TEST_CASE("a member header comes back with all its optional fields") {
  const member_header header = full_header();
  const bytes written = serialize(header);
  CHECK(member_header_size(written, 0) == written.size());
  const member_header read = parse_member_header(written, 0);
  CHECK(read.strong == header.strong);
  CHECK(read.block_bytes == header.block_bytes);
  CHECK(read.memory == header.memory);
  CHECK(read.codec_data == header.codec_data);
  CHECK(read.model == header.model);
  CHECK(read.model_bytes == header.model_bytes);
  CHECK(read.base_depth == header.base_depth);
  CHECK(read.name == header.name);
}

TEST_CASE("a member header out of range is not written") {
  member_header header;
  header.base_depth = max_base_depth + 1;
  CHECK_THROWS_AS(serialize(header), error);
  header = {};
  header.block_bytes = min_block_size - 1;
  CHECK_THROWS_AS(serialize(header), error);
  header.block_bytes = max_block_size + 1;
  CHECK_THROWS_AS(serialize(header), error);
  header = {};
  header.name = std::string("a\0b", 3);
  CHECK_THROWS_AS(serialize(header), error);
  header.name = std::string(max_name_bytes + 1, 'n');
  CHECK_THROWS_AS(serialize(header), error);
  header.name.pop_back();
  CHECK(parse_member_header(serialize(header), 0).name == header.name);
}

TEST_CASE("all fields of a block header come back") {
  for (const bool strong : {false, true}) {
    block_header header = stored(to_bytes("plain"), strong);
    header.type = block_type::metadata;
    header.skippable = true;
    header.codec = 3;
    header.codec_version = 4;
    header.why = reason::encoder_failed;
    header.parameters = 0x11223344;
    header.plain_offset = 0x0123456789abcdef;
    header.coded_hash = 0xfedcba9876543210;
    header.coded_bytes = 4;
    header.mask = 0x5a;
    const bytes written = serialize(header);
    CHECK(written.size() == header.header_bytes());
    const auto read = find_block_header(written);
    REQUIRE(read);
    CHECK(serialize(*read) == written);
    CHECK(read->type == header.type);
    CHECK(read->skippable);
    CHECK(read->codec == 3);
    CHECK(read->codec_version == 4);
    CHECK(read->why == reason::encoder_failed);
    CHECK(read->parameters == header.parameters);
    CHECK(read->plain_offset == header.plain_offset);
    CHECK(read->digest == header.digest);
    CHECK(read->mask == 0x5a);
    CHECK(contains_block_header(to_bytes("\xfb.\xfbL") + written));
    CHECK_FALSE(contains_block_header(to_bytes("text") + cut(written, 0, written.size() - 1)));
  }
}

TEST_CASE("members, blocks and index come back from a pipe in pieces of any size") {
  std::vector<bytes> blocks;
  for (unsigned i = 0; i < 20; ++i) blocks.push_back(random_bytes(1 + 400 * i, i));
  bytes expected;
  for (const bytes& plain : blocks) expected = expected + plain;
  member_header header = full_header();
  header.model_bytes = 0;
  const bytes archive = make_member(blocks, header) + make_member({}) + make_member({blocks[7]});
  for (const std::size_t step : {std::size_t{1}, std::size_t{1000}, archive.size()}) {
    const auto events = read_all(archive, {}, step);
    CHECK(plain_of(events) == expected + blocks[7]);
    CHECK(only<member_begin>(events).size() == 3);
    const auto ends = only<member_end>(events);
    REQUIRE(ends.size() == 3);
    CHECK(ends[0].end.plain_bytes == expected.size());
    CHECK(ends[0].end.blocks == 20);
    CHECK(ends[1].end.blocks == 0);
    CHECK(ends[2].offset == archive.size());
    const auto found = only<block>(events);
    REQUIRE(found.size() == 21);
    CHECK(found[19].number == 20);
    CHECK(found[20].number == 1);
    CHECK(found[1].header.plain_offset == 1);
    CHECK(found[20].header.plain_offset == 0);
  }
}

TEST_CASE("memory that is given back is used again, and shows in nothing") {
  const std::vector<bytes> blocks = {random_bytes(50000, 1), random_bytes(90000, 2),
                                     random_bytes(10, 3), random_bytes(90000, 4)};
  vector_source from(make_member(blocks), 1000);
  stream_reader reader(from);
  const std::byte* memory = nullptr;
  for (std::size_t i = 0; i < blocks.size();) {
    event next = reader.next();
    auto* found = std::get_if<block>(&next);
    if (found == nullptr) continue;
    CHECK(found->payload == blocks[i]);
    if (i == 1) memory = found->payload.data();
    if (i > 1) CHECK(found->payload.data() == memory);
    ++i;
    reader.reuse(std::move(found->payload));
  }
}

TEST_CASE("more blocks than one index segment holds come back") {
  const std::size_t many = 2 * max_segment_entries + 5;
  const bytes archive = make_member(std::vector<bytes>(many, to_bytes("x")));
  const auto events = read_all(archive);
  CHECK(only<block>(events).size() == many);
  CHECK(only<member_end>(events)[0].end.blocks == many);
}

TEST_CASE("a full last segment is not followed by an empty one") {
  const bytes archive = make_member(std::vector<bytes>(max_segment_entries, to_bytes("x")));
  CHECK(archive.size() == 180 + 58 * max_segment_entries);
  CHECK(only<block>(read_all(archive)).size() == max_segment_entries);
}

TEST_CASE("payloads can be read over") {
  const bytes archive = make_member({random_bytes(100000, 1), random_bytes(50000, 2)});
  for (const std::size_t step : {std::size_t{777}, archive.size()}) {
    const auto events = read_all(archive, {.skip_payloads = true}, step);
    const auto found = only<block>(events);
    REQUIRE(found.size() == 2);
    CHECK(found[0].payload.empty());
    CHECK(found[1].header.plain_bytes == 50000);
    CHECK(only<member_end>(events).size() == 1);
  }
  const auto short_of_payload = read_strictly(cut(archive, 0, 500), {.skip_payloads = true});
  CHECK(short_of_payload.code == errc::truncated);
}

TEST_CASE("the writer refuses blocks that the format does not allow") {
  vector_sink out;
  member_header header;
  header.block_bytes = min_block_size;
  member_writer writer(out, header);
  const bytes plain = random_bytes(100, 1);
  CHECK_THROWS_AS(writer.append(stored(plain), bytes{}), error);
  CHECK_THROWS_AS(writer.append(stored(plain), plain + plain), error);
  CHECK_THROWS_AS(writer.append(stored(plain, true), plain), error);
  CHECK_THROWS_AS(writer.append({stored(plain), plain}), error);  // not sealed
  const bytes large = random_bytes(min_block_size + 1, 1);
  CHECK_THROWS_AS(writer.append(stored(large), large), error);
  block_header index = stored(plain);
  index.type = block_type::index;
  CHECK_THROWS_AS(writer.append(index, plain), error);
  writer.append(stored(plain), plain);
  const auto totals = writer.finish();
  CHECK(totals.blocks == 1);
  CHECK(totals.plain_bytes == 100);
  CHECK(totals.member_bytes == out.written.size());
  CHECK_THROWS_AS(writer.append(stored(plain), plain), error);
  CHECK_THROWS_AS(writer.finish(), error);
  CHECK(plain_of(read_all(out.written)) == plain);
}

TEST_CASE("no payload holds a marker, and masked payloads come back") {
  const bytes inner = make_member({to_bytes("inner")});
  for (const bytes& plain : {inner, make_member({inner}), to_bytes("\xfbLZ\x16"),
                             to_bytes("\x89LMZ"), to_bytes("...\xfbLZ\x16")}) {
    const bytes archive = make_member({plain});
    const auto found = only<block>(read_all(archive));
    REQUIRE(found.size() == 1);
    CHECK(found[0].payload == plain);
    CHECK(found[0].header.mask != 0);
    const bytes payload = cut(archive, 72 + 49, 72 + 49 + plain.size());
    CHECK(choose_mask(payload) == 0);
  }
  CHECK(choose_mask(random_bytes(100000, 1)) == 0);
  CHECK(choose_mask(to_bytes("\xfbLZ")) == 0);
}

TEST_CASE(
    "the mask skips values under which a marker would appear, and gives up if there is none") {
  bytes payload = to_bytes("\xfbLZ\x16");
  bytes one = payload;
  apply_mask(one, 1);
  CHECK(choose_mask(payload + one) == 2);
  bytes all;
  for (unsigned mask = 0; mask < 256; ++mask) {
    one = payload;
    apply_mask(one, static_cast<std::uint8_t>(mask));
    all = all + one;
  }
  CHECK(choose_mask(all) == 0);
  CHECK(plain_of(read_all(make_member({all}))) == all);
}

}  // namespace lmzip::container::test
