#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "model/candidate_set.h"
#include "model/logistic.h"

namespace lmzip::model {

/// The inner loops of the predictor in plain C++: their definition. Every other set of kernels
/// gives the same results bit for bit.
struct scalar_kernels {
  /// Reads the lines whose check matches into `set` and weighs their candidates.
  template <int Lanes>
  static void load(const candidate_line* const* lines, const std::uint16_t* checks, int count,
                   candidate_set<Lanes>& set) noexcept {
    for (int lane = 0; lane < Lanes; ++lane) {
      const bool known = lane < count && lines[lane]->check == checks[lane];
      unsigned total = 0;
      for (int row = 0; row < candidate_line::size; ++row) {
        const unsigned entry = known ? lines[lane]->entry[static_cast<std::size_t>(row)] : 0;
        unsigned weight = 0;
        if (entry >> 2 != 0) weight = level_weight[entry & 3] + (row == 0 ? 1U : 0U);
        set.code[row * Lanes + lane] = static_cast<std::uint16_t>(entry >> 2);
        set.weight[row * Lanes + lane] = static_cast<std::uint16_t>(weight);
        total += weight;
      }
      set.total[lane] = static_cast<std::uint16_t>(total);
      set.code[candidate_line::size * Lanes + lane] = 0;
      set.weight[candidate_line::size * Lanes + lane] = 0;
    }
  }

  /// Inputs for the decision "the code is above `middle`".
  template <int Lanes>
  static void split(const candidate_set<Lanes>& set, std::uint16_t middle, std::uint32_t* bank,
                    active_cells<Lanes>& cells, std::int32_t* inputs) noexcept {
    look_up(set, bank, cells, inputs, [middle](std::uint16_t code) { return code > middle; });
  }

  /// Inputs for the decision "the code is `guess`".
  template <int Lanes>
  static void match(const candidate_set<Lanes>& set, std::uint16_t guess, std::uint32_t* bank,
                    active_cells<Lanes>& cells, std::int32_t* inputs) noexcept {
    look_up(set, bank, cells, inputs, [guess](std::uint16_t code) { return code == guess; });
  }

  /// The lane whose most recent candidate has the highest probability in `bank`, and that
  /// probability, as probability << 8 | lane. Of equals the last lane counts.
  template <int Lanes>
  static std::uint32_t best_front(const candidate_set<Lanes>& set,
                                  const std::uint32_t* bank) noexcept {
    std::uint32_t best = 0;
    for (int lane = 0; lane < Lanes; ++lane) {
      const unsigned front = set.weight[lane];
      const std::uint32_t cell = bank[cell_index(lane, set.total[lane] - front, front)];
      best = std::max(best, cell >> 16 << 8 | static_cast<std::uint32_t>(lane));
    }
    return best;
  }

  /// Rules out the candidates on the other side of a coded decision.
  template <int Lanes>
  static void keep(candidate_set<Lanes>& set, std::uint16_t middle, bool above) noexcept {
    rule_out(set, [=](std::uint16_t code) { return (code > middle) != above; });
  }

  /// Rules out one candidate.
  template <int Lanes>
  static void drop(candidate_set<Lanes>& set, std::uint16_t guess) noexcept {
    rule_out(set, [guess](std::uint16_t code) { return code == guess; });
  }

  template <int Lanes>
  static void update_cells(const active_cells<Lanes>& cells, bool bit) noexcept {
    const int target = bit ? 65535 + (1 << (cell_rate - 1)) - 1 : 1 << (cell_rate - 1);
    for (int lane = 0; lane < Lanes; ++lane) {
      if (cells.index[lane] % cells_per_lane == 0) continue;  // nothing known stays so
      int p = static_cast<int>(cells.value[lane] >> 16);
      p += (target - p) >> cell_rate;
      const auto up = static_cast<std::uint32_t>(p);
      cells.bank[cells.index[lane]] =
          up << 16 | static_cast<std::uint16_t>(detail::logistic.stretch[up >> 4]);
    }
  }

  template <std::size_t Count>
  static void store_inputs(const std::array<std::int32_t, Count>& values,
                           std::int32_t* inputs) noexcept {
    std::copy(values.begin(), values.end(), inputs);
  }

  /// Sum of inputs times weights, where the weights are the sums of `Sets` vectors, held to
  /// ±mixer_weight_limit. Products have 16 fractional bits more than the result.
  template <int Inputs, int Sets>
  static std::int32_t dot(const std::int32_t* inputs, std::int32_t* const* weights) noexcept {
    std::int32_t sum = 0;
    for (int i = 0; i < Inputs; ++i) {
      std::uint32_t weight = 0;
      for (int s = 0; s < Sets; ++s) weight += static_cast<std::uint32_t>(weights[s][i]);
      const std::int32_t held =
          std::clamp(static_cast<std::int32_t>(weight), -mixer_weight_limit, mixer_weight_limit);
      sum += (inputs[i] * held) >> 8;
    }
    return (sum + 128) >> 8;
  }

  /// Adds inputs * step / 2^14, rounded, to every weight vector. |inputs| < 2^11, |step| < 2^15.
  template <int Inputs, int Sets>
  static void train(const std::int32_t* inputs, std::int32_t* const* weights,
                    std::int32_t step) noexcept {
    for (int i = 0; i < Inputs; ++i) {
      const auto change = static_cast<std::uint32_t>((inputs[i] * step + (1 << 13)) >> 14);
      for (int s = 0; s < Sets; ++s)
        weights[s][i] =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(weights[s][i]) + change);
    }
  }

  /// Keeps |input * weight| below 2^31: inputs are below 2^11.
  static constexpr std::int32_t mixer_weight_limit = 1 << 19;

 private:
  static int cell_index(int lane, unsigned against, unsigned in_favour) noexcept {
    return lane * cells_per_lane + quantised_weight[std::min(against, 31U)] * 16 +
           quantised_weight[std::min(in_favour, 31U)];
  }

  template <int Lanes, class Predicate>
  static void look_up(const candidate_set<Lanes>& set, std::uint32_t* bank,
                      active_cells<Lanes>& cells, std::int32_t* inputs,
                      Predicate in_favour) noexcept {
    cells.bank = bank;
    for (int lane = 0; lane < Lanes; ++lane) {
      unsigned sum = 0;
      for (int row = 0; row < candidate_line::size; ++row)
        if (in_favour(set.code[row * Lanes + lane])) sum += set.weight[row * Lanes + lane];
      cells.index[lane] = cell_index(lane, set.total[lane] - sum, sum);
      cells.value[lane] = bank[cells.index[lane]];
      inputs[lane] = static_cast<std::int16_t>(cells.value[lane] & 0xffff);
    }
  }

  template <int Lanes, class Predicate>
  static void rule_out(candidate_set<Lanes>& set, Predicate out) noexcept {
    for (int lane = 0; lane < Lanes; ++lane) {
      unsigned total = 0;
      for (int row = 0; row < candidate_line::size; ++row) {
        if (out(set.code[row * Lanes + lane])) set.weight[row * Lanes + lane] = 0;
        total += set.weight[row * Lanes + lane];
      }
      set.total[lane] = static_cast<std::uint16_t>(total);
    }
  }
};

}  // namespace lmzip::model
