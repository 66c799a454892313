#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "core/cpu.h"
#include "model/neural/kernels.h"
#include "model/neural/network_distribution.h"

// What tests of networks share.
namespace lmzip::test {

using namespace model::neural;

/// The kernels of each instruction set that this processor has, the scalar ones first.
inline std::vector<const kernel_table*> all_kernels() {
  std::vector<const kernel_table*> all{&scalar::kernels};
#if defined(__x86_64__)
  if (best_isa() >= isa::avx2) all.push_back(&avx2::kernels);
  if (best_isa() >= isa::avx512 && __builtin_cpu_supports("avx512vnni"))
    all.push_back(&avx512::kernels);
#endif
  return all;
}

class numbers {
 public:
  explicit numbers(unsigned seed) : random_(seed) {}

  /// Half of them are one of the bounds.
  template <class Number>
  std::vector<Number> some(std::size_t count, std::int64_t low, std::int64_t high) {
    std::vector<Number> values(count);
    for (Number& value : values) {
      const std::uint32_t draw = random_();
      const auto span = static_cast<std::uint64_t>(high - low) + 1;
      value =
          static_cast<Number>(draw % 4 == 0   ? low
                              : draw % 4 == 1 ? high
                                              : low + static_cast<std::int64_t>(random_() % span));
    }
    return values;
  }

 private:
  std::mt19937 random_;
};

inline scaled_matrix some_matrix(numbers& random, std::size_t rows, int columns, int low_bits,
                                 int shift) {
  scaled_matrix m;
  m.rows = packed_matrix(
      random.some<std::int8_t>(rows * static_cast<std::size_t>(columns), -127, 127), columns);
  m.factors = random.some<std::int32_t>((rows + 15) / 16 * 16, 0, 32767);
  m.scale = {low_bits, shift};
  return m;
}

/// All masses that a distribution gives along a sequence, as one number.
inline std::uint64_t trace(network_distribution& chances, const std::vector<std::uint16_t>& leaves,
                           std::uint32_t symbols) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const std::uint16_t leaf : leaves) {
    std::uint64_t before = 0;
    for (std::uint32_t at = 0; at <= symbols; at += 1 + at % 7) {
      const std::uint64_t mass = chances.mass_below(at);
      CHECK(mass >= before);
      before = mass;
      hash = (hash ^ mass) * 1099511628211ULL;
    }
    CHECK(chances.mass_below(symbols) == chances.total());
    CHECK(chances.total() < std::uint64_t{1} << 41);
    chances.advance(leaf);
  }
  return hash;
}

inline std::vector<std::uint16_t> some_leaves(std::size_t count, std::uint32_t symbols,
                                              unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint16_t> leaves(count);
  for (std::uint16_t& leaf : leaves) leaf = static_cast<std::uint16_t>(random() % symbols);
  return leaves;
}

/// Restores the instruction set at the end of a test.
struct isa_choice {
  explicit isa_choice(isa wanted) { select_isa(wanted); }
  ~isa_choice() { select_isa(best_isa()); }
};

/// Checks that a model gives the same chances on every instruction set, token by token and ahead.
inline void check_equal_everywhere(const stored_model& stored, std::uint32_t symbols) {
  const language_model model(stored);
  const auto leaves = some_leaves(150, symbols, 4);
  std::vector<std::uint64_t> traces;
  for (const isa which : {isa::scalar, isa::avx2, isa::avx512}) {
    const isa_choice chosen(which);
    network_distribution alone(model), ahead(model, leaves);
    traces.push_back(trace(alone, leaves, symbols));
    traces.push_back(trace(ahead, leaves, symbols));
  }
  for (const std::uint64_t each : traces) CHECK(each == traces.front());
}

}  // namespace lmzip::test
