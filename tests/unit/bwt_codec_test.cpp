// The byte BWT codec: transform, runs, and what hostile input does.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "codec/bwt/bwt_block.h"
#include "codec/bwt/bwt_codec.h"
#include "codec/bwt/byte_list.h"
#include "codec/bwt/run_coder.h"
#include "codec/bwt/transform.h"
#include "codec/codec.h"
#include "isa_support.h"
#include "lmzip/error.h"

using namespace lmzip;
using lmzip::test::on_isa;
using namespace lmzip::codec;

namespace {

using bytes = std::vector<std::byte>;

bytes of_text(const std::string& text) {
  const auto all = std::as_bytes(std::span(text));
  return {all.begin(), all.end()};
}

bytes random_bytes(std::size_t count, unsigned values = 256, unsigned seed = 1) {
  std::mt19937 generator(seed);
  bytes result(count);
  for (std::byte& b : result) b = static_cast<std::byte>(generator() % values);
  return result;
}

bytes prose(std::size_t count, unsigned seed = 1) {
  static const char* const words[] = {"the ", "block ",  "of ", "bytes ",  "that ", "follows, ",
                                      "is ",  "sorted ", "by ", "itself ", "and ",  "read.\n"};
  std::mt19937 generator(seed);
  std::string text;
  while (text.size() < count) text += words[generator() % std::size(words)];
  return of_text(text.substr(0, count));
}

bytes periodic(std::size_t count, std::size_t period) {
  const bytes once = random_bytes(period, 256, 7);
  bytes result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = once[i % period];
  return result;
}

bytes fibonacci(std::size_t count) {
  std::string a = "a", b = "ab";
  while (b.size() < count) {
    std::string next = b + a;
    a = std::move(b);
    b = std::move(next);
  }
  return of_text(b.substr(0, count));
}

/// Every byte follows every other, so that all ranks occur and bytes end for ever.
bytes all_ranks() {
  bytes result;
  for (int round = 0; round < 3; ++round)
    for (int step = 1; step < 256; ++step)
      for (int i = 0; i < 256; i += step) result.push_back(static_cast<std::byte>(i));
  return result;
}

bytes coded(const bytes& plain) { return make_bwt_encoder()->encode(plain).coded; }

bytes decoded(const bytes& code, std::size_t plain_bytes) {
  bytes plain(plain_bytes, std::byte{0xee});
  bwt_decoder_v0.memory(0, plain_bytes);
  bwt_decoder_v0.decode(0, code, plain);
  return plain;
}

/// The failure of a decoding, or nothing of one that succeeds, whatever it makes.
errc failure(const bytes& code, std::size_t plain_bytes, std::uint32_t parameters = 0) {
  bytes plain(plain_bytes);
  try {
    bwt_decoder_v0.decode(parameters, code, plain);
  } catch (const error& cause) {
    return cause.code();
  }
  return errc{0};
}

}  // namespace

TEST_CASE("a BWT block is decoded, whatever it holds") {
  for (const bytes& plain : {bytes{},
                             bytes(1),
                             of_text("ab"),
                             of_text("aa"),
                             of_text("ba"),
                             of_text("banana"),
                             bytes(3),
                             bytes(70000),
                             random_bytes(256),
                             random_bytes(1000),
                             random_bytes(70001),
                             random_bytes(50000, 2),
                             random_bytes(50000, 3),
                             prose(65535),
                             prose(65536),
                             prose(65537),
                             prose(300000),
                             periodic(100000, 2),
                             periodic(100000, 97),
                             fibonacci(100000),
                             all_ranks()}) {
    CAPTURE(plain.size());
    CHECK(decoded(coded(plain), plain.size()) == plain);
  }
}

TEST_CASE("every size around the borders of segments is decoded") {
  const bytes all = prose(67000);
  for (std::size_t size = 65530; size < 65550; ++size)
    CHECK(decoded(coded({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)}), size) ==
          bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)));
  for (std::size_t size = 0; size < 40; ++size)
    CHECK(decoded(coded(random_bytes(size, 4)), size) == random_bytes(size, 4));
}

TEST_CASE("the largest block is decoded, and a larger one is refused") {
  bytes plain = prose(1 << 20);
  for (int doubling = 0; doubling < 4; ++doubling) {
    plain.insert(plain.end(), plain.begin(), plain.end());
    plain[plain.size() / 2] = static_cast<std::byte>(doubling);
  }
  REQUIRE(plain.size() == max_bwt_block_bytes);
  CHECK(decoded(coded(plain), plain.size()) == plain);
  const bytes constant(max_bwt_block_bytes, std::byte{'x'});
  CHECK(decoded(coded(constant), constant.size()) == constant);
  plain.push_back({});
  CHECK_THROWS_AS(coded(plain), error);
  CHECK_THROWS_AS(bwt_decoder_v0.memory(0, plain.size()), error);
}

TEST_CASE("the last column of the transform is that of the definition") {
  const std::string text = "mississippi";
  const std::span<const std::uint8_t> block(reinterpret_cast<const std::uint8_t*>(text.data()),
                                            text.size());
  std::vector<std::int32_t> work(text.size());
  std::vector<std::uint8_t> last(text.size());
  const bwt::entry_places places = bwt::forward_transform(block, work, last);
  CHECK(std::string(last.begin(), last.end()) == "ipssmpissii");  // and the end after the m
  CHECK(places.whole == 4);
  std::vector<std::uint32_t> links(text.size());
  bwt::inverse_transform(places, links, last);
  CHECK(std::string(last.begin(), last.end()) == text);
}

TEST_CASE("a list of bytes moves its first byte back and any byte to the front") {
  for (const std::size_t size : {1, 2, 7, 8, 9, 20, 256}) {
    for (std::size_t rank = 0; rank < size; ++rank) {
      bwt::byte_list list;
      for (std::size_t i = 0; i < size; ++i) list.push_back(static_cast<std::uint8_t>(i));
      list.move_back(rank);
      for (std::size_t i = 0; i < size; ++i)
        REQUIRE(list[i] == (i == rank ? 0 : i < rank ? i + 1 : i));
      REQUIRE(list.move_to_front(0) == rank);
      for (std::size_t i = 0; i < size; ++i) REQUIRE(list[i] == i);
    }
  }
}

TEST_CASE("all instruction sets write the same block and read it") {
  for (const bytes& plain : {prose(200000), random_bytes(70000), all_ranks()}) {
    const on_isa scalar(isa::scalar);
    const bytes reference = coded(plain);
    for (const isa which : {isa::avx2, isa::avx512}) {
      const on_isa chosen(which);
      CHECK(coded(plain) == reference);
      CHECK(decoded(reference, plain.size()) == plain);
    }
    CHECK(decoded(reference, plain.size()) == plain);
  }
}

TEST_CASE("damaged BWT blocks are refused or decode to something") {
  const bytes plain = prose(3000);
  const bytes code = coded(plain);
  CHECK(failure(code, plain.size() + 1) == errc::damaged);
  CHECK(failure(code, plain.size() - 1) == errc::damaged);
  CHECK(failure(code, plain.size(), 1) == errc::damaged);
  CHECK(failure(code, 0) == errc::damaged);
  CHECK(failure({}, 5) == errc::damaged);
  CHECK(failure(bytes(3), 5) == errc::damaged);
  for (std::size_t cut = 0; cut < code.size(); cut += 5)
    CHECK(failure({code.begin(), code.begin() + static_cast<std::ptrdiff_t>(cut)}, plain.size()) ==
          errc::damaged);
  bytes longer = code;
  longer.push_back({});
  CHECK(failure(longer, plain.size()) == errc::damaged);
  for (std::size_t i = 0; i < code.size(); ++i) {
    bytes flipped = code;
    flipped[i] ^= std::byte{0x10};
    const errc result = failure(flipped, plain.size());
    CHECK((result == errc::damaged || result == errc{0}));
  }
  bytes far = code;
  far[2] = std::byte{0x7f};
  CHECK(failure(far, plain.size()) == errc::damaged);
}

TEST_CASE("trained tables are kept in a byte a value and make a block smaller") {
  const auto values = bwt::train_run_tables(prose(600000, 2));
  REQUIRE(values.size() == bwt::quantised_values);
  const auto trained = std::make_unique<bwt::run_tables>();
  bwt::restore(values, *trained);
  CHECK(bwt::quantise(*trained) == values);
  const bytes plain = prose(20000, 3);
  const bytes code = bwt::encode_block(plain, *trained);
  bytes again(plain.size());
  bwt::decode_block(code, *trained, again);
  CHECK(again == plain);
  const auto untrained = std::make_unique<bwt::run_tables>();
  bwt::set_untrained(*untrained);
  CHECK(code.size() < bwt::encode_block(plain, *untrained).size());
  CHECK_THROWS_AS(bwt::restore(std::span(values).first(10), *trained), error);
}
