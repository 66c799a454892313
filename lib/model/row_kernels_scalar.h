#pragma once

#include <array>
#include <cstdint>

#include "model/row_mixture.h"

namespace lmzip::model {

/// Mixtures of rows in plain C++: their definition. Every other set of kernels gives the same
/// results bit for bit.
struct scalar_row_kernels {
  template <int Rows>
  class mixture {
   public:
    static_assert(Rows >= 1 && Rows <= mixture_weights::max_rows);
    using row_set = std::array<distribution_row*, Rows>;

    /// Mixes the rows. They and the weights must stay where they are until learn() and update().
    mixture(const row_set& rows, mixture_weights& weights) noexcept
        : rows_(rows), weights_(&weights) {
      for (int s = 1; s < distribution_row::symbols; ++s) {
        int sum = 0;
        for (int k = 0; k < Rows; ++k)
          sum += scaled(rows[index(k)]->below[index(s - 1)], weights.weight[index(k)] >> 16);
        mixed_[index(s)] = static_cast<std::uint16_t>(sum);
        starts_[index(s)] =
            static_cast<std::uint16_t>(scaled(sum, mixture_scale) + s * least_chance);
      }
    }

    /// The symbol whose interval holds a place in [0, 2^15).
    std::uint32_t find(std::uint32_t place) const noexcept {
      std::uint32_t symbol = 15;
      while (starts_[symbol] > place) --symbol;
      return symbol;
    }

    std::uint32_t start(std::uint32_t symbol) const noexcept { return starts_[symbol]; }
    std::uint32_t frequency(std::uint32_t symbol) const noexcept {
      return std::uint32_t{starts_[symbol + 1]} - starts_[symbol];
    }

    /// Lets the weights learn; before the rows do.
    void learn(std::uint32_t symbol) noexcept {
      std::array<std::uint32_t, Rows> evidence;
      std::uint32_t sum = 0;
      for (int k = 0; k < Rows; ++k) {
        evidence[index(k)] = static_cast<std::uint32_t>((weights_->weight[index(k)] >> 16) *
                                                        (rows_[index(k)]->chance(symbol) + 1));
        sum += evidence[index(k)];
      }
      const unsigned shift = evidence_shift(sum);
      const std::uint32_t factor = share_factor<Rows>(sum >> shift);
      for (int k = 0; k < Rows; ++k) {
        std::int32_t& weight = weights_->weight[index(k)];
        const auto share = static_cast<std::int32_t>((evidence[index(k)] >> shift) * factor);
        weight += (share + mixture_weights::floor - weight) >> mixture_weights::rate;
      }
    }

    /// Moves one row towards the symbol by rate / 2^16, rate < 2^15, and sets its tag. A fresh row
    /// starts as the mixture.
    void update(distribution_row& row, std::uint32_t symbol, std::uint32_t rate, std::uint16_t tag,
                bool fresh = false) const noexcept {
      row.tag = tag;
      for (std::uint32_t s = 1; s < distribution_row::symbols; ++s) {
        const int old = fresh ? mixed_[s] : row.below[s - 1];
        const int target = s > symbol ? distribution_row::highest : 0;
        row.below[s - 1] =
            static_cast<std::uint16_t>(old + (((target - old) * static_cast<int>(rate)) >> 16));
      }
    }

   private:
    static constexpr std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }

    /// Rounded product with a factor in units of 2^-15. Rounding can add half a unit a row; sums
    /// stay below 32767 * 32760 / 2^15 + 4 and so do the mixed chances: at most 32763.
    static int scaled(int value, int factor) noexcept { return (value * factor + (1 << 14)) >> 15; }

    row_set rows_;
    mixture_weights* weights_;
    std::array<std::uint16_t, 16> mixed_{};
    std::array<std::uint16_t, 17> starts_{[] {
      std::array<std::uint16_t, 17> starts{};
      starts[16] = 32768;
      return starts;
    }()};
  };
};

}  // namespace lmzip::model
