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

model_handle tiny_model(unsigned seed) {
  const auto stored =
      random_model({.leaves = static_cast<std::uint32_t>(vocab::shipped_vocabulary().size()),
                    .width = 16,
                    .layers = 1,
                    .mlp = 0,
                    .classes = 32},
                   seed);
  return load_model(pack_model(stored, {}));
}

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
