#pragma once

#include <array>
#include <cstdint>

#include "codec/tokens/token_values.h"
#include "model/candidate_set.h"

namespace lmzip::codec::tokens {

/// Weights of candidates by level, and sums of them quantised to 4 bits.
inline constexpr std::array<std::uint8_t, 4> line_weight = model::level_weight;
inline constexpr std::array<std::uint8_t, 80> quantised_sum = [] {
  std::array<std::uint8_t, 80> q{};
  for (std::size_t i = 0; i < q.size(); ++i)
    q[i] = static_cast<std::uint8_t>(i <= 10   ? i
                                     : i <= 12 ? 11
                                     : i <= 16 ? 12
                                     : i <= 23 ? 13
                                     : i <= 33 ? 14
                                               : 15);
  return q;
}();

/// The cell for sums of the weights against and for a guess.
constexpr std::uint32_t line_cell(int against, int in_favour) noexcept {
  return quantised_sum[static_cast<std::size_t>(against)] * 16U +
         quantised_sum[static_cast<std::size_t>(in_favour)];
}

/// The first candidate of a line that is left.
struct front_candidate {
  std::uint32_t cell;  ///< 0 if there is none
  std::uint32_t code;
};

/// What guessing does with candidate lines, in plain C++: its definition. Every other set of
/// kernels gives the same results bit for bit.
struct scalar_line_kernels {
  /// The candidates of the lines of one token that are still possible.
  class candidates {
   public:
    void load(int lane, const model::candidate_line& line, bool known) noexcept {
      state& s = lane_[static_cast<std::size_t>(lane)];
      s = {};
      for (std::size_t i = 0; known && i < line.entry.size(); ++i) {
        s.code[i] = static_cast<std::uint16_t>(line.entry[i] >> 2);
        s.weight[i] = s.code[i] == 0 ? 0 : line_weight[line.entry[i] & 3];
        s.total += s.weight[i];
      }
    }

    /// The candidate that came last counts 1 more than its weight.
    front_candidate front(int lane, const model::candidate_line&) const noexcept {
      const state& s = lane_[static_cast<std::size_t>(lane)];
      const std::size_t first = first_of(s);
      if (first == s.code.size()) return {0, 0};
      return {line_cell(s.total - s.weight[first], s.weight[first] + 1), s.code[first]};
    }

    /// The cell of a guess, which is ruled out with that.
    std::uint32_t take(int lane, std::uint32_t code) noexcept {
      state& s = lane_[static_cast<std::size_t>(lane)];
      const std::size_t first = first_of(s);
      int in_favour = 0;
      for (std::size_t i = 0; i < s.code.size(); ++i) {
        if (s.code[i] != code) continue;
        in_favour += s.weight[i];
        s.weight[i] = 0;
      }
      s.total -= in_favour;
      if (in_favour > 0 && s.code[first] == code) ++in_favour;
      return line_cell(s.total, in_favour);
    }

   private:
    struct state {
      std::array<std::uint16_t, model::candidate_line::size> code;
      std::array<std::uint8_t, model::candidate_line::size> weight;
      int total;
    };

    static std::size_t first_of(const state& s) noexcept {
      std::size_t i = 0;
      while (i < s.weight.size() && s.weight[i] == 0) ++i;
      return i;
    }

    std::array<state, lines> lane_;
  };

  /// Moves `code` to the front of a line. `chance` is random, 0 … 3: a level rises from 0 always,
  /// from 1 in two and from 2 in one case of four. A line with another check starts anew.
  static void promote(model::candidate_line& line, std::uint16_t check, std::uint32_t code,
                      std::uint32_t chance) noexcept {
    const auto fresh = static_cast<std::uint16_t>(code << 2);
    if (line.check != check) {
      line.check = check;
      line.entry = {fresh};
      return;
    }
    std::size_t at = 0;
    while (at + 1 < line.entry.size() && line.entry[at] >> 2 != code) ++at;
    std::uint16_t entry = fresh;
    if (line.entry[at] >> 2 == code) {
      entry = line.entry[at];
      if (chance < rise_chance[entry & 3]) ++entry;
    }
    if (at > 0 && (line.entry[0] & 3) > 1) --line.entry[0];
    for (; at > 0; --at) line.entry[at] = line.entry[at - 1];
    line.entry[0] = entry;
  }

  static constexpr std::array<std::uint8_t, 4> rise_chance{4, 2, 1, 0};
};

}  // namespace lmzip::codec::tokens
