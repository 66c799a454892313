#include "codec/brevis/detect_layout.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lmzip::codec::brevis {
namespace {

constexpr unsigned looks = 24;

bool has_period(const tensor_view& x, std::size_t period) {
  const std::size_t count = x.elements() - period;
  sample_places places(count, 3);
  for (unsigned i = 0; i < looks; ++i) {
    const std::size_t at = places.next();
    if (x.bits(at) != x.bits(at + period)) return false;
  }
  return std::memcmp(x.bytes.data(), x.at(period), count * x.element_bytes()) == 0;
}

bool nothing_changes(const tensor_view& x, std::size_t count, std::size_t inner) {
  const std::size_t part = count * inner, step = x.element_bytes();
  sample_places all(x.elements(), 5), others(count - 1, 6);
  for (unsigned i = 0; i < looks; ++i) {
    const std::size_t at = all.next();
    const std::size_t first = at - at % part + at % inner;
    if (x.bits(first) != x.bits(first + (1 + others.next()) * inner)) return false;
  }
  // Each part against the next one: one comparison, since all follow each other.
  for (std::size_t at = 0; at < x.elements(); at += part)
    if (std::memcmp(x.at(at), x.at(at + inner), (count - 1) * inner * step) != 0) return false;
  return true;
}

/// Where the first bytes come again, at a whole number of elements; 0: not nearby.
std::size_t next_occurrence(const tensor_view& x) {
  constexpr std::size_t compared = 32, reach = std::size_t{1} << 16;
  const std::size_t step = x.element_bytes();
  if (x.bytes.size() < 2 * compared) return 0;
  std::array<char, compared> first;
  std::memcpy(first.data(), x.bytes.data(), compared);
  // Zeros come again everywhere.
  if (std::all_of(first.begin(), first.end(), [&](char c) { return c == first[0]; })) return 0;
  const std::size_t last = std::min(reach, x.bytes.size() - compared);
  const auto* const begin = reinterpret_cast<const char*>(x.bytes.data());
  for (std::size_t at = step; at <= last;) {
    const auto* const found =
        static_cast<const char*>(std::memchr(begin + at, first[0], last + 1 - at));
    if (found == nullptr) return 0;
    at = static_cast<std::size_t>(found - begin);
    if (at % step == 0 && std::memcmp(found, first.data(), compared) == 0) return at / step;
    ++at;
  }
  return 0;
}

// The elements of one value in a row of two values.
struct run_in_row {
  std::int64_t first = -1, last = -1;
};

class band_reader {
 public:
  explicit band_reader(const tensor_view& x) : x_(x), columns_(x.columns()) {
    const std::size_t middle = x.rows() / 2;
    band_.inside = x.bits(middle * columns_ + std::min(middle, columns_ - 1));
  }

  std::optional<diagonal_band> find() {
    const auto rows = static_cast<std::int64_t>(x_.rows());
    const auto columns = static_cast<std::int64_t>(columns_);
    const std::int64_t middle = rows / 2;
    const auto within = run(middle);
    if (!within || within->first < 0) return std::nullopt;
    band_.first = within->first == 0 ? -rows : within->first - middle;
    band_.last = within->last == columns - 1 ? columns : within->last - middle;
    // What reaches the edge in the middle may not do so in other rows.
    for (const std::int64_t row : {std::int64_t{0}, rows - 1}) {
      const auto edge = run(row);
      if (!edge || edge->first < 0) return std::nullopt;
      if (band_.first == -rows && edge->first > 0) band_.first = edge->first - row;
      if (band_.last == columns && edge->last < columns - 1) band_.last = edge->last - row;
    }
    if (!two_values_) return std::nullopt;
    return holds() ? std::optional(band_) : std::nullopt;
  }

 private:
  std::optional<run_in_row> run(std::int64_t row) {
    run_in_row found;
    for (std::size_t j = 0; j < columns_; ++j) {
      const std::uint64_t value = x_.bits(static_cast<std::size_t>(row) * columns_ + j);
      if (value == band_.inside) {
        if (found.first < 0) found.first = static_cast<std::int64_t>(j);
        found.last = static_cast<std::int64_t>(j);
      } else if (!two_values_) {
        two_values_ = true;
        band_.outside = value;
      } else if (value != band_.outside) {
        return std::nullopt;
      }
    }
    return found;
  }

  bool holds() const {
    for (std::size_t row = 0, at = 0; row < x_.rows(); ++row)
      for (std::size_t column = 0; column < columns_; ++column, ++at) {
        const auto away = static_cast<std::int64_t>(column) - static_cast<std::int64_t>(row);
        const bool inside = away >= band_.first && away <= band_.last;
        if (x_.bits(at) != (inside ? band_.inside : band_.outside)) return false;
      }
    return true;
  }

  const tensor_view& x_;
  std::size_t columns_;
  diagonal_band band_;
  bool two_values_ = false;
};

}  // namespace

std::size_t find_period(const tensor_view& x) {
  const std::size_t count = x.elements();
  std::size_t best = 0;
  const auto look_at = [&](std::size_t period) {
    if (period == 0 || period > count / 2 || count % period != 0) return;
    if ((best == 0 || period < best) && has_period(x, period)) best = period;
  };
  std::size_t product = 1;
  for (std::size_t axis = x.shape.size(); axis-- > 1;) {
    product *= static_cast<std::size_t>(x.shape[axis]);
    look_at(product);
  }
  look_at(next_occurrence(x));
  return best;
}

repeated_axis find_repeated_axis(const tensor_view& x) {
  std::size_t inner = 1;
  for (std::size_t axis = x.shape.size(); axis-- > 0;) {
    const auto count = static_cast<std::size_t>(x.shape[axis]);
    if (count == 0) return {};
    // What is constant as a whole, or a period of the whole, others find.
    if (count > 1 && count * inner < x.elements() && nothing_changes(x, count, inner))
      return {axis, count, inner};
    inner *= count;
  }
  return {};
}

std::optional<diagonal_band> find_band(const tensor_view& x) {
  if (x.shape.size() < 2) return std::nullopt;
  const std::uint64_t columns = x.shape.back(), rows = x.shape[x.shape.size() - 2];
  if (rows < 3 || columns < 3 || rows * columns != x.elements()) return std::nullopt;
  // A sample with three values refuses it.
  sample_places places(x.elements(), 13);
  const std::uint64_t one = x.bits(places.next());
  std::uint64_t other = one;
  for (unsigned i = 0; i < looks; ++i) {
    const std::uint64_t value = x.bits(places.next());
    if (other == one) other = value;
    if (value != one && value != other) return std::nullopt;
  }
  return band_reader(x).find();
}

}  // namespace lmzip::codec::brevis
