// The search for programs of tensors: what it finds, and what holds for all budgets.

#include <doctest/doctest.h>

#include <algorithm>

#include "brevis_support.h"
#include "codec/brevis/brevis_encoder.h"
#include "codec/brevis/formula_guesses.h"
#include "codec/brevis/production_prior.h"
#include "codec/brevis/program_search.h"

using namespace lmzip;
using namespace lmzip::test;
using namespace lmzip::codec::brevis;

namespace {

/// Tensors with structure of many kinds, and some without.
std::vector<test_tensor> mixed_tensors() {
  std::vector<test_tensor> all;
  const test_tensor w = weight_tensor(48, 64, 11);
  all.push_back(w);
  all.push_back(w);
  all.push_back(tensor_of(dtype::f32, {500}, std::vector<std::uint64_t>(500, 0x3f800000)));
  std::vector<std::uint64_t> positions(512), mask, few;
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = i;
  all.push_back(tensor_of(dtype::i64, {1, 512}, positions));
  for (int r = 0; r < 32; ++r)
    for (int c = 0; c < 32; ++c) mask.push_back(c <= r ? 1 : 0);
  all.push_back(tensor_of(dtype::boolean, {1, 1, 32, 32}, mask));
  std::mt19937 random(12);
  for (int i = 0; i < 3000; ++i) few.push_back(0x3f800000 + random() % 5 * 4096);
  all.push_back(tensor_of(dtype::f32, {3000}, few));
  std::vector<std::uint64_t> grid;
  for (int i = 0; i < 4096; ++i)
    grid.push_back(std::bit_cast<std::uint32_t>(
        0.0171F * static_cast<float>(static_cast<int>(random() % 255) - 127)));
  all.push_back(tensor_of(dtype::f32, {64, 64}, grid));
  all.push_back(weight_tensor(16, 64, 13));
  return all;
}

struct outcome {
  std::vector<std::uint64_t> bytes;  // of programs; 0: none
  search_statistics statistics;
};

outcome search_all(const std::vector<test_tensor>& tensors, const search_options& options) {
  const leaf_coding leaves(options.effort);
  program_search search(options, leaves);
  outcome result;
  for (const test_tensor& t : tensors) {
    const auto found = search.find(t.type, {}, t.bytes);
    result.bytes.push_back(found ? found->bytes : 0);
    if (!found) continue;
    const std::vector<std::byte> made = [&] {
      block_knowledge before;
      for (const test_tensor& earlier : tensors) {
        if (&earlier == &t) break;
        before.add(earlier.type, earlier.bytes);
      }
      return before.result_of(found->program);
    }();
    CHECK(made == t.bytes);
  }
  result.statistics = search.statistics();
  return result;
}

}  // namespace

TEST_CASE("programs are found for what has structure and make every byte of it") {
  const auto tensors = mixed_tensors();
  for (const search_effort effort : {search_effort::fast, search_effort::full}) {
    const outcome found = search_all(tensors, {.effort = effort});
    for (const std::size_t i : {1, 2, 3, 4, 5, 6}) {
      CAPTURE(i);
      CHECK(found.bytes[i] > 0);
      CHECK(found.bytes[i] < tensors[i].bytes.size() / 3);
    }
    CHECK(found.bytes[7] == 0);
  }
}

TEST_CASE("the same tensors give the same programs") {
  const auto tensors = mixed_tensors();
  const outcome one = search_all(tensors, {}), other = search_all(tensors, {});
  CHECK(one.bytes == other.bytes);
  CHECK(one.statistics.nodes == other.statistics.nodes);
}

TEST_CASE("a larger budget never gives a larger program, and bounds what is tried") {
  const auto tensors = mixed_tensors();
  for (const test_tensor& t : tensors) {
    std::uint64_t before = ~std::uint64_t{0};
    for (std::uint64_t nodes = 1; nodes <= 96; nodes += nodes < 20 ? 1 : 19) {
      const outcome found = search_all({t}, {.effort = search_effort::full, .nodes = nodes});
      CHECK(found.statistics.nodes <= nodes);
      const std::uint64_t bytes = found.bytes[0] == 0 ? t.bytes.size() : found.bytes[0];
      CAPTURE(nodes);
      CHECK(bytes <= before);
      before = bytes;
    }
  }
}

TEST_CASE("without search, or without its production, nothing is found") {
  const auto tensors = mixed_tensors();
  const outcome none = search_all(tensors, {.effort = search_effort::none});
  CHECK(std::all_of(none.bytes.begin(), none.bytes.end(), [](auto b) { return b == 0; }));
  const auto without = 1U << static_cast<unsigned>(production::related) |
                       1U << static_cast<unsigned>(production::gathered);
  CHECK(search_all({tensors[0], tensors[1]}, {.without = without}).bytes[1] == 0);
}

TEST_CASE("what models use is recognised as formulas") {
  constexpr std::uint64_t columns = 32;
  std::vector<float> frequencies, window;
  for (std::uint64_t i = 0; i < columns; ++i)
    frequencies.push_back(static_cast<float>(std::pow(10000.0, -static_cast<double>(i) / columns)));
  const double turn = 8 * std::atan(1.0) / 400;
  for (int i = 0; i < 400; ++i)
    window.push_back(static_cast<float>(0.5 - 0.5 * std::cos(turn * i)));
  const outcome found =
      search_all({tensor_of_floats({columns}, frequencies), tensor_of_floats({400}, window)}, {});
  CHECK(found.bytes[0] > 0);
  CHECK(found.bytes[0] < 60);
  CHECK(found.bytes[1] > 0);
  CHECK(found.bytes[1] < 200);
}

TEST_CASE("the prior learns what a context has, and says less of others") {
  production_prior prior;
  const production_context masks = context_of({dtype::f32, {64, 64}}, name_class::mask);
  const production_context norms = context_of({dtype::f32, {64}}, name_class::norm);
  CHECK_FALSE(prior.has_seen(masks));
  const std::uint64_t before = prior.cost(masks, production::band);
  const std::uint64_t elsewhere = prior.cost(norms, production::band);
  for (int i = 0; i < 20; ++i) prior.learn(masks, production::band);
  CHECK(prior.has_seen(masks));
  CHECK(prior.order(masks)[0] == production::band);
  CHECK(prior.cost(masks, production::band) < before);
  // The same type, seen as a band twenty times.
  CHECK(prior.cost(norms, production::band) < elsewhere);
  CHECK(prior.cost(norms, production::band) > prior.cost(masks, production::band));
  production_prior fixed(false);
  fixed.learn(masks, production::band);
  CHECK(fixed.cost(masks, production::band) == before);
}

TEST_CASE("costs of probabilities fall with them and are whole bits for powers of two") {
  CHECK(cost_of_probability(65536) == 0);
  CHECK(cost_of_probability(32768) == 65536);
  CHECK(cost_of_probability(1) == 16 * 65536);
  for (std::uint32_t share = 1; share < 65536; ++share)
    if (cost_of_probability(share + 1) >= cost_of_probability(share)) {
      CHECK(share == 0);
      break;
    }
}
