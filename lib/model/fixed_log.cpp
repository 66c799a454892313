#include "model/fixed_log.h"

#include <array>
#include <bit>
#include <cstddef>

namespace lmzip::model {
namespace {

constexpr int table_bits = 10;

/// log2(1 + i / 2^table_bits) in units of 2^-16, by squaring: no floating point.
constexpr std::array<std::uint32_t, (1U << table_bits) + 1> make_log2_table() {
  std::array<std::uint32_t, (1U << table_bits) + 1> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::uint64_t x = ((std::uint64_t{1} << table_bits) + i) << (31 - table_bits);  // in [1, 2]
    std::uint32_t log = 0;
    if (i == table.size() - 1) {
      table[i] = 1U << 16;
      continue;
    }
    for (int bit = 15; bit >= 0; --bit) {
      x = (x * x) >> 31;
      if (x >= (std::uint64_t{2} << 31)) {
        x >>= 1;
        log |= 1U << bit;
      }
    }
    table[i] = log;
  }
  return table;
}

constexpr auto log2_table = make_log2_table();

}  // namespace

std::int32_t log2_fixed(std::uint64_t value) noexcept {
  const int exponent = 63 - std::countl_zero(value);
  const std::uint64_t mantissa = value << (63 - exponent) << 1 >> (64 - table_bits);
  return exponent * 65536 + static_cast<std::int32_t>(log2_table[mantissa]);
}

}  // namespace lmzip::model
