#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "codec/model_file.h"
#include "codec/text/text_codec.h"
#include "codec/text/text_parameters.h"
#include "core/cpu.h"
#include "core/hash.h"
#include "engine/block_io.h"
#include "lmzip/archive_reader.h"
#include "lmzip/inspect.h"
#include "tests/random_model.h"
#include "tests/unit/engine_support.h"
#include "vocab/shipped.h"

using namespace lmzip;
using namespace lmzip::codec;
using namespace lmzip::test;

namespace {

bytes tiny_model_file(unsigned seed) {
  const auto stored =
      random_model({.leaves = static_cast<std::uint32_t>(vocab::shipped_vocabulary().size()),
                    .width = 16,
                    .layers = 1,
                    .mlp = 0,
                    .classes = 32},
                   seed);
  return pack_model(stored, {});
}

model_handle tiny_model(unsigned seed) { return load_model(tiny_model_file(seed)); }

class memory_source final : public seekable_source {
 public:
  explicit memory_source(bytes content) : content_(std::move(content)) {}
  std::uint64_t size() override { return content_.size(); }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    const std::size_t count = std::min(out.size(), content_.size() - std::size_t(offset));
    std::copy_n(content_.begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
    return count;
  }

 private:
  bytes content_;
};

}  // namespace

TEST_CASE("text is coded with a network alike on every instruction set") {
  const auto model = tiny_model(1);
  const bytes plain = prose(7000);  // too short for a trial, which would not take such a network
  for (const int strength : {3, 4}) {
    const auto encoder = make_text_encoder(strength, model);
    std::vector<encoded> blocks;
    for (const isa which : {isa::scalar, isa::avx2, isa::avx512}) {
      select_isa(which);
      blocks.push_back(encoder->encode(plain));
      for (const encoded& block : blocks) {
        bytes decoded(plain.size());
        text_decoder_v0.decode(block.how.parameters, block.coded, decoded, model.get());
        CHECK(decoded == plain);
      }
    }
    select_isa(best_isa());
    const auto& block = blocks.front();
    for (const encoded& each : blocks) CHECK(each.coded == block.coded);
    CHECK(text_decoder_v0.needs_model(block.how.parameters));
    CHECK(text_decoder_v0.describe(block.how.parameters).find("network") != std::string::npos);
    CHECK(text_decoder_v0.memory(block.how.parameters, plain.size(), model.get()) <=
          encoder->decoder_memory(plain.size()));
    CHECK(block.coded != make_text_encoder(strength)->encode(plain).coded);
  }
  CHECK_THROWS_AS(make_text_encoder(2, model), error);
}

TEST_CASE("a network that does harm is not used") {
  const auto model = tiny_model(1);
  const bytes plain = prose(30000);
  const encoded with = make_text_encoder(3, model)->encode(plain);
  CHECK_FALSE(text_decoder_v0.needs_model(with.how.parameters));
  CHECK(with.coded == make_text_encoder(3)->encode(plain).coded);
}

TEST_CASE("a block of a network is not decoded without it or with another one") {
  const auto model = tiny_model(1), other = tiny_model(2);
  const bytes plain = prose(3000);
  const encoded block = make_text_encoder(3, model)->encode(plain);
  bytes decoded(plain.size());
  for (const shared_model* wrong : {static_cast<const shared_model*>(nullptr), other.get()}) {
    try {
      text_decoder_v0.decode(block.how.parameters, block.coded, decoded, wrong);
      FAIL("decoded");
    } catch (const error& e) {
      CHECK(e.code() == errc::missing);
    }
  }
}

TEST_CASE("damage to a block of a network is found or decodes to something, and never crashes") {
  const auto model = tiny_model(1);
  const bytes plain = prose(2000);
  const encoded block = make_text_encoder(3, model)->encode(plain);
  bytes decoded(plain.size());
  for (std::size_t at = 0; at < block.coded.size(); at += 7) {
    bytes coded = block.coded;
    coded[at] ^= std::byte{0x21};
    try {
      text_decoder_v0.decode(block.how.parameters, coded, decoded, model.get());
    } catch (const error& e) {
      CHECK(e.code() == errc::damaged);
    }
  }
}

TEST_CASE("an archive names its model, and says so where it is missing") {
  const auto model = tiny_model(3);
  const bytes plain = prose(20000);
  const bytes archive =
      compress(plain, {.level = 8, .model = model, .block_bytes = 8192, .verify = true});
  int asked = 0;
  const model_finder finder = [&](const model_id& id) {
    ++asked;
    return id == model->id ? model : nullptr;
  };
  CHECK(decompress(archive, {.find_model = finder}) == plain);
  CHECK(asked > 0);
  CHECK(decompress(archive, {.threads = 2, .find_model = finder}) == plain);

  const std::string hint = "needs the model " + to_hex(model->id);
  for (const model_finder& none :
       {model_finder{}, model_finder([](const model_id&) { return model_handle{}; })}) {
    try {
      decompress(archive, {.find_model = none});
      FAIL("decoded");
    } catch (const error& e) {
      CHECK(e.code() == errc::missing);
      CHECK(std::string(e.what()).find(hint) != std::string::npos);
    }
  }

  memory_source from(archive);
  archive_reader reader(from, {.find_model = finder});
  CHECK(reader.read(9000, 500) == bytes(plain.begin() + 9000, plain.begin() + 9500));
  archive_reader blind(from);
  CHECK_THROWS_AS(blind.read(9000, 500), error);
}

TEST_CASE("blocks that do not need the model decode without it") {
  const bytes plain = random_bytes(20000);
  const bytes archive = compress(plain, {.level = 9, .model = tiny_model(3)});
  CHECK(decompress(archive) == plain);
}

TEST_CASE("archives of several models are read with each") {
  const auto first = tiny_model(3), second = tiny_model(4);
  const bytes plain = prose(6000);
  bytes archive = compress(plain, {.level = 8, .model = first});
  for (const bytes& more : {compress(plain, {.level = 9, .model = second}), compress(plain)})
    archive.insert(archive.end(), more.begin(), more.end());
  bytes thrice = plain;
  thrice.insert(thrice.end(), plain.begin(), plain.end());
  thrice.insert(thrice.end(), plain.begin(), plain.end());
  const model_finder finder = [&](const model_id& id) { return id == first->id ? first : second; };
  CHECK(decompress(archive, {.threads = 3, .find_model = finder}) == thrice);
}

TEST_CASE("levels without a network take no model") {
  CHECK_THROWS_AS(compress(prose(100), {.level = 7, .model = tiny_model(1)}), error);
}

TEST_CASE("repair keeps the model's name") {
  const auto model = tiny_model(3);
  const bytes plain = prose(20000);
  bytes archive = compress(plain, {.level = 8, .model = model, .block_bytes = 4096});
  archive[archive.size() / 2] ^= std::byte{1};
  const model_finder finder = [&](const model_id&) { return model; };
  engine::span_source in(archive);
  engine::vector_sink out;
  const repair_report report = repair(in, out, {.find_model = finder});
  CHECK(report.lost.size() == 1);
  CHECK(decompress(out.bytes, {.find_model = finder}).size() == plain.size() - 4096);
}

TEST_CASE("an archive that brings its model along needs nothing else") {
  const bytes file = tiny_model_file(3);
  const auto model = load_model(file);
  const bytes plain = prose(20000);
  for (const bool strong : {false, true})
    for (const std::uint64_t block_bytes : {std::uint64_t{4096}, std::uint64_t{0}}) {
      const bytes archive = compress(plain, {.level = 8,
                                             .model = model,
                                             .model_file = file,
                                             .block_bytes = block_bytes,
                                             .strong = strong});
      CHECK(decompress(archive) == plain);
      CHECK(decompress(archive, {.threads = 2}) == plain);
      memory_source from(archive);
      archive_reader reader(from);
      CHECK(reader.read(9000, 500) == bytes(plain.begin() + 9000, plain.begin() + 9500));
      engine::span_source in(archive);
      const auto members = inspect(in);
      REQUIRE(members.size() == 1);
      CHECK(members[0].model_bytes == file.size());
      CHECK(members[0].blocks.size() == (block_bytes == 0 ? 1 : 5));

      bytes twice = archive;
      twice.insert(twice.end(), archive.begin(), archive.end());
      CHECK(decompress(twice).size() == 2 * plain.size());
      CHECK(decompress(twice, {.on_damage = [](const damage&) { FAIL("no damage"); }}).size() ==
            2 * plain.size());
    }
}

TEST_CASE("only the model that is used is brought along") {
  const bytes file = tiny_model_file(3);
  const bytes plain = prose(100);
  CHECK_THROWS_AS(compress(plain, {.level = 8, .model = tiny_model(4), .model_file = file}), error);
  CHECK_THROWS_AS(compress(plain, {.level = 8, .model_file = file}), error);
  CHECK_THROWS_AS(compress(plain, {.level = 6, .model_file = file}), error);
}

TEST_CASE("a model in the archive counts against the memory limit") {
  const bytes file = tiny_model_file(3);
  const bytes archive =
      compress(prose(100), {.level = 8, .model = load_model(file), .model_file = file});
  try {
    decompress(archive, {.memory_limit = 1000});
    FAIL("decoded");
  } catch (const error& e) {
    CHECK(e.code() == errc::memory_limit);
  }
  memory_source from(archive);
  CHECK_THROWS_AS(archive_reader(from, {.memory_limit = 1000}), error);
}

TEST_CASE("wherever an archive with its model is damaged, the blocks that can be read are") {
  const bytes file = tiny_model_file(3);
  const auto model = load_model(file);
  bytes plain = prose(8192);
  const bytes noise = random_bytes(4096);
  plain.insert(plain.end(), noise.begin(), noise.end());
  const bytes archive =
      compress(plain, {.level = 8, .model = model, .model_file = file, .block_bytes = 4096});
  const auto salvage = [&](const bytes& damaged, const model_finder& finder) {
    int reports = 0;
    const bytes got =
        decompress(damaged, {.on_damage = [&](const damage&) { ++reports; }, .find_model = finder});
    CHECK(reports > 0);
    return got;
  };
  for (std::size_t at = 200; at < archive.size(); at += 9973) {
    CAPTURE(at);
    bytes damaged = archive;
    damaged[at] ^= std::byte{0x20};
    try {
      decompress(damaged);
      FAIL("not noticed");
    } catch (const error& e) {
      CHECK(e.code() == errc::damaged);
    }
    if (at >= file.size()) continue;
    // The model is lost: blocks that need it are too, if nobody else has it.
    const bytes blind = salvage(damaged, {});
    REQUIRE(blind.size() == plain.size());
    CHECK(std::equal(noise.begin(), noise.end(), blind.end() - 4096));
    CHECK(salvage(damaged, [&](const model_id&) { return model; }) == plain);

    engine::span_source in(damaged);
    engine::vector_sink out;
    const repair_report report =
        repair(in, out, {.find_model = [&](const model_id&) { return model; }});
    CHECK(report.lost.size() == 1);
    CHECK(decompress(out.bytes, {.find_model = [&](const model_id&) { return model; }}) == plain);
  }
  engine::span_source in(archive);
  engine::vector_sink out;
  CHECK(repair(in, out, {}).lost.empty());
  CHECK(out.bytes == archive);
}
