#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "codec/bwt/run_tables.h"

namespace lmzip::codec::bwt {

/// The lines of a number's contexts and the set of weights to mix them by.
struct number_context {
  std::array<std::uint32_t, contexts> line;
  std::uint32_t weights;
};

/// What is known when a run is coded: of the byte that it consists of, and of the last runs.
class run_contexts {
 public:
  /// `byte` is that of the run, `next` that of the run after it.
  number_context for_length(std::uint8_t byte, std::uint8_t next) const noexcept {
    const history& h = of_[byte];
    const std::uint32_t average = h.length_average / 32U;
    return {{h.length[0] << 8 | h.length[1] << 4 | h.rank[0], pair(byte, next),
             (average << 3 | coarse(h.rank[0])) << 3 | coarse(rank_[0]), byte << 4 | h.length[0],
             (single_lengths_ & 255U) << 4 | average, byte << 4 | (h.single_lengths & 15U)},
            average};
  }

  void add_length(std::uint8_t byte, std::uint32_t length) noexcept {
    history& h = of_[byte];
    const std::uint32_t size =
        length <= 8 ? length - 1 : std::min<std::uint32_t>(15, 4 + std::bit_width(length));
    h.length = {size, h.length[0]};
    h.length_average += (static_cast<int>(size) * 32 - h.length_average) / 4;
    h.single_lengths = h.single_lengths << 1 | (length == 1 ? 1 : 0);
    single_lengths_ = single_lengths_ << 1 | (length == 1 ? 1 : 0);
  }

  /// After add_length() of the run.
  number_context for_rank(std::uint8_t byte, std::uint8_t next) const noexcept {
    const history& h = of_[byte];
    const std::uint32_t average = h.rank_average / 32U;
    return {{h.rank[0] << 8 | h.rank[1] << 4 | h.length[0], rank_[0] << 8 | rank_[1] << 4 | average,
             byte << 4 | rank_[0], slow(h.slow_rank_average) << 8 | byte, pair(byte, next),
             (first_ranks_ & 255U) << 4 | average},
            average};
  }

  void add_rank(std::uint8_t byte, std::uint32_t rank) noexcept {
    history& h = of_[byte];
    const std::uint32_t size = std::min(rank - 1, 15U);
    h.rank = {size, h.rank[0]};
    rank_ = {size, rank_[0]};
    h.rank_average += (static_cast<int>(size) * 32 - h.rank_average) / 4;
    h.slow_rank_average += (static_cast<int>(size) * 256 - h.slow_rank_average) / 12;
    first_ranks_ = first_ranks_ << 1 | (rank == 1 ? 1 : 0);
  }

 private:
  /// Sizes of the last two lengths and ranks, 0 … 15 each, and their averages, which stay below
  /// 16 * 32 and 16 * 256.
  struct history {
    std::array<std::uint32_t, 2> length{0, 0};
    std::array<std::uint32_t, 2> rank{3, 3};
    int length_average = 0;
    int rank_average = 3 * 64;
    int slow_rank_average = 3 * 256;
    std::uint32_t single_lengths = 0;
  };

  static std::uint32_t pair(std::uint8_t byte, std::uint8_t next) noexcept {
    return (byte * 0x9e3779b1U + next * 0x85ebca6bU) >> 20;
  }

  /// 0 … 15 in 8 classes.
  static std::uint32_t coarse(std::uint32_t size) noexcept {
    static constexpr std::array<std::uint8_t, 16> classes{0, 1, 2, 3, 4, 4, 5, 5,
                                                          5, 6, 6, 6, 6, 6, 7, 7};
    return classes[size];
  }

  /// An average below 16 * 256 in 16 classes.
  static std::uint32_t slow(int average) noexcept {
    const auto a = static_cast<std::uint32_t>(average);
    if (a < 256) return a >> 6;
    if (a < 1024) return 4 + ((a - 256) >> 7);
    if (a < 2048) return 10 + ((a - 1024) >> 8);
    return 14 + ((a - 2048) >> 10);
  }

  std::array<history, 256> of_{};
  std::array<std::uint32_t, 2> rank_{3, 3};
  std::uint32_t single_lengths_ = 0;
  std::uint32_t first_ranks_ = 0;
};

}  // namespace lmzip::codec::bwt
