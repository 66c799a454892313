#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lmzip::codec::bwt {

// A number from 1 on is coded as decisions: is it 1; then for e = 1, 2, … does it begin with bit e;
// then the bits below from the top. What the model learns of the numbers of one kind:

/// The chances of the decisions in one context, in a line of the cache.
struct alignas(64) context_line {
  static constexpr std::size_t decisions = 31;
  std::array<std::uint16_t, decisions> chance;  ///< of a 1, in units of 2^-16
  std::uint16_t visits;                         ///< numbers seen in this context, up to max_visits
};
static_assert(sizeof(context_line) == 64);

/// What is left of a line of a context that only the first decision has.
struct first_line {
  std::uint16_t chance;
  std::uint16_t visits;
};

inline constexpr std::size_t contexts = 6;
inline constexpr std::size_t later_contexts = 4;  ///< first ones, for all but the first decision
inline constexpr std::size_t first_contexts = contexts - later_contexts;  ///< for that one alone
inline constexpr std::size_t lines = 4096;                                ///< a context
inline constexpr std::size_t mixer_inputs = 8;
inline constexpr std::size_t weight_sets = 16;  ///< a decision
inline constexpr std::uint16_t max_visits = 60;

/// Numbers with their highest bit from here on have a tail: of the bits under their second highest,
/// the upper ones have an adaptive chance for each path, the others are coded as they are.
inline constexpr unsigned first_tailed = 4;
inline constexpr unsigned max_highest = 24;
inline constexpr std::uint32_t tail_paths = 64;

struct number_tables {
  std::array<std::array<context_line, lines>, later_contexts> line;
  std::array<std::array<first_line, lines>, first_contexts> first;
  alignas(64) std::array<std::array<std::array<std::int32_t, mixer_inputs>, weight_sets>,
                         context_line::decisions> weight;
  std::array<std::array<std::uint16_t, tail_paths>, max_highest + 1> tail;
};

/// All that the model learns. Every block starts from a trained copy.
struct run_tables {
  number_tables lengths;
  number_tables ranks;
};

/// Tables that know nothing.
void set_untrained(run_tables& tables) noexcept;

/// Zeros a decision in the quantised tables.
inline constexpr std::size_t reserved_values = 33;

/// Number of values in the quantised tables.
inline constexpr std::size_t quantised_values =
    2 * (contexts * lines * (context_line::decisions + 1) +
         context_line::decisions * (weight_sets * mixer_inputs + reserved_values) +
         (max_highest + 1) * tail_paths);

/// One byte a value: chances as stretches, weights by the square root of their size. Lines that
/// were hardly visited become unknown. Lines for the first decision alone are written like others,
/// with zeros for the chances that they lack, and after the weights stand reserved_values zeros a
/// decision.
std::vector<std::uint8_t> quantise(const run_tables& tables);

/// Tables of quantised values. Throws error(damaged) if their number is wrong.
void restore(std::span<const std::uint8_t> values, run_tables& tables);

}  // namespace lmzip::codec::bwt
