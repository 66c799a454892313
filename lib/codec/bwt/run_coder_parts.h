#pragma once

// What the files compiled for one instruction set share: everything here and below is compiled for
// the base instruction set.

#include <array>
#include <bit>
#include <cstdint>

#include "codec/bwt/byte_list.h"
#include "codec/bwt/run_coder.h"
#include "codec/bwt/run_contexts.h"
#include "codec/bwt/run_kernels_scalar.h"
#include "entropy/rans.h"
#include "lmzip/error.h"
#include "model/candidate_set.h"
#include "model/logistic.h"

namespace lmzip::codec::bwt {

/// Chunks of the range coder end after the run in which they reach this number of decisions.
inline constexpr std::size_t chunk_decisions = std::size_t{1} << 17;

/// More than a run takes: a length of at most 24 + 24 decisions, a rank of at most 8 + 8.
inline constexpr std::size_t max_run_decisions = 80;

/// The list of bytes at the start of the first chunk.
inline constexpr std::size_t max_list_decisions = byte_list::max_size + 1;

/// Codes known decisions.
class decision_writer {
 public:
  static constexpr bool knows = true;

  decision_writer() : coder_(chunk_decisions + max_run_decisions + max_list_decisions) {}

  bool code(bool bit, std::uint32_t probability) noexcept {
    ++decisions_;
    return coder_.code(bit, probability);
  }
  std::uint32_t code_raw(std::uint32_t value, unsigned bits) noexcept {
    ++decisions_;
    coder_.put_raw(value, bits);
    return value;
  }
  void end_run() {
    if (decisions_ < chunk_decisions) return;
    coder_.flush();
    decisions_ = 0;
  }
  std::vector<std::byte> finish() {
    coder_.flush();
    return coder_.take();
  }

 private:
  rans_encoder coder_;
  std::size_t decisions_ = 0;
};

/// Finds out decisions; the values passed in do not matter.
class decision_reader {
 public:
  static constexpr bool knows = false;

  explicit decision_reader(std::span<const std::byte> coded) : coder_(coded) {}

  bool code(bool, std::uint32_t probability) noexcept {
    ++decisions_;
    return coder_.code(probability);
  }
  std::uint32_t code_raw(std::uint32_t, unsigned bits) noexcept {
    ++decisions_;
    return coder_.get_raw(bits);
  }
  void end_run() noexcept {
    if (decisions_ < chunk_decisions) return;
    coder_.next_chunk();
    decisions_ = 0;
  }
  bool exhausted() const noexcept { return coder_.exhausted(); }

 private:
  rans_decoder coder_;
  std::size_t decisions_ = 0;
};

/// Codes the bytes that a list starts with.
template <class Coder>
void code_list(Coder& coder, byte_list& list) noexcept {
  const std::size_t size = coder.code_raw(static_cast<std::uint32_t>(list.size() - 1) & 255, 8) + 1;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t byte = coder.code_raw(list[i], 8);
    if (!Coder::knows) list.push_back(static_cast<std::uint8_t>(byte));
  }
}

/// Learning rates by the visits of a line, in units of 2^-16: about 1 / (visits + 1.6).
inline constexpr auto visit_rates = [] {
  std::array<std::int32_t, max_visits + 1> rates{};
  for (std::int32_t n = 0; n <= max_visits; ++n)
    rates[static_cast<std::size_t>(n)] = std::min(655360 / (10 * n + 16), 32767);
  return rates;
}();

/// Decisions after the first one come less often than their line is visited: visits count half,
/// and no more than so many.
inline constexpr int max_later_visits = 15;

/// Kinds of numbers: the highest that their highest bit may be, whether of those only the lowest
/// number exists, and how many decisions about the highest bit have chances of their own.
struct length_kind {
  static constexpr unsigned highest = max_highest;
  static constexpr bool lowest_of_highest = false;
  static constexpr unsigned own_decisions = 8;
};
struct rank_kind {
  static constexpr unsigned highest = 8;
  static constexpr bool lowest_of_highest = true;
  static constexpr unsigned own_decisions = 7;
};

}  // namespace lmzip::codec::bwt
