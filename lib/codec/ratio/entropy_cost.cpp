#include "codec/ratio/entropy_cost.h"

#include <algorithm>
#include <array>

#include "model/fixed_log.h"

namespace lmzip::codec::ratio {
namespace {

// Most counts of a sample are small.
constexpr std::size_t known_logs = 2048;

const std::array<std::uint32_t, known_logs>& small_logs() noexcept {
  static const auto logs = [] {
    std::array<std::uint32_t, known_logs> values{};
    for (std::size_t i = 1; i < known_logs; ++i)
      values[i] = static_cast<std::uint32_t>(model::log2_fixed(i));
    return values;
  }();
  return logs;
}

// 1 / (2 ln 2) of a bit for each symbol but one.
constexpr std::uint64_t bias_of_symbol = 47274;

}  // namespace

std::uint64_t entropy_cost(std::span<const std::uint32_t> counts) noexcept {
  const auto& logs = small_logs();
  std::uint64_t total = 0, weighted = 0, symbols = 0;
  for (const std::uint32_t count : counts) {
    if (count == 0) continue;
    total += count;
    ++symbols;
    weighted +=
        std::uint64_t{count} *
        (count < known_logs ? logs[count] : static_cast<std::uint32_t>(model::log2_fixed(count)));
  }
  if (symbols < 2) return 0;
  const std::uint64_t all = total * static_cast<std::uint32_t>(model::log2_fixed(total));
  return std::max(all, weighted) - weighted + (symbols - 1) * bias_of_symbol;
}

}  // namespace lmzip::codec::ratio
