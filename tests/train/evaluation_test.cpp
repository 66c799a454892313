#include "app/train/evaluation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>

#include "app/train/chance_measure.h"
#include "app/train/checkpoint.h"
#include "app/train/evaluation_report.h"
#include "app/train/model_export.h"
#include "app/train/network_coder.h"
#include "app/train/smu_windows.h"
#include "codec/model_file.h"
#include "codec/text/leaves.h"
#include "codec/text/text_data.h"
#include "lmzip/error.h"
#include "vocab/shipped.h"

using namespace lmzip;
using namespace lmzip::train;
using doctest::Approx;
using torch::Tensor;

namespace {

/// Text of which many words come again.
std::vector<std::byte> prose(std::size_t size) {
  static constexpr std::string_view words[] = {"the ",  "river ", "house ", "was ",   "and\n",
                                               "under", " a ",    "light",  ", then", " \xc3\xbc"};
  std::vector<std::byte> text;
  for (std::uint32_t state = 7; text.size() < size; state = state * 1664525 + 1013904223)
    for (const char c : words[(state >> 24) % std::size(words)])
      text.push_back(static_cast<std::byte>(c));
  text.resize(size);
  return text;
}

constexpr body_shape recurrent{.kind = "recurrent", .width = 16, .layers = 2, .mlp_width = 24};

std::shared_ptr<language_model> random_model(const body_shape& shape) {
  torch::manual_seed(5);
  std::vector<std::uint16_t> first;
  for (std::uint16_t k = 0; k < 64; ++k) first.push_back(static_cast<std::uint16_t>(256 * k));
  return std::make_shared<language_model>(shape, model::leaf_classes(first, 16384), true);
}

model_handle rounded(const language_model& from, const body_shape& shape) {
  tensor_file file;
  save_weights(from, file);
  file.notes["options"] =
      nlohmann::json{{"body", shape.kind},     {"width", shape.width}, {"layers", shape.layers},
                     {"mlp", shape.mlp_width}, {"heads", 0},           {"context", 0},
                     {"classes", 64},          {"tied", true}}
          .dump();
  return codec::read_model(codec::pack_model(integer_model(file), {}));
}

measured_models both_models() {
  measured_models models;
  models.floating = random_model(recurrent);
  models.integer = rounded(*models.floating, recurrent);
  return models;
}

const coding_result& coder(const text_result& of, std::string_view name) {
  for (const coder_result& each : of.coders)
    if (each.name == name) return each.coding;
  FAIL("no coder " << name);
  return of.coders.front().coding;
}

const auto no_report = [](const std::string&, double) {};

}  // namespace

TEST_CASE(
    "a network alone codes any bytes and gives them back, in as many bits as its chances say") {
  const auto models = both_models();
  std::vector<std::byte> binary;
  for (std::uint32_t state = 3; binary.size() < 3000; state = state * 1664525 + 1013904223)
    binary.push_back(static_cast<std::byte>(state >> 24));
  for (const auto& text : {prose(5000), binary}) {
    for (const bool adapts : {false, true}) {
      CAPTURE(adapts);
      const network_coding coded = code_alone(models.integer->network, text, 1 << 20, adapts);
      CHECK(coded.result.equal_bytes == text.size());
      CHECK(coded.result.coded_tokens == codec::text::leaves_of_tokens(text).size());
      CHECK(coded.chances.tokens == coded.result.coded_tokens);
      const double bytes = coded.chances.nats / std::log(2.0) / 8;
      CHECK(static_cast<double>(coded.result.coded_bytes) >= bytes);
      constexpr double header_and_end = 9;
      CHECK(static_cast<double>(coded.result.coded_bytes) < bytes * 1.001 + header_and_end);
    }
  }
}

TEST_CASE("a head that learns codes text that repeats itself in less, and blocks begin anew") {
  const auto models = both_models();
  const auto text = prose(8000);
  const auto bytes = [&](std::uint64_t block, bool adapts) {
    const auto coded = code_alone(models.integer->network, text, block, adapts);
    CHECK(coded.result.equal_bytes == text.size());
    return coded.result.coded_bytes;
  };
  CHECK(bytes(1 << 20, true) < bytes(1 << 20, false));
  CHECK(bytes(1 << 20, true) < bytes(1000, true));
}

TEST_CASE("whole distributions say the same as the loss of the model, in windows of any length") {
  const auto models = both_models();
  const auto leaves = codec::text::leaves_of_tokens(prose(1000));
  const auto chances = chance_measure(&models.integer->network, models.floating.get(), torch::kCPU)
                           .measure(leaves, [](double) {});
  std::vector<std::int64_t> inputs = {models.floating->start_symbol()};
  inputs.insert(inputs.end(), leaves.begin(), leaves.end() - 1);
  const Tensor targets = torch::tensor(std::vector<std::int64_t>(leaves.begin(), leaves.end()));
  body_state state = models.floating->start(1);
  const window all{torch::tensor(inputs), targets, torch::ones({1}, torch::kBool)};
  const double loss = models.floating->loss(all, state).item<double>();
  CHECK(chances.floating.cross_entropy() == Approx(loss).epsilon(1e-5));
  CHECK(chances.floating.tokens == leaves.size());

  // The rounded model is as good, and near in every distribution.
  CHECK(std::abs(loss_percent(chances.integer, chances.floating)) < 0.3);
  const double divergence = chances.divergence_nats / static_cast<double>(leaves.size());
  CHECK(divergence > 0);
  CHECK(divergence < 0.01);
  CHECK(chances.integer.divergence_from_uniform(16384) ==
        Approx(chances.floating.divergence_from_uniform(16384)).epsilon(0.02));

  // The coder takes the chances of the distributions.
  const auto coded = code_alone(models.integer->network, prose(1000), 1 << 20, false);
  CHECK(coded.chances.nats == Approx(chances.integer.nats).epsilon(1e-5));
}

TEST_CASE("frequencies give each leaf something, and what is left to the most probable") {
  const std::vector<float> chances = {0.4F, 0.05F, 0.45F, 0.1F};
  const auto sums = smu_frequencies(chances, 25);
  // 0.4 * 21 = 8.4, 1.05, 9.45, 2.1: 9, 2, 10, 3 are 24, so that one is left.
  CHECK(sums == std::vector<std::uint32_t>{0, 9, 11, 22, 25});
  // Two too many, by rounding: each gives one.
  CHECK(smu_frequencies(std::vector<float>{0.5F, 0.6F}, 22) ==
        std::vector<std::uint32_t>{0, 10, 22});
  std::vector<float> equal(16384, 1.0F / 16384);
  const auto flat = smu_frequencies(equal, smu_total);
  CHECK(flat.back() == smu_total);
  for (std::size_t i = 0; i + 1 < flat.size(); ++i) REQUIRE(flat[i + 1] - flat[i] == 16);
}

TEST_CASE("a window knows its own tokens only, and both models see the same") {
  const auto models = both_models();
  const auto leaves = codec::text::leaves_of_tokens(prose(600));
  const std::span<const std::uint16_t> all(leaves);
  const std::vector<std::span<const std::uint16_t>> windows = {all.subspan(0, 64),
                                                               all.subspan(30, 64)};
  const Tensor floating = windows_of(*models.floating, torch::kCPU)->log_chances(windows);
  const Tensor integer = windows_of(models.integer->network)->log_chances(windows);
  CHECK(floating.sizes() == integer.sizes());
  CHECK((floating.exp() * (floating - integer)).sum(1).max().item<double>() < 0.01);
  const Tensor alone =
      windows_of(*models.floating, torch::kCPU)->log_chances(std::span(windows).subspan(1));
  CHECK(torch::allclose(alone[0], floating[1], 1e-4, 1e-5));
  // As text from its beginning, the same tokens give the same.
  const auto text = windows_of(models.integer->network)->log_chances(std::span(windows).first(1));
  model::neural::network_distribution source(models.integer->network, {}, false);
  for (const std::uint16_t leaf : windows[0]) source.advance(leaf);
  std::vector<float> row(16384);
  write_chances(source, 16384, row.data());
  CHECK(text[0][5].item<double>() ==
        Approx(std::log(row[5] / static_cast<double>(leaf_frequencies::total))).epsilon(1e-4));
}

TEST_CASE("coding by windows leaves out the first tokens of each stream, or codes all") {
  const auto models = both_models();
  const auto text = prose(32000);
  const auto tokens = codec::text::leaves_of_tokens(text).size();
  REQUIRE(tokens > smu_context * smu_streams);
  double done = 0;
  const auto coded = code_by_windows(text, *windows_of(*models.floating, torch::kCPU),
                                     [&](double part) { done = part; });
  CHECK(done == Approx(1));
  CHECK(coded.usual.equal_bytes == text.size());
  CHECK(coded.usual.coded_tokens == tokens - smu_context * smu_streams);
  CHECK(coded.chances.tokens == coded.usual.coded_tokens);
  CHECK(coded.all.coded_tokens == tokens);
  CHECK(coded.all.coded_bytes > coded.usual.coded_bytes);
  CHECK(coded.left_out_bytes > smu_context * smu_streams);
  CHECK(coded.left_out_bytes < text.size());
  CHECK_THROWS_AS(code_by_windows(prose(5000), *windows_of(models.integer->network), [](double) {}),
                  error);
}

TEST_CASE("lines of a text are put together by spaces") {
  const std::string text = "one\n\ntwo\nthree";
  const auto part = [&](std::uint64_t first, std::uint64_t last, std::uint64_t limit) {
    evaluation_options options;
    options.first_line = first;
    options.last_line = last;
    options.limit = limit;
    const auto found = part_of_text(std::as_bytes(std::span(text)), options);
    return std::string(reinterpret_cast<const char*>(found.data()), found.size());
  };
  CHECK(part(1, 100, 0) == text);
  CHECK(part(2, 3, 0) == "\ntwo\n");
  CHECK(part(3, 4, 5) == "two\nt");
  CHECK(part(5, 9, 0) == "");
  const auto joined = smu_text(std::as_bytes(std::span(text)));
  CHECK(std::string(reinterpret_cast<const char*>(joined.data()), joined.size()) ==
        "one\n \n two\n three");
}

TEST_CASE("a text is measured in all ways, and sums up with others") {
  const auto models = both_models();
  evaluation_options options;
  options.block_bytes = 4096;
  const text_result one = evaluate("one", prose(6000), models, options, no_report);
  CHECK(one.size.bytes == 6000);
  CHECK(one.size.characters < 6000);
  CHECK(one.coders.size() == 3);
  for (const coder_result& each : one.coders) CHECK(each.coding.equal_bytes == 6000);
  CHECK(one.coders[0].model_bytes == models.integer->file_bytes);
  CHECK(coder(one, name::alone).encode_network_seconds > 0);
  CHECK(coder(one, name::alone).encode_network_seconds <= coder(one, name::alone).encode_seconds);
  CHECK(one.compares);
  CHECK(one.network(name::integer)->tokens == one.size.tokens);
  text_result total;
  total.name = "total";
  total += one;
  total += one;
  CHECK(total.name == "total");
  CHECK(total.size.bytes == 12000);
  CHECK(coder(total, name::archive).coded_bytes == 2 * coder(one, name::archive).coded_bytes);
  CHECK(total.network(name::floating)->cross_entropy() ==
        Approx(one.network(name::floating)->cross_entropy()));
  CHECK_THROWS_AS(evaluate("none", {}, models, options, no_report), error);
}

TEST_CASE("a transformer is measured as it is, and the archive has the network of its level") {
  measured_models models;
  models.floating = random_model(
      {.kind = "transformer", .width = 16, .layers = 1, .mlp_width = 16, .heads = 2, .context = 8});
  const text_result one = evaluate("one", prose(2000), models, {}, no_report);
  CHECK(one.coders.size() == 1);
  CHECK(coder(one, name::archive).equal_bytes == 2000);
  CHECK(one.networks.size() == 1);
  CHECK_FALSE(one.compares);
}

TEST_CASE("reports have all figures, escape names and are well-formed") {
  evaluation_report report;
  report.models = both_models();
  report.checkpoint = "run";
  report.options.level = 5;  // takes no model
  report.texts.push_back(
      evaluate("a|b<&\n", prose(3000), report.models, report.options, no_report));
  report.texts.push_back(evaluate("\xff", prose(2000), report.models, report.options, no_report));
  for (const text_result& text : report.texts) report.total += text;
  report.total.name = "total";
  const std::string plain = tables_of(report, table_style::plain);
  CHECK(plain.find("a|b<&\\x0a") != plain.npos);
  CHECK(plain.find("total") != plain.npos);
  const std::string markdown = tables_of(report, table_style::markdown);
  CHECK(markdown.find("| a\\|b\\<&\\\\x0a | alone |") != markdown.npos);
  const auto json = nlohmann::json::parse(json_of(report));
  CHECK(json["texts"].size() == 2);
  CHECK(json["total"]["bytes"] == 5000);
  CHECK(json["total"]["coders"]["alone"]["reconstruction_accuracy"] == 1);
  CHECK(json["total"]["coders"]["lmzip"]["model_bytes"] == 0);
  CHECK(json["texts"][0]["networks"]["integer"].contains("kl_from_uniform_nats_per_token"));
  CHECK(json["texts"][1]["name_hex"] == "ff");
  CHECK(json["settings"]["level"] == 5);
  CHECK(json["settings"]["integer_model"]["id"].get<std::string>().size() == 64);
  const std::string drawn = picture_of(report);
  CHECK(drawn.starts_with("<svg"));
  CHECK(drawn.ends_with("</svg>\n"));
  CHECK(drawn.find("a|b&lt;&amp;") != drawn.npos);
  std::size_t bars = 0;
  for (std::size_t at = drawn.find("<rect x="); at != drawn.npos;
       at = drawn.find("<rect x=", at + 1))
    ++bars;
  CHECK(bars == 9);
}
