#include <array>
#include <cmath>

#include "codec/brevis/exact_math.h"
#include "codec/brevis/formula_families.h"

namespace lmzip::codec::brevis {
namespace {

// Windows and bases of Fourier and cosine transforms. Angles are exact parts of a turn.

constexpr std::array<std::string_view, 1> window_parameters = {"periodic"};
constexpr std::array<std::string_view, 3> basis_parameters = {"period", "window", "scale"};
constexpr std::array<std::string_view, 4> stacked_parameters = {"period", "window", "scale",
                                                                "sine_scale"};
constexpr std::array<std::string_view, 3> dct_parameters = {"period", "scale", "first_scale"};

enum window_kind : unsigned { no_window, hann, hamming, blackman, bartlett, half_sine };

/// Number `i` of a window whose period is `whole`.
double window_at(unsigned kind, std::uint64_t i, std::uint64_t whole) {
  switch (kind) {
    case hann:
      return 0.5 - 0.5 * turn_sincos(i, whole).cosine;
    case hamming:
      return 0.54 - 0.46 * turn_sincos(i, whole).cosine;
    case blackman:
      return 0.42 - 0.5 * turn_sincos(i, whole).cosine + 0.08 * turn_sincos(2 * i, whole).cosine;
    case bartlett: {
      const auto doubled = static_cast<double>(2 * i);
      return 1 - std::fabs(doubled / static_cast<double>(whole) - 1);
    }
    case half_sine:
      return turn_sincos(i, 2 * whole).sine;
    default:
      return 1;
  }
}

template <window_kind Kind>
class window {
 public:
  explicit window(const formula_call& call)
      : whole_(call.parameters[0] != 0 ? call.columns : call.columns - 1) {}

  double operator()(std::uint64_t, std::uint64_t column) const {
    return whole_ == 0 ? 1 : window_at(Kind, column, whole_);
  }

 private:
  std::uint64_t whole_;
};

bool fits_window(const formula_call& call) { return is_choice(call.parameters[0], 0, 1); }

/// cos or sin of 2 pi row column / period, times a window of the period, times a scale.
enum class part { cosine, sine, both };

template <part Part>
class fourier_basis {
 public:
  explicit fourier_basis(const formula_call& call)
      : period_(static_cast<std::uint64_t>(call.parameters[0])),
        window_(static_cast<unsigned>(call.parameters[1])),
        cosine_scale_(call.parameters[2]),
        sine_scale_(Part == part::both ? call.parameters[3] : call.parameters[2]),
        cosine_rows_(Part == part::cosine ? call.rows : Part == part::sine ? 0 : call.rows / 2) {}

  double operator()(std::uint64_t row, std::uint64_t column) const {
    const bool cosine = row < cosine_rows_;
    const std::uint64_t wave = cosine ? row : row - cosine_rows_;
    const sine_and_cosine both = turn_sincos(wave * column, period_);
    return (cosine ? both.cosine : both.sine) * window_at(window_, column, period_) *
           (cosine ? cosine_scale_ : sine_scale_);
  }

 private:
  std::uint64_t period_;
  unsigned window_;
  double cosine_scale_, sine_scale_;
  std::uint64_t cosine_rows_;
};

bool is_period(double parameter) noexcept {
  return parameter >= 1 && parameter <= 1 << 28 && parameter == std::floor(parameter);
}

bool fits_basis(const formula_call& call) {
  return is_period(call.parameters[0]) && is_choice(call.parameters[1], no_window, half_sine);
}

bool fits_stacked(const formula_call& call) { return fits_basis(call) && call.rows % 2 == 0; }

/// cos(pi row (2 column + 1) / (2 period)), times a scale, row 0 times another.
class cosine_basis {
 public:
  explicit cosine_basis(const formula_call& call)
      : period_(static_cast<std::uint64_t>(call.parameters[0])),
        scale_(call.parameters[1]),
        first_scale_(call.parameters[2]) {}

  double operator()(std::uint64_t row, std::uint64_t column) const {
    return turn_sincos(row * (2 * column + 1), 4 * period_).cosine *
           (row == 0 ? first_scale_ : scale_);
  }

 private:
  std::uint64_t period_;
  double scale_, first_scale_;
};

bool fits_dct(const formula_call& call) { return is_period(call.parameters[0]); }

template <window_kind Kind>
constexpr formula_entry window_entry(std::string_view name) {
  return {name, window_parameters, fits_window, make_numbers<window<Kind>>};
}

constexpr std::array entries = {
    window_entry<hann>("hann"),
    window_entry<hamming>("hamming"),
    window_entry<blackman>("blackman"),
    window_entry<bartlett>("bartlett"),
    window_entry<half_sine>("half_sine"),
    formula_entry{"dft_cos", basis_parameters, fits_basis,
                  make_numbers<fourier_basis<part::cosine>>},
    formula_entry{"dft_sin", basis_parameters, fits_basis, make_numbers<fourier_basis<part::sine>>},
    formula_entry{"dft_cos_sin", stacked_parameters, fits_stacked,
                  make_numbers<fourier_basis<part::both>>},
    formula_entry{"dct", dct_parameters, fits_dct, make_numbers<cosine_basis>},
};

}  // namespace

std::span<const formula_entry> wave_formulas() noexcept { return entries; }

}  // namespace lmzip::codec::brevis
