#include "codec/model_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codec/parameter_file.h"
#include "lmzip/error.h"
#include "lmzip/model.h"
#include "tests/random_model.h"
#include "vocab/shipped.h"

using namespace lmzip;
using namespace lmzip::codec;
using lmzip::test::model_shape;
using lmzip::test::random_model;

namespace {

model_shape file_shape(int mlp = 16, bool tied = false) {
  return {.leaves = static_cast<std::uint32_t>(vocab::shipped_vocabulary().size()),
          .width = 8,
          .layers = 2,
          .mlp = mlp,
          .classes = 64,
          .tied = tied};
}

model_shape transformer_shape() {
  model_shape shape = file_shape();
  shape.width = 16;
  shape.heads = 2;
  shape.context = 4;
  return shape;
}

errc refusal_of(std::span<const std::byte> file) {
  try {
    read_model(file);
  } catch (const error& e) {
    return e.code();
  }
  return errc::internal;
}

std::vector<parameter_section> sections_of(std::span<const std::byte> file) {
  const auto parsed = parameter_file::parse(file, file_magic::model);
  std::vector<parameter_section> sections;
  for (const char* name : {"about", "classes", "embed", "shift0", "bias0",  "in0",  "query0", "kv0",
                           "out0",  "mlpi0",   "mlpo0", "shift1", "bias1",  "in1",  "query1", "kv1",
                           "out1",  "mlpi1",   "mlpo1", "class",  "classb", "leaf", "leafb"})
    if (parsed.has(name)) sections.push_back({name, parsed.section(name, parsed.size_of(name))});
  return sections;
}

using list = std::vector<parameter_section>;

std::vector<std::uint8_t>& values(list& sections, const std::string& name) {
  return std::find_if(sections.begin(), sections.end(),
                      [&](const parameter_section& s) { return s.name == name; })
      ->values;
}

template <class Change>
errc refusal_after(std::span<const std::byte> file, Change change) {
  list sections = sections_of(file);
  change(sections);
  return refusal_of(pack_parameter_file(sections, file_magic::model));
}

}  // namespace

TEST_CASE("a model file gives back the model") {
  for (const bool tied : {false, true}) {
    const auto stored = random_model(file_shape(tied ? 0 : 16, tied), 5);
    const auto file =
        pack_model(stored, {.description = "a test\nof files", .vocabulary = {}, .check = {}});
    const auto model = read_model(file);
    CHECK(model->facts.description == "a test of files");
    CHECK(model->facts.vocabulary == vocab::shipped_vocabulary().content_hash());
    CHECK(model->facts.check == model_check_hash(model->network));
    CHECK(model->facts.check == model_check_hash(model::neural::language_model(stored)));
    CHECK(model->id == id_of_model_file(file));
    CHECK(model->file_bytes == file.size());
    const model_info info = describe_model(model);
    CHECK(info.description == "a test of files");
    CHECK(info.id == model->id);
    CHECK(info.body == "recurrent");
    CHECK(info.work == (tied ? 2 * 8 * 32 : 2 * 8 * (32 + 32)));
    CHECK_FALSE(info.shipped);
    CHECK(check_model(model));
  }
}

TEST_CASE("the file of a transformer gives it back") {
  const auto stored = random_model(transformer_shape(), 5);
  const auto file = pack_model(stored, {.description = "attends", .vocabulary = {}, .check = {}});
  const auto model = read_model(file);
  CHECK(model->network.kind() == model::neural::body_kind::transformer);
  CHECK(model->network.heads() == 2);
  CHECK(model->network.context() == 4);
  CHECK(model->facts.description == "attends");
  CHECK(model->facts.check == model_check_hash(model::neural::language_model(stored)));
  const model_info info = describe_model(model);
  CHECK(info.body == "transformer");
  CHECK(info.work == 2 * 16 * (4 * 16 + 2 * 16 + 2 * 4));
  CHECK(check_model(model));
}

TEST_CASE("the same numbers give the same file") {
  const auto stored = random_model(file_shape(), 6);
  CHECK(pack_model(stored, {}) == pack_model(stored, {}));
}

TEST_CASE("every flip and cut of a model file is refused") {
  for (const model_shape& shape : {file_shape(), transformer_shape()}) {
    const auto file = pack_model(random_model(shape), {});
    REQUIRE(file.size() > 1000);
    for (std::size_t at = 0; at < file.size(); at += at < 200 ? 1 : file.size() / 60) {
      auto flipped = file;
      flipped[at] ^= std::byte{4};
      CHECK(refusal_of(flipped) == errc::damaged);
    }
    for (std::size_t size = 0; size < file.size(); size += size < 100 ? 1 : file.size() / 40)
      CHECK(refusal_of(std::span(file).first(size)) == errc::damaged);
    auto longer = file;
    longer.push_back(std::byte{0});
    CHECK(refusal_of(longer) == errc::damaged);
  }
  CHECK(refusal_of({}) == errc::damaged);
}

TEST_CASE("sections that do not fit each other are refused") {
  const auto file =
      pack_model(random_model(file_shape()), {.description = "x", .vocabulary = {}, .check = {}});
  const auto refused = [&](auto change) { return refusal_after(file, change); };
  CHECK(refused([](list&) {}) == errc::internal);  // not refused
  CHECK(refused([](list& s) { s.pop_back(); }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "in0").pop_back(); }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "in0")[0] = 0; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "classes")[0] = 1; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "about").resize(20); }) == errc::truncated);
  CHECK(refused([](list& s) { values(s, "about")[0] = 1; }) == errc::unsupported);
  CHECK(refused([](list& s) { values(s, "about")[2] = 1; }) == errc::truncated);
  CHECK(refused([](list& s) { values(s, "about")[2] = 2; }) == errc::unsupported);
  CHECK(refused([](list& s) { values(s, "about")[3] = 2; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "about")[4] = 12; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "about")[6] = 0; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "about")[20] ^= 1; }) == errc::unsupported);
  CHECK(refused([](list& s) { values(s, "about").resize(300, 'a'); }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "about").push_back('\n'); }) == errc::damaged);
}

TEST_CASE("sections of a transformer that do not fit each other are refused") {
  const auto file = pack_model(random_model(transformer_shape()),
                               {.description = "x", .vocabulary = {}, .check = {}});
  const auto refused = [&](auto change) { return refusal_after(file, change); };
  constexpr std::size_t heads = 12 + 64, context = heads + 2;  // in the section
  CHECK(refused([](list&) {}) == errc::internal);              // not refused
  CHECK(refused([](list& s) { values(s, "about")[2] = 0; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "about").resize(context + 1); }) == errc::truncated);
  CHECK(refused([](list& s) { values(s, "about")[heads] = 0; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "about")[heads] = 3; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "about")[heads + 1] = 128; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "about")[context] = 0; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "about")[context + 1] = 4; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "query0").pop_back(); }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "query1")[0] = 25; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "kv0")[0] = 0; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "kv1").back() = 128; }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "kv1") = values(s, "query1"); }) == errc::damaged);
  CHECK(refused([](list& s) { values(s, "out1").clear(); }) == errc::damaged);
}

TEST_CASE("a model that computes otherwise than it should is found out") {
  const auto file = pack_model(random_model(file_shape()), {});
  auto sections = sections_of(file);
  sections.front().values[50] ^= 1;  // of the check
  CHECK_FALSE(check_model(load_model(pack_parameter_file(sections, file_magic::model))));
}

TEST_CASE("a parameter file is no model") {
  const auto parameters = vocab::shipped_parameter_bytes();
  CHECK(refusal_of(parameters) == errc::damaged);
  CHECK_THROWS_AS(id_of_model_file(parameters), error);
}
