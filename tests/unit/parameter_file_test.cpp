#include <doctest/doctest.h>

#include <vector>

#include "codec/codec_data.h"
#include "codec/parameter_file.h"
#include "core/hash.h"
#include "lmzip/error.h"
#include "vocab/shipped.h"

using namespace lmzip;
using namespace lmzip::codec;

namespace {

std::vector<std::byte> file_of_two() {
  const std::vector<parameter_section> sections{{"first", std::vector<std::uint8_t>(100, 7)},
                                                {"eighteen", {1, 2, 3}}};
  return pack_parameter_file(sections);
}

}  // namespace

TEST_CASE("a parameter file gives its sections back by name") {
  const auto bytes = file_of_two();
  const parameter_file file = parameter_file::parse(bytes);
  CHECK(file.section("first", 100) == std::vector<std::uint8_t>(100, 7));
  CHECK(file.section("eighteen", 3) == std::vector<std::uint8_t>{1, 2, 3});
  CHECK_THROWS_AS(file.section("first", 99), error);
  CHECK_THROWS_AS(file.size_of("third"), error);
}

TEST_CASE("a parameter file that is cut, too long or no such file is rejected") {
  auto bytes = file_of_two();
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    CHECK_THROWS_AS(parameter_file::parse(std::span(bytes).first(cut)), error);
  bytes.push_back(std::byte{0});
  CHECK_THROWS_AS(parameter_file::parse(bytes), error);
  bytes.pop_back();
  bytes[0] = std::byte{0};
  CHECK_THROWS_AS(parameter_file::parse(bytes), error);
}

TEST_CASE("a corrupt section is noticed when it is read") {
  auto bytes = file_of_two();
  bytes[8 + 2 * 16] = std::byte{0};  // first byte of the first section's frame
  CHECK_THROWS_AS(parameter_file::parse(bytes).section("first", 100), error);
}

TEST_CASE("the shipped parameter file is whole: its hash, which names the codec data, is right") {
  const auto bytes = vocab::shipped_parameter_bytes();
  const auto hash = sha256_of(bytes.first(bytes.size() - sizeof(hash256)));
  CHECK(shipped_parameters().content_hash() == hash);
  CHECK(codec_data_id() != no_codec_data);
}
