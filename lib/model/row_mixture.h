#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lmzip::model {

// Linear mixing of adaptive distributions over 16 symbols. A distribution is a row of cumulative
// chances, a row fits a vector register, and so a symbol is found and all chances of a row learn
// with a few instructions. The weights of the mixture learn by one step of the expectation-
// maximisation algorithm a symbol: each moves towards its row's share of the chance that the
// mixture gave the symbol that came. Integers only, and the same results on every machine.

/// An adaptive distribution. Chances are in units of 2^-15.
struct alignas(32) distribution_row {
  static constexpr int symbols = 16;
  static constexpr int highest = 32767;

  std::uint16_t tag;                    ///< free for the owner, e.g. a count; 0 at first
  std::array<std::uint16_t, 15> below;  ///< [s - 1]: chance of a symbol below s; never decreasing,
                                        ///< at most `highest`

  /// The chance of a symbol, 0 … 32768.
  int chance(std::uint32_t symbol) const noexcept {
    const int start = symbol == 0 ? 0 : below[symbol - 1];
    const int end = symbol == 15 ? 32768 : below[symbol & 15];
    return end - start;
  }
};
static_assert(sizeof(distribution_row) == 32);

/// The weights of a mixture of up to 8 rows; those of rows that it lacks are 0. Only the upper 16
/// bits take part in the mixing, the lower ones make slow learning possible.
///
/// The sum of the weights never passes `one`. That holds at the start (even(), or restored by the
/// owner), and a step keeps it: of R rows the shares sum to at most one - R * floor, see
/// share_factor(), hence the targets, share + floor, to at most `one`; and a weight becomes at most
/// (weight * (2^rate - 1) + target) / 2^rate. No weight becomes negative either, since floor is
/// larger than 2^rate.
struct alignas(32) mixture_weights {
  static constexpr int max_rows = 8;
  static constexpr std::int32_t one = 32760 << 16;
  static constexpr int rate = 7;
  static constexpr std::int32_t floor = 1 << 23;  ///< 1/256

  std::array<std::int32_t, max_rows> weight;

  static constexpr mixture_weights even(int rows) noexcept {
    mixture_weights w{};
    for (int i = 0; i < rows; ++i) w.weight[static_cast<std::size_t>(i)] = one / rows;
    return w;
  }
};

/// Every symbol keeps a chance of at least so much in a mixture.
inline constexpr int least_chance = 4;

/// What the mixed chances are multiplied by, in units of 2^-15, to make room for that.
inline constexpr int mixture_scale = 32768 - 16 * least_chance;

namespace detail {

inline constexpr unsigned log2_share_steps = 10;

/// Shares by the upper 10 bits of a sum of 16 bits: what the rows share, divided by the end of the
/// interval of sums that begin with these bits.
template <int Rows>
inline constexpr auto share_factors = [] {
  std::array<std::uint32_t, 1 << log2_share_steps> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<std::uint32_t>(mixture_weights::one - Rows * mixture_weights::floor) /
               ((i + 1) << (16 - log2_share_steps));
  return table;
}();

}  // namespace detail

/// The evidence for a row is its weight times its chance of the symbol. Of sums of 2^16 and more
/// only the upper 16 bits count: so far all evidence is shifted down.
inline unsigned evidence_shift(std::uint32_t sum) noexcept {
  return static_cast<unsigned>(std::max(16, static_cast<int>(std::bit_width(sum))) - 16);
}

/// Factor that turns shifted evidence into a share of one - Rows * floor. With e' = e >> shift, the
/// sum of all e' is at most s = sum >> shift, and s < ((s >> 6) + 1) << 6, the divisor in the
/// table: so the sum of all e' * factor is at most what is to be shared.
template <int Rows>
std::uint32_t share_factor(std::uint32_t shifted_sum) noexcept {
  return detail::share_factors<Rows>[shifted_sum >> (16 - detail::log2_share_steps)];
}

/// Learning rates by the number of symbols that a row has seen, in units of 2^-16: 10 / (10 n +
/// first), not below 1 / last.
template <std::size_t Count>
constexpr std::array<std::uint16_t, Count> row_rates(std::uint32_t first, std::uint32_t last) {
  std::array<std::uint16_t, Count> rates{};
  for (std::uint32_t n = 0; n < Count; ++n)
    rates[n] = static_cast<std::uint16_t>(
        std::clamp<std::uint32_t>(655360 / (10 * n + first), 65536 / last, 32767));
  return rates;
}

}  // namespace lmzip::model
