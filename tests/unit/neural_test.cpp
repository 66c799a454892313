#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "core/cpu.h"
#include "lmzip/error.h"
#include "model/neural/function_tables.h"
#include "model/neural/kernels.h"
#include "model/neural/network_distribution.h"
#include "tests/random_model.h"
#include "tests/unit/neural_support.h"

using namespace lmzip;
using namespace lmzip::model::neural;
using namespace lmzip::test;

TEST_CASE("the tables of functions are those functions") {
  for (int i = 0; i < function_tables::steps; ++i) {
    const double x = (i - function_tables::middle) / 128.0, sigmoid = 1 / (1 + std::exp(-x));
    const auto at = static_cast<std::size_t>(i);
    CHECK(std::abs(functions.forget[at] - 32768 * (1 - sigmoid)) < 0.51);
    CHECK(std::abs(functions.silu[at] - 2048 * x * sigmoid) < 0.51);
  }
  for (int i = 0; i < function_tables::steps; ++i) {
    const double angle = i * 2 * std::acos(-1) / function_tables::steps;
    CHECK(std::abs(functions.sine[static_cast<std::size_t>(i)] - 16384 * std::sin(angle)) < 0.51);
  }
  for (std::size_t i = 0; i < 1024; ++i)
    CHECK(std::abs(functions.exp2[i] - 1048576 * std::exp2(-static_cast<double>(i) / 1024)) < 0.51);
}

TEST_CASE("square roots are rounded down") {
  for (const std::uint64_t root : {0ULL, 1ULL, 2ULL, 3ULL, 1000ULL, 65535ULL, 0xffffffffULL}) {
    CHECK(square_root(root * root) == root);
    CHECK(square_root(root * root + 2 * root) == root);
  }
}

TEST_CASE("products are those of the rows, on every instruction set and in every batch") {
  numbers random(1);
  for (const int columns : {8, 200, max_width, max_mlp_width}) {
    constexpr std::size_t rows = 40;
    const auto weights =
        random.some<std::int8_t>(rows * static_cast<std::size_t>(columns), -127, 127);
    const packed_matrix matrix(weights, columns);
    REQUIRE(matrix.blocks() == 3);
    for (int batch = 1; batch <= max_batch; ++batch) {
      std::vector<std::vector<std::int8_t>> inputs;
      std::array<const std::int8_t*, max_batch> input{};
      for (int b = 0; b < batch; ++b)
        inputs.push_back(random.some<std::int8_t>(static_cast<std::size_t>(columns), -127, 127));
      for (std::size_t b = 0; b < inputs.size(); ++b) input[b] = inputs[b].data();
      for (const kernel_table* kernels : all_kernels()) {
        std::vector<std::vector<std::int32_t>> results(inputs.size(),
                                                       std::vector<std::int32_t>(32));
        std::array<std::int32_t*, max_batch> result{};
        for (std::size_t b = 0; b < results.size(); ++b) result[b] = results[b].data();
        kernels->multiply(matrix.rows(1), 2, input.data(), batch, result.data());
        for (std::size_t b = 0; b < results.size(); ++b)
          for (std::size_t row = 16; row < rows; ++row) {
            std::int32_t sum = 0;
            for (std::size_t k = 0; k < inputs[b].size(); ++k)
              sum += weights[row * inputs[b].size() + k] * inputs[b][k];
            CHECK(results[b][row - 16] == sum);
          }
      }
    }
  }
}

TEST_CASE("a packed row comes out as it went in") {
  numbers random(2);
  const auto weights = random.some<std::int8_t>(20 * 12, -127, 127);
  const packed_matrix matrix(weights, 12);
  std::array<std::int16_t, 12> row{};
  for (int i = 0; i < 20; ++i) {
    matrix.unpack(i, row.data());
    for (std::size_t k = 0; k < 12; ++k)
      CHECK(row[k] == 128 * weights[static_cast<std::size_t>(i) * 12 + k]);
  }
}

TEST_CASE("a row that was set again counts as it is now") {
  numbers random(9);
  packed_matrix matrix(random.some<std::int8_t>(20 * 12, -127, 127), 12);
  const auto row = random.some<std::int8_t>(12, -127, 127);
  const auto input = random.some<std::int8_t>(12, -127, 127);
  matrix.set_row(17, row.data());
  for (const kernel_table* kernels : all_kernels()) {
    std::array<std::int32_t, 32> result{};
    const std::int8_t* in = input.data();
    std::int32_t* out = result.data();
    kernels->multiply(matrix.rows(), 2, &in, 1, &out);
    CHECK(result[17] == std::inner_product(row.begin(), row.end(), input.begin(), 0));
  }
}

TEST_CASE("every instruction set computes the same, up to the bounds of all formats") {
  numbers random(3);
  constexpr std::int64_t large = std::int64_t{1} << 29;
  for (int round = 0; round < 20; ++round)
    for (const int width : {8, 40, 192, max_width}) {
      const auto d = static_cast<std::size_t>(width);
      const std::int64_t sums = std::int64_t{width} * 127 * 127;
      const int low_bits = width <= 64 ? 4 : 8;
      const auto in = some_matrix(random, 3 * d, width, low_bits, 1 + round % 16);
      const auto x = random.some<std::int32_t>(d, -large, large);
      const auto wide = random.some<std::int32_t>(max_mlp_width, 0, 1 << 19);
      const auto a = random.some<std::int16_t>(d, -32768, 32767);
      const auto b = random.some<std::int16_t>(d, -32768, 32767);
      const auto now = random.some<std::int8_t>(d, -127, 127);
      const auto before = random.some<std::int8_t>(d, -127, 127);
      const auto gates = random.some<std::int32_t>(3 * d, -sums, sums);
      const auto bias = random.some<std::int32_t>(3 * d, -(1 << 24), 1 << 24);
      const auto state = random.some<std::int32_t>(d, -8182 * 256, 8182 * 256);
      const auto row = random.some<std::int16_t>(d, -127 * 128, 127 * 128);
      const auto inputs = random.some<std::int16_t>(d, -127 * 32, 127 * 32);
      const auto step = random.some<std::int16_t>(1, -32767, 32767)[0];
      const auto logits = random.some<std::int32_t>(d, -sums / 64, sums / 64);
      const auto biases = random.some<std::int32_t>(d, -(1 << 25), 1 << 25);

      const auto run = [&](const kernel_table& k) {
        std::vector<std::int64_t> all;
        const auto add = [&all](const auto& values) {
          all.insert(all.end(), values.begin(), values.end());
        };
        std::vector<std::int8_t> normal(max_mlp_width), mixed(d), last = before;
        k.normalise(x.data(), width, normal.data());
        add(normal);
        k.normalise(wide.data(), max_mlp_width, normal.data());
        add(normal);
        k.shift(a.data(), b.data(), now.data(), last.data(), width, mixed.data());
        add(mixed);
        CHECK(last == now);
        std::vector<std::int32_t> g = gates, h = state, output(d), sum = x, squares(d);
        k.recur(g.data(), in, bias.data(), width, h.data(), output.data());
        add(h);
        add(output);
        for (const std::int32_t value : h) CHECK(std::abs(value) <= 8 << state_bits);
        k.add(sum.data(), gates.data(), in, width);
        add(sum);
        std::copy_n(gates.begin(), d, squares.begin());
        k.square(squares.data(), in, width);
        add(squares);
        std::vector<std::int32_t> masses(d), moved = biases, errors(d);
        std::vector<std::uint32_t> below(d + 1);
        k.chances(logits.data(), in.factors.data(), biases.data(), {low_bits, 8}, width,
                  masses.data(), below.data());
        add(masses);
        add(below);
        k.learn_biases(masses.data(), below.back(), width, width / 2, 6, moved.data(),
                       errors.data());
        add(moved);
        add(errors);
        std::vector<std::int16_t> learned = row;
        std::vector<std::int8_t> rounded(d);
        const std::int32_t sum_of_row =
            k.learn_row(learned.data(), inputs.data(), width, step, rounded.data());
        add(learned);
        add(rounded);
        CHECK(sum_of_row == std::accumulate(rounded.begin(), rounded.end(), 0));
        std::vector<std::int32_t> embedded(d);
        k.embed(now.data(), 32767, 1 + round % 15, width, embedded.data());
        add(embedded);
        return all;
      };
      const auto reference = run(scalar::kernels);
      for (const kernel_table* kernels : all_kernels()) CHECK(run(*kernels) == reference);
    }
}

TEST_CASE("a network gives the same chances on every instruction set, alone and in batches") {
  for (const model_shape& shape :
       {model_shape{}, model_shape{.leaves = 50, .width = 8, .layers = 1, .mlp = 0, .classes = 1},
        model_shape{.leaves = 700, .width = 64, .layers = 3, .mlp = 0, .classes = 256},
        model_shape{
            .leaves = 300, .width = 40, .layers = 1, .mlp = 64, .classes = 7, .tied = true}})
    check_equal_everywhere(random_model(shape), shape.leaves);
}

TEST_CASE("sequences of a batch do not touch each other") {
  const language_model model(random_model({}));
  const auto width = static_cast<std::size_t>(model.width());
  body_runner runner(model);
  std::vector<body_state> together(5, body_state(model)), alone(5, body_state(model));
  std::vector<std::int8_t> rows(5 * width), row(width);
  for (std::uint32_t t = 0; t < 20; ++t) {
    std::vector<body_step> steps;
    for (std::size_t b = 0; b < 5; ++b)
      steps.push_back({&together[b], static_cast<std::uint32_t>((t * 7 + b * b) % 300),
                       rows.data() + b * width});
    runner.run(steps);
    for (std::size_t b = 0; b < 5; ++b) {
      const body_step single{&alone[b], steps[b].symbol, row.data()};
      runner.run({&single, 1});
      CHECK(std::equal(row.begin(), row.end(), steps[b].out));
    }
  }
}

TEST_CASE("the body computes what its definition says in real numbers") {
  const auto stored = random_model({.leaves = 20, .width = 64, .layers = 1, .mlp = 0});
  const language_model model(stored);
  const std::size_t d = 64;
  const auto row_times = [&](const stored_matrix& m, std::size_t row,
                             const std::vector<double>& v) {
    double sum = 0;
    for (std::size_t k = 0; k < v.size(); ++k) sum += m.weights[row * v.size() + k] * v[k] * 16;
    // As low_bits_for() says of 64 columns.
    return sum * m.factors[row] / std::exp2(m.shift + 5);
  };
  const auto normal = [](std::vector<double> v) {
    double squares = 0;
    for (const double x : v) squares += x * x;
    const double size = std::sqrt(squares / static_cast<double>(v.size()));
    for (double& x : v) x = std::clamp(x / size, -127 / 16.0, 127 / 16.0);
    return v;
  };
  std::vector<double> state(d), before(d);
  body_runner runner(model);
  body_state integers(model);
  std::vector<std::int8_t> out(d);
  double worst = 0, total = 0;
  for (const std::uint32_t symbol : {20U, 3U, 7U, 7U, 0U, 19U, 3U}) {
    std::vector<double> x(d), mixed(d), output(d);
    const auto& e = stored.embedding;
    for (std::size_t i = 0; i < d; ++i)
      x[i] = e.weights[symbol * d + i] * e.factors[symbol] / std::exp2(e.shift) / 4096;
    const auto now = normal(x);
    const auto& l = stored.layers[0];
    for (std::size_t i = 0; i < d; ++i)
      mixed[i] = std::clamp((l.shift_now[i] * now[i] + l.shift_before[i] * before[i]) / 4096,
                            -127 / 16.0, 127 / 16.0);
    before = now;
    for (std::size_t i = 0; i < d; ++i) {
      const auto gate = [&](std::size_t row) {
        return (row_times(l.in, row, mixed) + l.bias[row]) / 1024;
      };
      const double z = std::clamp(gate(i), -7.99, 7.99);
      const double f = 1 / (1 + std::exp(-gate(d + i))), o = gate(2 * d + i);
      state[i] = f * state[i] + (1 - f) * z;
      output[i] = state[i] * o / (1 + std::exp(-o));
    }
    const auto scaled = normal(output);
    for (std::size_t i = 0; i < d; ++i) x[i] += row_times(l.out, i, scaled) / 4096;
    const auto expected = normal(x);
    const body_step step{&integers, symbol, out.data()};
    runner.run({&step, 1});
    for (std::size_t i = 0; i < d; ++i) {
      const double error = std::abs(out[i] / 16.0 - expected[i]);
      worst = std::max(worst, error);
      total += error;
    }
  }
  CHECK(total / (7 * 64) < 0.05);
  CHECK(worst < 0.4);
}

TEST_CASE("the head learns what comes again and again") {
  const language_model model(random_model({}));
  network_distribution chances(model);
  const auto chance_of = [&](std::uint32_t leaf) {
    return static_cast<double>(chances.mass_below(leaf + 1) - chances.mass_below(leaf)) /
           static_cast<double>(chances.total());
  };
  const std::array<std::uint32_t, 4> pattern{5, 120, 77, 299};
  double first = 0, last = 0;
  for (int i = 0; i < 400; ++i) {
    const std::uint32_t next = pattern[static_cast<std::size_t>(i % 4)];
    if (i < 8) first += chance_of(next) / 8;
    if (i >= 392) last += chance_of(next) / 8;
    chances.mass_below(next);
    chances.total();
    chances.advance(next);
  }
  CHECK(first < 0.2);
  CHECK(last > 0.5);
}

TEST_CASE("what nobody asked for is not learned") {
  const language_model model(random_model({}));
  network_distribution silent(model), asked(model);
  for (const std::uint32_t leaf : {5U, 6U, 7U}) {
    asked.total();
    silent.advance(leaf);
    asked.advance(leaf);
  }
  // The body has seen the same, so that only the head can differ.
  CHECK(silent.mass_below(100) != asked.mass_below(100));
}

TEST_CASE("numbers that are no model are refused") {
  const auto refused = [](auto change) {
    auto stored = random_model({});
    change(stored);
    try {
      language_model{stored};
      return false;
    } catch (const error& e) {
      return e.code() == errc::damaged;
    }
  };
  CHECK_FALSE(refused([](stored_model&) {}));
  CHECK(refused([](stored_model& m) { m.width = 36; }));
  CHECK(refused([](stored_model& m) { m.width = 0; }));
  CHECK(refused([](stored_model& m) { m.layers.clear(); }));
  CHECK(refused([](stored_model& m) { m.layers.resize(33, m.layers[0]); }));
  CHECK(refused([](stored_model& m) { m.class_starts[3] = m.class_starts[2]; }));
  CHECK(refused([](stored_model& m) { m.class_starts.clear(); }));
  CHECK(refused([](stored_model& m) { m.embedding.weights.pop_back(); }));
  CHECK(refused([](stored_model& m) { m.embedding.weights[7] = -128; }));
  CHECK(refused([](stored_model& m) { m.embedding = {}; }));
  CHECK(refused([](stored_model& m) { m.layers[1].in.shift = 0; }));
  CHECK(refused([](stored_model& m) { m.layers[1].in.shift = 25; }));
  CHECK(refused([](stored_model& m) { m.layers[1].out.factors[3] = 32768; }));
  CHECK(refused([](stored_model& m) { m.layers[1].bias[3] = 1 << 25; }));
  CHECK(refused([](stored_model& m) { m.layers[0].shift_now.pop_back(); }));
  CHECK(refused([](stored_model& m) { m.layers[0].mlp_in = m.layers[0].mlp_out = {}; }));
  CHECK(refused([](stored_model& m) { m.layers[0].mlp_out.columns = 40; }));
  CHECK(refused([](stored_model& m) { m.leaf_biases.pop_back(); }));
  CHECK(refused([](stored_model& m) { m.class_biases[0] = -(1 << 25); }));
  CHECK(refused([](stored_model& m) { m.leaf_rows.factors.pop_back(); }));
}

TEST_CASE("weights at all bounds either run or are refused") {
  // Under the sanitizers an overflow would end the test.
  int ran = 0;
  for (int shift = 1; shift <= 24; ++shift) {
    auto stored = random_model({.leaves = 40, .width = max_width, .layers = 2, .mlp = 64});
    const auto extreme = [&](stored_matrix& m) {
      m.shift = shift;
      std::fill(m.factors.begin(), m.factors.end(), std::uint16_t{32767});
      std::fill(m.weights.begin(), m.weights.end(), std::int8_t{127});
    };
    for (stored_layer& layer : stored.layers)
      for (stored_matrix* m : {&layer.in, &layer.out, &layer.mlp_in, &layer.mlp_out}) extreme(*m);
    for (stored_matrix* m : {&stored.embedding, &stored.class_rows, &stored.leaf_rows}) extreme(*m);
    try {
      const language_model model(stored);
      network_distribution chances(model);
      trace(chances, some_leaves(10, 40, 1), 40);
      ++ran;
    } catch (const error& e) {
      CHECK(e.code() == errc::damaged);
    }
  }
  CHECK(ran > 5);
}
