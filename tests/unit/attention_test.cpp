#include "model/neural/attention.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/cpu.h"
#include "lmzip/error.h"
#include "model/neural/body.h"
#include "model/neural/network_distribution.h"
#include "tests/random_model.h"
#include "tests/unit/neural_support.h"

using namespace lmzip;
using namespace lmzip::model::neural;
using namespace lmzip::test;

namespace {

using reals = std::vector<double>;

const double pi = std::acos(-1);

model_shape transformer_shape(int width = 64, int heads = 2, int context = 5, int layers = 2,
                              int mlp = 48) {
  return {.leaves = 300,
          .width = width,
          .layers = layers,
          .mlp = mlp,
          .heads = heads,
          .context = context};
}

reals normal(reals v) {
  double squares = 0;
  for (const double x : v) squares += x * x;
  const double size = std::sqrt(squares / static_cast<double>(v.size()));
  for (double& x : v) x = std::clamp(x / size, -127 / 16.0, 127 / 16.0);
  return v;
}

/// The transformer as it is defined, in real numbers, for one sequence.
class real_transformer {
 public:
  explicit real_transformer(const stored_model& stored)
      : stored_(stored), keys_(stored.layers.size()), values_(stored.layers.size()) {}

  reals next(std::uint32_t symbol) {
    const auto d = static_cast<std::size_t>(stored_.width);
    const stored_matrix& e = stored_.embedding;
    reals x(d);
    for (std::size_t i = 0; i < d; ++i)
      x[i] = e.weights[symbol * d + i] * e.factors[symbol] / std::exp2(e.shift) / 4096;
    for (std::size_t i = 0; i < stored_.layers.size(); ++i) {
      const stored_layer& l = stored_.layers[i];
      add(x, times(l.out, normal(attend(l, i, normal(x)))), 4096);
      reals inner = times(l.mlp_in, normal(x));
      for (double& value : inner) value = std::pow(std::clamp(value / 256, 0.0, 2895 / 256.0), 2);
      add(x, times(l.mlp_out, normal(inner)), 4096);
    }
    ++position_;
    return normal(x);
  }

 private:
  static void add(reals& x, const reals& more, double unit) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += more[i] / unit;
  }

  static reals times(const stored_matrix& m, const reals& v) {
    const double sums = static_cast<double>(v.size()) * 127 * 127;
    const double low_bits = std::max(0.0, std::floor(std::log2(sums)) + 1 - 15);
    reals result(m.factors.size());
    for (std::size_t row = 0; row < result.size(); ++row) {
      for (std::size_t k = 0; k < v.size(); ++k)
        result[row] += m.weights[row * v.size() + k] * v[k] * 16;
      result[row] *= m.factors[row] / std::exp2(m.shift + low_bits);
    }
    return result;
  }

  std::size_t channels() const { return static_cast<std::size_t>(stored_.width / stored_.heads); }

  reals turned(const double* row) const {
    reals result(row, row + stored_.width);
    const std::size_t half = channels() / 2;
    for (std::size_t h = 0; h < result.size(); h += channels())
      for (std::size_t i = 0; i < half; ++i) {
        const double angle =
            position_ * std::pow(10000, -static_cast<double>(i) / static_cast<double>(half));
        const double a = row[h + i], b = row[h + half + i];
        result[h + i] = a * std::cos(angle) - b * std::sin(angle);
        result[h + half + i] = b * std::cos(angle) + a * std::sin(angle);
      }
    return result;
  }

  reals attend(const stored_layer& l, std::size_t layer, const reals& now) {
    const auto d = static_cast<std::size_t>(stored_.width);
    reals query = times(l.query, now), key_value = times(l.key_value, now);
    for (double& value : query) value /= 1024;
    for (double& value : key_value) value /= 1024;
    query = turned(query.data());
    keys_[layer].push_back(turned(key_value.data()));
    values_[layer].emplace_back(key_value.begin() + stored_.width, key_value.end());
    const std::size_t seen = keys_[layer].size();
    const std::size_t first = seen - std::min<std::size_t>(seen, stored_.context);
    reals mixed(d);
    for (std::size_t h = 0; h < d; h += channels()) {
      reals weights;
      double total = 0;
      for (std::size_t t = first; t < seen; ++t) {
        double product = 0;
        for (std::size_t i = h; i < h + channels(); ++i) product += query[i] * keys_[layer][t][i];
        weights.push_back(std::exp(product / std::sqrt(static_cast<double>(channels()))));
        total += weights.back();
      }
      for (std::size_t t = first; t < seen; ++t)
        for (std::size_t i = h; i < h + channels(); ++i)
          mixed[i] += weights[t - first] / total * values_[layer][t][i];
    }
    return mixed;
  }

  const stored_model& stored_;
  std::vector<std::vector<reals>> keys_, values_;
  double position_ = 0;
};

}  // namespace

TEST_CASE("positions turn pairs by powers of 10000") {
  for (const std::uint32_t pairs : {4U, 16U, 20U, 256U})
    for (std::uint32_t i = 0; i < pairs; ++i) {
      const double wanted = std::exp2(32) / (2 * pi) * std::pow(10000, -1.0 * i / pairs);
      CHECK(std::abs(turn_of_pair(i, pairs) - wanted) < 1.5 + 2e-6 * wanted);
    }
}

TEST_CASE("every instruction set attends the same, up to the bounds of all formats") {
  numbers random(11);
  for (const auto& [heads, channels, context] : {std::array{1, 8, 1},
                                                 {3, 8, 7},
                                                 {2, 24, 10},
                                                 {8, 16, 33},
                                                 {4, 32, 64},
                                                 {5, 40, 30},
                                                 {1, max_width, max_context},
                                                 {2, 232, max_context},
                                                 {8, 64, 512}}) {
    const int width = heads * channels;
    const auto d = static_cast<std::size_t>(width), pairs = static_cast<std::size_t>(channels / 2);
    const auto sums = random.some<std::int32_t>(d, -width * 127 * 127, width * 127 * 127);
    const auto factors = random.some<std::int32_t>(d, 0, 32767);
    const auto sine = random.some<std::int16_t>(2 * pairs, -16384, 16384);
    const auto row = random.some<std::int16_t>(d, -32767, 32767);
    const auto query = random.some<std::int16_t>(d, -turned_bound, turned_bound);
    const std::size_t ring = d * static_cast<std::size_t>(context);
    const auto keys = random.some<std::int16_t>(ring, -turned_bound, turned_bound);
    auto values = random.some<std::int16_t>(ring, -32767, 32767);
    for (int tokens = 1; tokens <= context; tokens = tokens < 8 ? tokens + 1 : 2 * tokens - 1) {
      const attention_shape shape{heads, channels, context, tokens % 2 == 0 ? 0 : 16715};
      if (tokens > 1000) std::fill(values.begin(), values.end(), std::int16_t{-32767});
      const auto run = [&](const kernel_table& k) {
        std::vector<std::int16_t> narrow(d), turned = row;
        std::vector<std::int32_t> mixed(d);
        k.narrow(sums.data(), factors.data(), {10, 1 + tokens % 12}, width, narrow.data());
        k.turn(turned.data(), shape, {sine.data(), sine.data() + pairs});
        for (const std::int16_t value : turned) CHECK(std::abs(value) <= turned_bound);
        k.attend(shape, query.data(), keys.data(), values.data(), tokens, mixed.data());
        std::vector<std::int64_t> all(narrow.begin(), narrow.end());
        all.insert(all.end(), turned.begin(), turned.end());
        all.insert(all.end(), mixed.begin(), mixed.end());
        return all;
      };
      const auto reference = run(scalar::kernels);
      for (const kernel_table* kernels : all_kernels()) CHECK(run(*kernels) == reference);
    }
  }
}

TEST_CASE("a single token is seen whole, and equal ones in equal parts") {
  const attention_shape shape{1, 8, 4, 5000};
  const std::vector<std::int16_t> query(8, 100), keys(32, -100);
  std::vector<std::int16_t> values(32, 4000);
  std::vector<std::int32_t> mixed(8);
  scalar::kernels.attend(shape, query.data(), keys.data(), values.data(), 1, mixed.data());
  CHECK(mixed[3] == 32767 * 4000);
  std::fill_n(values.begin(), 16, std::int16_t{0});
  scalar::kernels.attend(shape, query.data(), keys.data(), values.data(), 4, mixed.data());
  CHECK(mixed[3] == (1 << 14) * 4000);
}

TEST_CASE("the transformer computes what its definition says in real numbers") {
  for (const auto& shape : {transformer_shape(), transformer_shape(48, 3, 40, 1)}) {
    const auto stored = random_model(shape);
    const language_model model(stored);
    real_transformer real(stored);
    body_runner runner(model);
    body_state integers(model);
    std::vector<std::int8_t> out(static_cast<std::size_t>(shape.width));
    double worst = 0, total = 0;
    const auto symbols = some_leaves(60, 300, 8);
    for (const std::uint16_t symbol : symbols) {
      const reals expected = real.next(symbol);
      const body_step step{&integers, symbol, out.data()};
      runner.run({&step, 1});
      for (std::size_t i = 0; i < out.size(); ++i) {
        const double error = std::abs(out[i] / 16.0 - expected[i]);
        worst = std::max(worst, error);
        total += error;
      }
    }
    CHECK(total / static_cast<double>(symbols.size() * out.size()) < 0.05);
    CHECK(worst < 0.5);
  }
}

TEST_CASE("a transformer gives the same chances on every instruction set, alone and in batches") {
  for (const model_shape& shape :
       {transformer_shape(), transformer_shape(8, 1, 4, 1, 0), transformer_shape(16, 2, 1, 3, 8),
        transformer_shape(48, 2, 10), transformer_shape(128, 2, 20), transformer_shape(40, 5, 200),
        transformer_shape(72, 3, 16, 1)})
    check_equal_everywhere(random_model(shape), shape.leaves);
}

TEST_CASE("sequences of a transformer's batch do not touch each other") {
  const language_model model(random_model(transformer_shape()));
  const auto width = static_cast<std::size_t>(model.width());
  body_runner runner(model);
  std::vector<body_state> together(3, body_state(model)), alone(3, body_state(model));
  std::vector<std::int8_t> rows(max_batch * width), row(width);
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    // Some have several steps in a batch, and others none.
    std::vector<body_step> steps;
    std::vector<std::size_t> of;
    for (std::size_t b = 0; b < 1 + random() % max_batch; ++b) {
      of.push_back(random() % 3);
      steps.push_back(
          {&together[of[b]], static_cast<std::uint32_t>(random() % 300), rows.data() + b * width});
    }
    runner.run(steps);
    for (std::size_t b = 0; b < steps.size(); ++b) {
      const body_step single{&alone[of[b]], steps[b].symbol, row.data()};
      runner.run({&single, 1});
      CHECK(std::equal(row.begin(), row.end(), steps[b].out));
    }
  }
}

TEST_CASE("a transformer sees its context and nothing before") {
  constexpr int context = 7;
  const language_model model(random_model(transformer_shape(32, 2, context, 1)));
  const auto leaves = some_leaves(30, 300, 5);
  body_runner runner(model);
  body_state one(model), other(model);
  std::vector<std::int8_t> row(32), changed(32);
  int last_change = 0;
  for (int t = 0; t < 30; ++t) {
    const auto symbol = leaves[static_cast<std::size_t>(t)];
    const body_step step{&one, symbol, row.data()};
    const body_step changing{&other, t == 10 ? (symbol + 1U) % 300 : symbol, changed.data()};
    runner.run({&step, 1});
    runner.run({&changing, 1});
    if (t < 10 || t >= 10 + context)
      CHECK(row == changed);
    else if (row != changed)
      last_change = t;
  }
  CHECK(last_change == 10 + context - 1);
}

TEST_CASE("places go round the rings, and positions on") {
  attention_state state(language_model(random_model(transformer_shape(8, 1, 3, 1))));
  for (std::uint32_t i = 0; i < 9; ++i) {
    const attention_state::place place = state.next_place();
    CHECK(place.position == i);
    CHECK(place.slot == i % 3);
    CHECK(place.tokens == std::min<int>(static_cast<int>(i) + 1, 3));
  }
}

TEST_CASE("numbers that are no transformer are refused") {
  const auto refused = [](auto change) {
    auto stored = random_model(transformer_shape());
    change(stored);
    try {
      language_model{stored};
      return false;
    } catch (const error& e) {
      return e.code() == errc::damaged;
    }
  };
  CHECK_FALSE(refused([](stored_model&) {}));
  CHECK_FALSE(refused([](stored_model& m) { m.heads = 8; }));
  CHECK_FALSE(refused([](stored_model& m) { m.context = max_context; }));
  CHECK(refused([](stored_model& m) { m.kind = body_kind::recurrent; }));
  CHECK(refused([](stored_model& m) { m.kind = static_cast<body_kind>(2); }));
  CHECK(refused([](stored_model& m) { m.heads = 0; }));
  CHECK(refused([](stored_model& m) { m.heads = 3; }));
  CHECK(refused([](stored_model& m) { m.heads = 16; }));
  CHECK(refused([](stored_model& m) { m.heads = 1 << 30; }));
  CHECK(refused([](stored_model& m) { m.heads = -1; }));
  CHECK(refused([](stored_model& m) { m.context = 0; }));
  CHECK(refused([](stored_model& m) { m.context = max_context + 1; }));
  CHECK(refused([](stored_model& m) { m.layers[1].query.weights.pop_back(); }));
  CHECK(refused([](stored_model& m) { m.layers[1].query.factors[3] = 32768; }));
  CHECK(refused([](stored_model& m) { m.layers[1].key_value.weights[7] = -128; }));
  CHECK(refused([](stored_model& m) { m.layers[0].key_value.shift = 0; }));
  CHECK(refused([](stored_model& m) { m.layers[0].key_value = m.layers[0].query; }));
  CHECK(refused([](stored_model& m) { m.layers[0].out.columns = 40; }));
  CHECK(refused([](stored_model& m) { m.layers[0].mlp_in = m.layers[0].mlp_out = {}; }));

  auto recurrent = random_model({});
  recurrent.heads = 1;
  CHECK_THROWS_AS(language_model{recurrent}, error);
}

TEST_CASE("a transformer's weights at all bounds either run or are refused") {
  // Under the sanitizers an overflow would end the test.
  int ran = 0;
  for (int shift = 1; shift <= 24; ++shift)
    for (const bool equal : {false, true}) {
      auto stored = random_model({.leaves = 40,
                                  .width = max_width,
                                  .layers = 2,
                                  .mlp = 64,
                                  .heads = equal ? 1 : 4,
                                  .context = 20});
      const auto extreme = [&](stored_matrix& m) {
        m.shift = shift;
        std::fill(m.factors.begin(), m.factors.end(), std::uint16_t{32767});
        for (std::int8_t& weight : m.weights) weight = equal || weight > 0 ? 127 : -127;
      };
      for (stored_layer& layer : stored.layers)
        for (stored_matrix* m :
             {&layer.query, &layer.key_value, &layer.out, &layer.mlp_in, &layer.mlp_out})
          extreme(*m);
      for (stored_matrix* m : {&stored.embedding, &stored.class_rows, &stored.leaf_rows})
        extreme(*m);
      try {
        const language_model model(stored);
        network_distribution chances(model);
        trace(chances, some_leaves(30, 40, 1), 40);
        ++ran;
      } catch (const error& e) {
        CHECK(e.code() == errc::damaged);
      }
    }
  CHECK(ran > 10);
}

TEST_CASE("memory and work of a transformer grow with its context") {
  const language_model near(random_model(transformer_shape(64, 2, 10)));
  const language_model far(random_model(transformer_shape(64, 2, 110)));
  CHECK(body_state::memory(near) == 2 * 2 * 10 * 64 * sizeof(std::int16_t));
  CHECK(network_distribution::memory(far) - network_distribution::memory(near) ==
        2 * 2 * 100 * 64 * sizeof(std::int16_t));
  CHECK(far.work() - near.work() == 2 * 2 * 100 * 64);
  CHECK(far.parameters() == near.parameters());
  CHECK(far.memory() == near.memory());
}
