#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "core/cpu.h"
#include "model/row_kernels_scalar.h"
#include "model/row_mixture.h"

#if defined(__x86_64__)
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif
#include "model/row_kernels_avx2.h"
#endif

using namespace lmzip;
using namespace lmzip::model;

namespace {

/// What a run over symbols leaves behind.
struct trace {
  std::vector<std::uint32_t> intervals;
  std::vector<distribution_row> rows;
  std::vector<mixture_weights> weights;
  bool sound = true;  // intervals cover [0, 2^15), each wide enough, and are found
  std::int64_t largest_sum = 0;
};

/// Codes symbols with rows and weights that are picked at random; rows start out the same on every
/// set of kernels.
template <int Rows, class Kernels>
trace run(const std::vector<std::uint32_t>& symbols, unsigned seed) {
  constexpr std::size_t contexts = 5;
  std::mt19937 random(seed);
  trace t;
  t.rows.resize(Rows * contexts);
  for (distribution_row& row : t.rows)
    for (std::size_t i = 0; i < 15; ++i)
      row.below[i] = seed % 3 == 0 ? 32767 : static_cast<std::uint16_t>(2048 * (i + 1));
  t.weights.assign(3, mixture_weights::even(Rows));
  for (const std::uint32_t symbol : symbols) {
    typename Kernels::template mixture<Rows>::row_set rows;
    for (std::size_t k = 0; k < Rows; ++k) rows[k] = &t.rows[k * contexts + random() % contexts];
    mixture_weights& weights = t.weights[random() % 3];
    typename Kernels::template mixture<Rows> mixture(rows, weights);
    std::uint32_t next = 0;
    for (std::uint32_t s = 0; s < 16; ++s) {
      t.sound = t.sound && mixture.start(s) == next && mixture.frequency(s) >= least_chance &&
                mixture.find(next) == s && mixture.find(next + mixture.frequency(s) - 1) == s;
      next += mixture.frequency(s);
    }
    t.sound = t.sound && next == 32768;
    t.intervals.push_back(mixture.start(symbol) << 16 | mixture.frequency(symbol));
    mixture.learn(symbol);
    for (distribution_row* row : rows) {
      const std::uint32_t rate = seed % 2 == 0 ? 1 + random() % 32767 : 32767;
      mixture.update(*row, symbol, rate, static_cast<std::uint16_t>(random() & 0xffff),
                     random() % 8 == 0);
    }
    std::int64_t sum = 0;
    for (const std::int32_t w : weights.weight) {
      sum += w;
      t.sound = t.sound && w >= 0;
    }
    t.largest_sum = std::max(t.largest_sum, sum);
  }
  return t;
}

std::vector<std::uint32_t> symbols_of(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> symbols(4000);
  const unsigned kind = seed % 4;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const auto any = static_cast<std::uint32_t>(random() & 15);
    symbols[i] = kind == 0 ? any : kind == 1 ? any & 3 : kind == 2 ? 15 * (i / 1000 % 2) : i & 15;
  }
  return symbols;
}

template <int Rows>
void check_rows(unsigned seed) {
  const auto symbols = symbols_of(seed);
  const trace reference = run<Rows, scalar_row_kernels>(symbols, seed);
  CHECK(reference.sound);
  CHECK(reference.largest_sum <= mixture_weights::one);
  for (const distribution_row& row : reference.rows) {
    CHECK(std::is_sorted(row.below.begin(), row.below.end()));
    CHECK(row.below.back() <= distribution_row::highest);
  }
#if defined(__x86_64__)
  if (best_isa() < isa::avx2) return;
  const trace fast = run<Rows, avx2_row_kernels>(symbols, seed);
  CHECK(fast.sound);
  CHECK(fast.intervals == reference.intervals);
  for (std::size_t i = 0; i < fast.rows.size(); ++i) {
    CHECK(fast.rows[i].tag == reference.rows[i].tag);
    CHECK(fast.rows[i].below == reference.rows[i].below);
  }
  for (std::size_t i = 0; i < fast.weights.size(); ++i)
    CHECK(fast.weights[i].weight == reference.weights[i].weight);
#endif
}

template <int... Rows>
void check_all(unsigned seed, std::integer_sequence<int, Rows...>) {
  (check_rows<Rows + 1>(seed), ...);
}

}  // namespace

TEST_CASE("mixtures of 1 to 8 rows stay sound and are the same on every instruction set") {
  for (unsigned seed = 0; seed < 24; ++seed)
    check_all(seed, std::make_integer_sequence<int, mixture_weights::max_rows>());
}

TEST_CASE("the weights of a mixture move to the row that predicts best") {
  distribution_row good{}, bad{};
  for (std::size_t i = 0; i < 15; ++i) {
    good.below[i] = i < 7 ? 0 : 30000;
    bad.below[i] = i < 2 ? 0 : 30000;
  }
  mixture_weights weights = mixture_weights::even(2);
  for (int i = 0; i < 2000; ++i) scalar_row_kernels::mixture<2>({&bad, &good}, weights).learn(7);
  CHECK(weights.weight[1] > mixture_weights::one / 20 * 19);
  CHECK(weights.weight[0] > mixture_weights::floor / 2);
  const std::int64_t sum = std::int64_t{weights.weight[0]} + weights.weight[1];
  CHECK(sum > mixture_weights::one / 1000 * 997);
}

TEST_CASE("a row learns what comes at the rates it is given") {
  constexpr auto rates = row_rates<16>(20, 48);
  CHECK(rates[0] == 32767);
  CHECK(rates[1] == 65536 / 3);
  CHECK(row_rates<100>(16, 48)[99] == 65536 / 48);
  distribution_row row{};
  for (std::size_t i = 0; i < 15; ++i) row.below[i] = static_cast<std::uint16_t>(2048 * (i + 1));
  mixture_weights weights = mixture_weights::even(1);
  const scalar_row_kernels::mixture<1> mixture({&row}, weights);
  mixture.update(row, 3, 32767, 9);
  CHECK(row.tag == 9);
  CHECK(row.chance(3) > 17000);
  mixture.update(row, 3, 32767, 0, true);
  CHECK(row.chance(3) > 17000);
}

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
