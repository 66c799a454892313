#include <doctest/doctest.h>

#include <memory>

#include "container_support.h"
#include "formats/container/members.h"

namespace lmzip::container::test {
namespace {

const bytes model = random_bytes(5000, 3);
const bytes first_plain = random_bytes(4096, 4);
const bytes second_plain = to_bytes("the second block");

member_header header_for(bool strong = false) {
  member_header header;
  header.strong = strong;
  header.block_bytes = min_block_size;
  header.model = sha256_of(model);
  header.model_bytes = model.size();
  return header;
}

block_header piece(const bytes& plain) {
  block_header header = stored(plain);
  header.type = block_type::model;
  return header;
}

/// A member that brings the model along, in two pieces, before two blocks.
bytes with_model(bool strong = false) {
  vector_sink out;
  member_writer writer(out, header_for(strong));
  writer.append_model(model);
  for (const bytes& plain : {first_plain, second_plain})
    writer.append(stored(plain, strong), plain);
  writer.finish();
  return out.written;
}

/// A member of these blocks, which are pieces of a model or data.
bytes of_blocks(const std::vector<std::pair<bool, bytes>>& blocks,
                const member_header& header = header_for()) {
  vector_sink out;
  member_writer writer(out, header);
  for (const auto& [is_piece, plain] : blocks)
    writer.append(is_piece ? piece(plain) : stored(plain), plain);
  writer.finish();
  return out.written;
}

void check_refused(const bytes& archive, const std::string& words) {
  const outcome result = read_strictly(archive);
  CHECK(result.failed);
  CHECK_MESSAGE(result.code == errc::damaged, result.text);
  CHECK_MESSAGE(result.text.find(words) != std::string::npos, result.text);
}

read_at_function reading(const bytes& archive) {
  return [&archive](std::uint64_t offset, std::span<std::byte> out) {
    const std::size_t count = std::min<std::size_t>(out.size(), archive.size() - offset);
    std::copy_n(archive.begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
    return count;
  };
}

}  // namespace

TEST_CASE("a model comes back before the blocks of its member, and is no part of the plain bytes") {
  for (const bool strong : {false, true})
    for (const std::size_t step : {std::size_t{1}, std::size_t{777}, ~std::size_t{0}}) {
      const bytes archive = with_model(strong) + make_member({second_plain}) + with_model(strong);
      const auto events = read_all(archive, {}, step);
      const auto members = only<member_begin>(events);
      REQUIRE(members.size() == 3);
      for (const std::size_t m : {0, 2}) {
        REQUIRE(members[m].model_file != nullptr);
        CHECK(*members[m].model_file == model);
        CHECK(members[m].header.model_bytes == model.size());
      }
      CHECK(members[1].model_file == nullptr);
      CHECK(plain_of(events) ==
            first_plain + second_plain + second_plain + first_plain + second_plain);
      CHECK(only<block>(events)[0].number == 3);
    }
}

TEST_CASE("a model is found through the index") {
  const bytes archive = with_model();
  const auto found = find_members(reading(archive), archive.size());
  REQUIRE(found.members.size() == 1);
  const auto places = read_index(reading(archive), found.members[0]);
  REQUIRE(places.size() == 4);
  CHECK(read_model(reading(archive), found.members[0].header, places) == model);
  CHECK(read_block(reading(archive), found.members[0].header, places[2], 3).payload == first_plain);
  // A piece of a model is no block of the plain bytes.
  CHECK_THROWS_AS(read_block(reading(archive), found.members[0].header, places[0], 1), error);

  for (const std::size_t lost : {1, 0}) {
    const auto rest = std::span(places).subspan(lost == 0 ? 4 : lost);
    CHECK_THROWS_AS(read_model(reading(archive), found.members[0].header, rest), error);
  }
  bytes damaged = archive;
  damaged[places[1].offset + 100] ^= std::byte{1};
  CHECK_THROWS_AS(read_model(reading(damaged), found.members[0].header, places), error);
}

TEST_CASE(
    "every flipped byte in an archive with a model is an error, and salvage loses one thing") {
  const bytes whole = with_model();
  const std::size_t model_end =
      serialize(header_for()).size() + 2 * block_header_bytes + model.size();
  for (std::size_t at = 0; at < whole.size(); at += at < 400 ? 1 : 13) {
    CAPTURE(at);
    bytes damaged = whole;
    damaged[at] ^= std::byte{0xff};
    REQUIRE(read_strictly(damaged).failed);
    const auto events = read_all(damaged, {.resynchronise = true});
    CHECK(only<damage>(events).size() >= 1);
    const auto members = only<member_begin>(events);
    REQUIRE(members.size() == 1);
    if (members[0].model_file != nullptr) CHECK(*members[0].model_file == model);
    if (at < model_end) {
      CHECK(plain_of(events) == first_plain + second_plain);
      CHECK(members[0].model_file == nullptr);
    } else {
      CHECK(members[0].model_file != nullptr);
    }
  }
}

TEST_CASE("a model where none belongs, or that is not whole, is damage") {
  const bytes front = cut(model, 0, 4096), back = cut(model, 4096, model.size());
  check_refused(of_blocks({{true, front}}, member_header{}), "none belongs");
  check_refused(of_blocks({{true, front}, {true, back}, {true, back}}), "none belongs");
  check_refused(of_blocks({{true, front}, {true, back}, {false, back}, {true, back}}),
                "none belongs");
  check_refused(of_blocks({{true, front}, {false, back}}), "the model before it is incomplete");
  check_refused(of_blocks({{true, front}}), "the model is incomplete");
  check_refused(of_blocks({{true, front}, {true, front}}), "no piece of the model");
  check_refused(of_blocks({}), "the model is incomplete");
}

TEST_CASE("a piece of a model that is not stored is damage") {
  for (int fault = 0; fault < 2; ++fault) {
    vector_sink out;
    member_writer writer(out, header_for());
    block_header header = piece(cut(model, 0, 4096));
    if (fault == 0) header.codec = 1;
    if (fault == 1) header.plain_hash ^= 1;
    writer.append(header, cut(model, 0, 4096));
    writer.append(piece(cut(model, 4096, 5000)), cut(model, 4096, 5000));
    writer.finish();
    check_refused(out.written, "no piece of the model");
  }
}

TEST_CASE("a model that is larger than the limit is not read") {
  const outcome result = read_strictly(with_model(), {.model_limit = 4999});
  CHECK(result.code == errc::memory_limit);
  CHECK_FALSE(read_strictly(with_model(), {.model_limit = 5000}).failed);
}

TEST_CASE("the writer takes the model that the header says, and first") {
  vector_sink out;
  member_writer writer(out, header_for());
  CHECK_THROWS_AS(writer.append_model(first_plain), error);
  writer.append(stored(first_plain), first_plain);
  CHECK_THROWS_AS(writer.append_model(model), error);
  member_header header = header_for();
  header.model.reset();
  CHECK_THROWS_AS(serialize(header), error);
  header = header_for();
  header.model_bytes = max_model_bytes + 1;
  CHECK_THROWS_AS(serialize(header), error);
}

}  // namespace lmzip::container::test
