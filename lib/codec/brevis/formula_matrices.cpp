#include <algorithm>
#include <array>
#include <cmath>

#include "codec/brevis/exact_math.h"
#include "codec/brevis/formula_families.h"

namespace lmzip::codec::brevis {
namespace {

// Mel filter banks, and matrices of relative positions. Causal masks are bands, position ids are
// ramps: those operators serve them.

constexpr std::array<std::string_view, 4> mel_parameters = {"rate", "lowest", "highest", "area"};
constexpr std::array<std::string_view, 3> relative_parameters = {"low", "high", "offset"};
constexpr std::array<std::string_view, 1> window_parameters = {"side"};

/// Frequencies in Hz to mels and back.
struct htk_scale {
  static double mels(double hertz) noexcept {
    constexpr double log10_of_2 = 0.30102999566398120;
    return 2595 * (exact_log2(1 + hertz / 700) * log10_of_2);
  }
  static double hertz(double mels) noexcept { return 700 * (exact_pow(10, mels / 2595) - 1); }
};

struct slaney_scale {
  static constexpr double linear_step = 200.0 / 3, log_from = 1000, log_from_mels = 15;
  static double log_step() noexcept { return exact_log(6.4) / 27; }

  static double mels(double hertz) noexcept {
    if (hertz < log_from) return hertz / linear_step;
    return log_from_mels + exact_log(hertz / log_from) / log_step();
  }
  static double hertz(double mels) noexcept {
    if (mels < log_from_mels) return linear_step * mels;
    return log_from * exact_exp(log_step() * (mels - log_from_mels));
  }
};

/// Triangles between points evenly spaced in mels, a row each; a column is a frequency from 0 to
/// half the rate. With `area`, each is divided by half its width.
template <class Scale>
class mel_filters {
 public:
  explicit mel_filters(const formula_call& call)
      : rate_(call.parameters[0]),
        lowest_(Scale::mels(call.parameters[1])),
        step_((Scale::mels(call.parameters[2]) - lowest_) / static_cast<double>(call.rows + 1)),
        area_(call.parameters[3] != 0),
        columns_(call.columns) {}

  double operator()(std::uint64_t row, std::uint64_t column) noexcept {
    if (row != row_) find_points(row);
    const double hertz =
        columns_ == 1 ? 0
                      : rate_ / 2 * static_cast<double>(column) / static_cast<double>(columns_ - 1);
    const double rising = (hertz - points_[0]) / (points_[1] - points_[0]);
    const double falling = (points_[2] - hertz) / (points_[2] - points_[1]);
    const double height = std::max(0.0, std::min(rising, falling));
    return area_ ? height * (2 / (points_[2] - points_[0])) : height;
  }

 private:
  void find_points(std::uint64_t row) noexcept {
    row_ = row;
    for (std::uint64_t i = 0; i < 3; ++i)
      points_[i] = Scale::hertz(lowest_ + step_ * static_cast<double>(row + i));
  }

  double rate_, lowest_, step_;
  bool area_;
  std::uint64_t columns_;
  std::uint64_t row_ = ~std::uint64_t{0};
  double points_[3] = {};
};

bool fits_mel(const formula_call& call) {
  const auto& parameters = call.parameters;
  return is_moderate(parameters[0]) && parameters[1] >= 0 && parameters[1] < parameters[2] &&
         parameters[2] <= 0x1p40 && is_choice(parameters[3], 0, 1);
}

/// column - row, not below low and not above high, plus an offset.
class relative_positions {
 public:
  explicit relative_positions(const formula_call& call)
      : low_(call.parameters[0]), high_(call.parameters[1]), offset_(call.parameters[2]) {}

  double operator()(std::uint64_t row, std::uint64_t column) const noexcept {
    const double distance = static_cast<double>(column) - static_cast<double>(row);
    return std::clamp(distance, low_, high_) + offset_;
  }

 private:
  double low_, high_, offset_;
};

bool fits_relative(const formula_call& call) { return call.parameters[0] <= call.parameters[1]; }

/// Where the bias of a pair of places in a square window stands in a table of all their distances
/// (Swin): (distance of lines + side - 1) (2 side - 1) + distance in a line + side - 1.
class window_positions {
 public:
  explicit window_positions(const formula_call& call)
      : side_(static_cast<std::int64_t>(call.parameters[0])) {}

  double operator()(std::uint64_t row, std::uint64_t column) const noexcept {
    const auto a = static_cast<std::int64_t>(row), b = static_cast<std::int64_t>(column);
    const std::int64_t lines = a / side_ - b / side_ + side_ - 1;
    return static_cast<double>(lines * (2 * side_ - 1) + a % side_ - b % side_ + side_ - 1);
  }

 private:
  std::int64_t side_;
};

bool fits_window(const formula_call& call) {
  return is_choice(call.parameters[0], 1, 1 << 10) &&
         static_cast<double>(call.columns) == call.parameters[0] * call.parameters[0] &&
         (call.rows == call.columns || call.rows == 0);
}

constexpr std::array entries = {
    formula_entry{"mel_htk", mel_parameters, fits_mel, make_numbers<mel_filters<htk_scale>>},
    formula_entry{"mel_slaney", mel_parameters, fits_mel,
                  make_numbers<mel_filters<slaney_scale>>},
    formula_entry{"relative_positions", relative_parameters, fits_relative,
                  make_numbers<relative_positions>},
    formula_entry{"window_positions", window_parameters, fits_window,
                  make_numbers<window_positions>},
};

}  // namespace

std::span<const formula_entry> matrix_formulas() noexcept { return entries; }

}  // namespace lmzip::codec::brevis
