#include "codec/tokens/token_values.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "lmzip/error.h"
#include "model/logistic.h"
#include "model/quantised_value.h"
#include "model/row_mixture.h"

namespace lmzip::codec::tokens {
namespace {

using model::distribution_row;
using model::mixture_weights;

constexpr std::int32_t untrained_weight = 14000;
constexpr std::uint32_t untrained_run = 62000;

constexpr bool holds_rows(std::size_t s) { return s == value_layout::rows; }
constexpr bool holds_vectors(std::size_t s) {
  return s == value_layout::source_weights || s == value_layout::last_weights;
}
constexpr bool holds_mixtures(std::size_t s) { return s == value_layout::step_weights; }

constexpr std::size_t width_of(std::size_t s) {
  if (holds_rows(s)) return sizeof(distribution_row);
  if (holds_mixtures(s)) return sizeof(mixture_weights);
  return holds_vectors(s) ? 4 : 2;
}

template <class T>
T* at(std::span<std::byte> image, std::size_t offset) {
  return reinterpret_cast<T*>(image.data() + offset);
}

template <class T>
T value_at(std::span<const std::byte> image, std::size_t offset, std::size_t index) {
  T value;
  std::memcpy(&value, image.data() + offset + index * sizeof(T), sizeof(T));
  return value;
}

// Chances of a row as logarithms: log2 in steps of 1/8, as integers so that the tables are the same
// everywhere.
constexpr int log_steps = 8;
constexpr int least_log = 0;
constexpr int most_log = 15 * log_steps;

/// round(2^(1/8) ^ i * 2^15) for i = 0 … 7
constexpr std::array<std::uint32_t, log_steps> power_steps{32768, 35734, 38968, 42495,
                                                           46341, 50535, 55109, 60097};

constexpr std::uint32_t power_of(int log) {
  return power_steps[static_cast<std::size_t>(log % log_steps)] << (log / log_steps) >> 15;
}

/// The logarithm whose power is nearest to a chance of at least 1.
int log_of(std::uint32_t chance) {
  int log = (static_cast<int>(std::bit_width(chance)) - 1) * log_steps;
  while (log < most_log && power_of(log + 1) + power_of(log) <= 2 * chance) ++log;
  return log;
}

/// The row whose chances are proportional to the powers of the logarithms.
distribution_row row_of(std::span<const int> logs) {
  std::uint64_t total = 0;
  for (const int log : logs) total += power_of(std::clamp(log, least_log, most_log));
  distribution_row row{};
  std::uint64_t sum = 0;
  for (std::size_t s = 0; s < row.below.size(); ++s) {
    if (s < logs.size()) sum += power_of(std::clamp(logs[s], least_log, most_log));
    row.below[s] = static_cast<std::uint16_t>(sum * distribution_row::highest / total);
  }
  return row;
}

std::vector<int> logs_of(const distribution_row& row, std::size_t count) {
  std::vector<int> logs(count);
  for (std::size_t s = 0; s < count; ++s)
    logs[s] = log_of(static_cast<std::uint32_t>(row.chance(static_cast<std::uint32_t>(s))) + 1);
  return logs;
}

/// Chance that a candidate comes after weights of about `against` and `in_favour`.
std::uint16_t untrained_cell(std::size_t index) {
  const std::size_t against = index / 16 % 16;
  const std::size_t in_favour = index % 16;
  if (index % line_cells == 0) return 32768;
  return static_cast<std::uint16_t>((10 * in_favour + 3) * 65535 /
                                    (10 * (against + in_favour) + 6));
}

/// Of values in units of 1/256.
mixture_weights restore_mixture(std::span<const std::uint8_t> values, int rows) {
  const auto count = static_cast<std::size_t>(rows);
  std::int64_t total = 1;
  for (std::size_t i = 0; i < count; ++i) total += values[i];
  mixture_weights weights{};
  for (std::size_t i = 0; i < count; ++i)
    weights.weight[i] =
        static_cast<std::int32_t>(std::int64_t{mixture_weights::one} * values[i] / total);
  return weights;
}

constexpr std::size_t mixture_rows = 3;

/// Rows that are mixed in a step class.
constexpr int rows_of_class(std::size_t step_class) { return step_class < 3 ? 3 : 2; }

}  // namespace

value_layout::value_layout(const model::step_tree& tree)
    : nodes_(tree.node_count()), group_nodes_(std::min(nodes_, max_group_nodes)) {
  for (std::uint32_t n = 0; n < nodes_; ++n)
    ways_.push_back(static_cast<std::uint8_t>(tree.ways(n)));
  const std::size_t symbols = tree.leaf_count();
  const auto groups = [symbols](unsigned bits) { return ((symbols - 1) >> bits) + 1; };
  count_[rows] = nodes_ + groups(log2_last_group) * group_nodes_;
  count_[cells] = std::size_t{lines} * cell_banks * line_cells;
  count_[match_right] = std::size_t{match_lengths} * match_misses;
  count_[guess_right] = symbols;
  count_[run_right] = symbols;
  count_[pair_right] = std::size_t{1} << log2_pairs;
  count_[source_weights] = std::size_t{max_guesses} * guess_sources * match_classes * guess_inputs;
  count_[last_weights] = groups(log2_mixer_group) * guess_inputs;
  count_[step_weights] = std::size_t{step_classes} * count_classes;
  for (std::size_t s = 0; s < section_count; ++s) {
    offset_[s] = bytes_;
    bytes_ += (count_[s] * width_of(s) + 63) / 64 * 64;
  }
}

std::vector<std::byte> value_layout::untrained() const {
  std::vector<std::byte> image(bytes_);
  for (std::size_t i = 0; i < count_[rows]; ++i)
    at<distribution_row>(image, offset_[rows])[i] =
        row_of(std::vector<int>(ways_[node_of_row(i)], 10 * log_steps));
  for (std::size_t i = 0; i < count_[cells]; ++i)
    at<std::uint16_t>(image, offset_[cells])[i] = untrained_cell(i);
  for (std::size_t i = 0; i < count_[match_right]; ++i)
    at<std::uint16_t>(image, offset_[match_right])[i] =
        static_cast<std::uint16_t>(65535 - 65536 / (i / match_misses + 3));
  std::fill_n(at<std::uint16_t>(image, offset_[guess_right]), count_[guess_right], 32768);
  std::fill_n(at<std::uint16_t>(image, offset_[run_right]), count_[run_right], untrained_run);
  std::fill_n(at<std::uint16_t>(image, offset_[pair_right]), count_[pair_right], 32768);
  for (const section s : {source_weights, last_weights})
    std::fill_n(at<std::int32_t>(image, offset_[s]), count_[s], untrained_weight);
  for (std::size_t i = 0; i < count_[step_weights]; ++i)
    at<mixture_weights>(image, offset_[step_weights])[i] =
        mixture_weights::even(rows_of_class(i / count_classes));
  return image;
}

std::size_t value_layout::quantised_values() const noexcept {
  std::size_t values = 0;
  for (std::size_t i = 0; i < count_[rows]; ++i) values += ways_[node_of_row(i)];
  for (std::size_t s = 0; s < section_count; ++s)
    if (!holds_rows(s)) values += count_[s] * (holds_mixtures(s) ? mixture_rows : 1);
  return values;
}

std::vector<std::uint8_t> value_layout::quantise(std::span<const std::byte> image) const {
  if (image.size() != bytes_) throw error(errc::internal, "a value image has a wrong size");
  std::vector<std::uint8_t> values;
  values.reserve(quantised_values());
  for (std::size_t i = 0; i < count_[rows]; ++i) {
    const std::size_t node = node_of_row(i);
    const auto base = logs_of(value_at<distribution_row>(image, offset_[rows], node), ways_[node]);
    const auto own = logs_of(value_at<distribution_row>(image, offset_[rows], i), ways_[node]);
    for (std::size_t s = 0; s < own.size(); ++s)
      values.push_back(static_cast<std::uint8_t>(i < nodes_ ? own[s] : own[s] - base[s]));
  }
  for (std::size_t s = cells; s < section_count; ++s) {
    for (std::size_t i = 0; i < count_[s]; ++i) {
      if (holds_mixtures(s)) {
        const auto weights = value_at<mixture_weights>(image, offset_[s], i);
        for (std::size_t k = 0; k < mixture_rows; ++k)
          values.push_back(static_cast<std::uint8_t>(weights.weight[k] >> 23));
      } else if (holds_vectors(s)) {
        values.push_back(model::quantise_weight(value_at<std::int32_t>(image, offset_[s], i)));
      } else {
        values.push_back(
            model::quantise_stretch(model::stretch(value_at<std::uint16_t>(image, offset_[s], i))));
      }
    }
  }
  return values;
}

std::vector<std::byte> value_layout::restore(std::span<const std::uint8_t> values) const {
  if (values.size() != quantised_values())
    throw error(errc::damaged, "the number of start values does not fit the model");
  std::vector<std::byte> image(bytes_);
  std::size_t next = 0;
  std::array<int, distribution_row::symbols> logs;
  std::vector<std::array<int, distribution_row::symbols>> base(nodes_);
  for (std::size_t i = 0; i < count_[rows]; ++i) {
    const std::size_t node = node_of_row(i);
    for (std::size_t s = 0; s < ways_[node]; ++s) {
      const std::uint8_t value = values[next++];
      if (i < nodes_) base[node][s] = value;
      logs[s] = i < nodes_ ? value : base[node][s] + static_cast<std::int8_t>(value);
    }
    at<distribution_row>(image, offset_[rows])[i] = row_of(std::span(logs).first(ways_[node]));
  }
  for (std::size_t s = cells; s < section_count; ++s) {
    for (std::size_t i = 0; i < count_[s]; ++i) {
      if (holds_mixtures(s)) {
        at<mixture_weights>(image, offset_[s])[i] =
            restore_mixture(values.subspan(next, mixture_rows), rows_of_class(i / count_classes));
        next += mixture_rows;
      } else if (holds_vectors(s)) {
        at<std::int32_t>(image, offset_[s])[i] = model::restore_weight(values[next++]);
      } else {
        at<std::uint16_t>(image, offset_[s])[i] =
            static_cast<std::uint16_t>(model::squash(model::restore_stretch(values[next++])));
      }
    }
  }
  return image;
}

void value_layout::spread_rows(std::span<std::byte> image) const {
  auto* const row = at<distribution_row>(image, offset_[rows]);
  for (std::size_t i = nodes_; i < count_[rows]; ++i) row[i] = row[node_of_row(i)];
}

}  // namespace lmzip::codec::tokens
