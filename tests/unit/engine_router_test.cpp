// The choice of codec for a block, and what happens when an encoder fails.

#include <doctest/doctest.h>

#include <memory>

#include "codec/store/store.h"
#include "codec/zstd/zstd_codec.h"
#include "engine/compressor.h"
#include "engine/router.h"
#include "engine_support.h"
#include "lmzip/inspect.h"

using namespace lmzip;
using namespace lmzip::test;
using codec::codec_id;
using container::reason;

namespace {

// An encoder that does what a test wants; it writes stored blocks unless told otherwise.
class fake_encoder final : public codec::encoder {
 public:
  std::function<codec::encoded(std::span<const std::byte>)> coding = codec::store_block;
  std::uint64_t estimated = 0;
  bool estimate_fails = false;

  std::string_view name() const noexcept override { return "fake"; }
  std::uint64_t memory(std::uint64_t) const override { return 1000; }
  std::uint64_t decoder_memory(std::uint64_t) const override { return 500; }
  codec::outlook estimate(std::span<const std::byte>) const override {
    if (estimate_fails) throw error(errc::internal, "no estimate");
    return {estimated, codec::undecided};
  }
  codec::encoded encode_as(std::span<const std::byte> plain, std::uint32_t) const override {
    return coding(plain);
  }
};

codec::encoded fail(std::span<const std::byte>) { throw error(errc::internal, "cannot"); }
codec::encoded run_out_of_memory(std::span<const std::byte>) { throw std::bad_alloc(); }
codec::encoded write_nothing(std::span<const std::byte>) { return {{codec_id::zstd, 0, 1}, {}}; }
codec::encoded write_unknown(std::span<const std::byte>) {
  return {{static_cast<codec_id>(77), 0, 0}, bytes(3)};
}

codec::encoded write_wrong_bytes(std::span<const std::byte> plain) {
  bytes other(plain.begin(), plain.end());
  other[other.size() / 2] ^= std::byte{1};
  return codec::make_zstd_encoder(1)->encode(other);
}

codec::encoded write_garbage(std::span<const std::byte>) {
  return {{codec_id::zstd, 0, 1}, random_bytes(20)};
}

std::shared_ptr<fake_encoder> faulty(codec::encoded (*coding)(std::span<const std::byte>)) {
  auto result = std::make_shared<fake_encoder>();
  result->coding = coding;
  return result;
}

engine::routed routed_by(const engine::routing& ways, const bytes& plain) {
  engine::byte_buffer scratch;
  return engine::route(ways, plain, scratch);
}

// What a route gives back must decode, unless the encoder lied and nobody verified.
bytes decoded(const engine::routed& result, std::size_t size) {
  bytes plain(size);
  codec::find_decoder(result.how.codec, result.how.version)
      ->decode(result.how.parameters, result.coded, plain);
  return plain;
}

}  // namespace

TEST_CASE("constant and periodic blocks are fills, whatever the level says") {
  const engine::routing ways{.candidates = {faulty(fail)}, .fallback = {}};
  const auto result = routed_by(ways, bytes(5000, std::byte{7}));
  CHECK(result.how.codec == codec_id::fill);
  CHECK(result.why == reason::constant);
  CHECK(result.coded.size() == 1);
}

TEST_CASE("noise is stored: judged by samples if large, by its coded size if small") {
  const engine::routing ways{.candidates = {codec::make_zstd_encoder(3)}, .fallback = {}};
  const bytes large = random_bytes(5 << 20);
  auto result = routed_by(ways, large);
  CHECK(result.how.codec == codec_id::store);
  CHECK(result.why == reason::incompressible);
  CHECK(result.coded == large);
  const bytes small = random_bytes(500);
  result = routed_by(ways, small);
  CHECK(result.how.codec == codec_id::store);
  CHECK(result.why == reason::not_smaller);
  CHECK(result.coded == small);
}

TEST_CASE("a single candidate is used because the level says so") {
  const engine::routing ways{.candidates = {codec::make_zstd_encoder(3)}, .fallback = {}};
  const bytes plain = prose(10000);
  const auto result = routed_by(ways, plain);
  CHECK(result.how.codec == codec_id::zstd);
  CHECK(result.why == reason::level);
  CHECK(decoded(result, plain.size()) == plain);
}

TEST_CASE("of two candidates the smaller one wins, even if its estimate was worse") {
  const bytes plain = prose(10000);
  const auto weak = codec::make_zstd_encoder(1)->encode(plain);
  const auto strong = codec::make_zstd_encoder(9)->encode(plain);
  REQUIRE(strong.coded.size() < weak.coded.size());
  auto first = std::make_shared<fake_encoder>(), second = std::make_shared<fake_encoder>();
  first->coding = [&](auto) { return weak; };
  second->coding = [&](auto) { return strong; };

  first->estimated = 10;
  second->estimated = 20;
  const engine::routing ways{.candidates = {first, second}, .fallback = {}};
  auto result = routed_by(ways, plain);
  CHECK(result.how.parameters == 9);
  CHECK(result.why == reason::smallest);

  second->estimated = 10000;  // hopeless: not even tried
  second->coding = fail;
  result = routed_by(ways, plain);
  CHECK(result.how.parameters == 1);
  CHECK(result.why == reason::smallest);
}

TEST_CASE("a block that no candidate will shrink is stored without trying") {
  auto first = faulty(fail), second = faulty(fail);
  first->estimated = second->estimated = std::uint64_t{2} << 20;
  const engine::routing ways{.candidates = {first, second}, .fallback = {}};
  const auto result = routed_by(ways, random_bytes(2 << 20));
  CHECK(result.how.codec == codec_id::store);
  CHECK(result.why == reason::incompressible);
}

TEST_CASE("a failing encoder gives way to the fallback, then to storing") {
  const bytes plain = prose(10000);
  for (const auto coding : {fail, run_out_of_memory, write_nothing, write_unknown}) {
    engine::routing ways{.candidates = {faulty(coding)}, .fallback = codec::make_zstd_encoder(9)};
    auto result = routed_by(ways, plain);
    CHECK(result.how.codec == codec_id::zstd);
    CHECK(result.why == reason::encoder_failed);
    CHECK(decoded(result, plain.size()) == plain);

    ways.fallback = faulty(coding);
    result = routed_by(ways, plain);
    CHECK(result.how.codec == codec_id::store);
    CHECK(result.why == reason::encoder_failed);
    CHECK(result.coded == plain);

    ways.fallback = {};
    CHECK(routed_by(ways, plain).how.codec == codec_id::store);
  }
}

TEST_CASE("with verification wrong and undecodable code gives way as well") {
  const bytes plain = prose(10000);
  for (const auto coding : {write_wrong_bytes, write_garbage}) {
    engine::routing ways{
        .candidates = {faulty(coding)}, .fallback = codec::make_zstd_encoder(9), .verify = true};
    auto result = routed_by(ways, plain);
    CHECK(result.how.codec == codec_id::zstd);
    CHECK(result.how.parameters == 9);
    CHECK(result.why == reason::verification_failed);
    CHECK(decoded(result, plain.size()) == plain);

    ways.fallback = faulty(coding);
    result = routed_by(ways, plain);
    CHECK(result.how.codec == codec_id::store);
    CHECK(result.why == reason::verification_failed);
    CHECK(result.coded == plain);
  }
}

TEST_CASE("a candidate whose estimate fails is left out") {
  auto first = faulty(fail);
  first->estimate_fails = true;
  const engine::routing ways{.candidates = {first, codec::make_zstd_encoder(1)}, .fallback = {}};
  const bytes plain = prose(10000);
  const auto result = routed_by(ways, plain);
  CHECK(result.how.codec == codec_id::zstd);
  CHECK(result.why == reason::encoder_failed);
  CHECK(decoded(result, plain.size()) == plain);
}

TEST_CASE("memory is that of the hungriest encoder, plus a copy to verify") {
  engine::routing ways{.candidates = {faulty(fail)}, .fallback = codec::make_zstd_encoder(1)};
  const std::uint64_t zstd = ways.fallback->memory(1 << 20);
  CHECK(engine::routing_memory(ways, 1 << 20) == zstd);
  CHECK(engine::decoding_memory(ways, 1 << 20) == ways.fallback->decoder_memory(1 << 20));
  ways.verify = true;
  CHECK(engine::routing_memory(ways, 1 << 20) == zstd + (1 << 20));
}

TEST_CASE("an archive whose encoder fails throughout still decodes, and says why") {
  const bytes plain = prose(20000);
  engine::level_plan plan;
  plan.ways = {.candidates = {faulty(write_wrong_bytes)},
               .fallback = codec::make_zstd_encoder(1),
               .verify = true};
  plan.block_bytes = min_block_bytes;
  test_source in(plain);
  test_sink out;
  engine::compress(in, out, plan, {});
  CHECK(decompress(out.content) == plain);
  test_source archive(out.content);
  const auto members = inspect(archive);
  for (const auto& block : members.front().blocks) {
    CHECK(block.codec == "zstd 0");
    CHECK(block.reason == "fallback: verification failed");
  }
}

TEST_CASE("wrong code that nobody verified is caught when it is decoded") {
  const bytes plain = prose(20000);
  engine::level_plan plan;
  plan.ways.candidates = {faulty(write_wrong_bytes)};
  plan.block_bytes = min_block_bytes;
  test_source in(plain);
  test_sink out;
  engine::compress(in, out, plan, {});
  test_source archive(out.content);
  test_sink again;
  CHECK(failure_of([&] { decompress(archive, again); }) == errc::damaged);
  CHECK(again.content.empty());
}
