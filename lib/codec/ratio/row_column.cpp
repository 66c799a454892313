#include "codec/ratio/row_column.h"

#include <algorithm>

#include "codec/ratio/lane_stream.h"
#include "lmzip/error.h"

namespace lmzip::codec::ratio {
namespace {

// The symbol of an element that is just as predicted: the middle of those there are.
constexpr int middle_symbol = (least_level + greatest_symbol + 1) / 2;

constexpr std::int64_t divided(std::int64_t value, std::int64_t by) noexcept {
  const std::int64_t half = by / 2;
  return value >= 0 ? (value + half) / by : -((-value + half) / by);
}

std::int8_t part_of(std::int64_t mean, std::int64_t all, std::int64_t unit) noexcept {
  return static_cast<std::int8_t>(std::clamp<std::int64_t>(divided(mean - all, unit), -127, 127));
}

// Means of more elements gain nothing: parts are in eighths of an octave.
constexpr std::size_t enough = 512;

/// Sums of the upper halves without signs of what is not zero, of rows and columns: of some rows
/// all elements, of the others those of some runs.
class magnitude_sums {
 public:
  std::vector<std::uint64_t> rows, columns;
  std::vector<std::uint32_t> row_counts, column_counts;

  magnitude_sums(layout which, std::span<const std::byte> plain, std::size_t row_length)
      : columns(row_length), column_counts(row_length), element_(facts_of(which).element_bytes) {
    const std::size_t count = plain.size() / element_;
    rows.resize((count + row_length - 1) / row_length);
    row_counts.resize(rows.size());
    const std::size_t row_stride = std::max<std::size_t>(rows.size() / enough, 1);
    const std::size_t run_stride = std::max<std::size_t>(row_length / enough, 1) * run;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::size_t length = std::min(row_length, count - row * row_length);
      const bool all = row % row_stride == 0;
      for (std::size_t at = 0; at < length; at += all ? run : run_stride)
        add(&plain[(row * row_length + at) * element_], std::min(length - at, run), row, at, all);
    }
  }

 private:
  static constexpr std::size_t run = 64;

  void add(const std::byte* plain, std::size_t count, std::size_t row, std::size_t column,
           bool to_columns) {
    std::uint16_t tops[run];
    active_element_kernels().take_tops(element_, plain, count, tops);
    std::uint32_t sum = 0, present = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t magnitude = tops[i] & 0x7fffU;
      sum += magnitude;
      present += magnitude != 0;
    }
    rows[row] += sum;
    row_counts[row] += present;
    if (!to_columns) return;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t magnitude = tops[i] & 0x7fffU;
      columns[column + i] += magnitude;
      column_counts[column + i] += magnitude != 0;
    }
  }

  unsigned element_;
};

}  // namespace

row_column_model row_column_model::fit(float_split how, std::span<const std::byte> plain,
                                       layout which, std::uint32_t columns) {
  const magnitude_sums sums(which, plain, columns);
  std::int64_t total = 0, present = 0;
  for (const std::uint64_t sum : sums.rows) total += static_cast<std::int64_t>(sum);
  for (const std::uint32_t count : sums.row_counts) present += count;
  // Sums are in 2^-rest_bits of a level; means are kept 16 times as fine.
  const std::int64_t all = present == 0 ? 0 : total * 16 / present;
  const std::int64_t unit = std::int64_t{16} << (how.rest_bits - unit_bits);
  const auto parts = [&](std::span<const std::uint64_t> of, std::span<const std::uint32_t> counts,
                         std::vector<std::int8_t>& to) {
    to.resize(of.size());
    for (std::size_t i = 0; i < of.size(); ++i)
      if (counts[i] != 0)
        to[i] = part_of(static_cast<std::int64_t>(of[i]) * 16 / counts[i], all, unit);
  };
  row_column_model model;
  parts(sums.rows, sums.row_counts, model.rows_);
  parts(sums.columns, sums.column_counts, model.columns_);
  model.base_ = static_cast<std::int16_t>(divided(all, unit) - (middle_symbol << unit_bits));
  return model;
}

row_column_model row_column_model::read(std::size_t elements, cursor& in) {
  const std::size_t columns = in.u32();
  row_column_model model;
  model.base_ = static_cast<std::int16_t>(in.u16());
  if (columns < min_columns || columns > elements)
    throw error(errc::damaged, "a tensor has a wrong number of columns");
  const auto take = [&in](std::size_t count, std::vector<std::int8_t>& to) {
    const auto bytes = in.bytes(count);
    to.resize(count);
    std::transform(bytes.begin(), bytes.end(), to.begin(),
                   [](std::byte b) { return static_cast<std::int8_t>(b); });
  };
  take((elements + columns - 1) / columns, model.rows_);
  take(columns, model.columns_);
  return model;
}

void row_column_model::append_to(std::vector<std::byte>& bytes) const {
  lane_writer::append_le(bytes, static_cast<std::uint32_t>(columns_.size()));
  lane_writer::append_le(bytes, static_cast<std::uint16_t>(base_));
  for (const auto* parts : {&rows_, &columns_})
    for (const std::int8_t part : *parts) bytes.push_back(static_cast<std::byte>(part));
}

void row_column_model::predict(std::size_t first, std::size_t count, std::int16_t* offsets,
                               std::uint8_t* contexts_of) const noexcept {
  const std::size_t columns = columns_.size();
  std::size_t row = first / columns, column = first % columns;
  while (count > 0) {
    const std::size_t some = std::min(count, columns - column);
    active_element_kernels().predict(static_cast<std::int16_t>(base_ + rows_[row]),
                                     &columns_[column], some, offsets, contexts_of);
    offsets += some;
    contexts_of += some;
    count -= some;
    column = 0;
    ++row;
  }
}

}  // namespace lmzip::codec::ratio
