#include <array>
#include <vector>

#include "codec/brevis/exact_math.h"
#include "codec/brevis/formula_families.h"
#include "codec/brevis/numbers.h"

namespace lmzip::codec::brevis {
namespace {

// Rotary and sinusoidal tables. Frequency i is 1 / base^(i / denominator) / factor, the angle of a
// row is its position, first + row, times the frequency. Rotary embeddings of d dimensions have
// denominator d / 2. Rounding says which steps are binary32, as they are where these tables come
// from:
//   0  none
//   1  all: i / denominator, the power, its inverse, the quotient by factor, the angle, its sine
//   2  all, the power as exp(-ln(base) i / denominator): -ln(base), times i, over denominator
//   3  all, the same with -ln(base) / denominator rounded once, then times i

enum rounding : unsigned { in_double, by_power, by_quotient, by_product };

constexpr std::array<std::string_view, 5> angle_parameters = {"base", "denominator", "factor",
                                                              "first", "rounding"};
constexpr std::array<std::string_view, 7> llama3_parameters = {
    "base", "denominator", "factor", "low", "high", "length", "rounding"};

/// Frequencies kept for all rows.
constexpr std::uint64_t max_columns = std::uint64_t{1} << 16;

class frequencies {
 public:
  frequencies(double base, double denominator, double factor, double rounding)
      : base_(base),
        denominator_(denominator),
        factor_(factor),
        rounding_(static_cast<unsigned>(rounding)) {}

  /// The number as the steps round it.
  double rounded(double value) const noexcept {
    return rounding_ == in_double ? value : rounded_to_single(value);
  }

  double at(std::uint64_t i) const noexcept {
    const double frequency = undivided(static_cast<double>(i));
    return factor_ == 1 ? frequency : rounded(frequency / factor_);
  }

  double undivided(double i) const noexcept {
    if (rounding_ <= by_power)
      return rounded(1 / rounded(exact_pow(base_, rounded(i / denominator_))));
    const double log = -exact_log(base_);
    const double exponent =
        rounding_ == by_quotient
            ? rounded_to_single(rounded_to_single(rounded_to_single(log) * i) / denominator_)
            : rounded_to_single(rounded_to_single(log / denominator_) * i);
    return rounded_to_single(exact_exp(exponent));
  }

 private:
  double base_, denominator_, factor_;
  unsigned rounding_;
};

frequencies frequencies_of(const formula_call& call) {
  const auto& parameters = call.parameters;
  return {parameters[0], parameters[1], parameters[2], parameters[4]};
}

bool fits_frequencies(const formula_call& call) {
  const auto& parameters = call.parameters;
  return is_moderate(parameters[0]) && is_moderate(parameters[1]) && is_moderate(parameters[2]) &&
         is_choice(parameters.back(), in_double, by_product);
}

/// The frequencies of the columns, in each row.
class inverse_frequencies {
 public:
  explicit inverse_frequencies(const formula_call& call) : frequencies_(frequencies_of(call)) {}

  double operator()(std::uint64_t, std::uint64_t column) const noexcept {
    return frequencies_.at(column);
  }

 private:
  frequencies frequencies_;
};

/// Frequencies that are stretched by `factor` where waves are long, as Llama 3.1 does: those of
/// waves above length / low wholly, below length / high not at all, between them in part.
class llama3_frequencies {
 public:
  explicit llama3_frequencies(const formula_call& call)
      : frequencies_(call.parameters[0], call.parameters[1], 1, call.parameters[6]),
        factor_(call.parameters[2]),
        low_(call.parameters[3]),
        high_(call.parameters[4]),
        length_(call.parameters[5]) {}

  double operator()(std::uint64_t, std::uint64_t column) const noexcept {
    constexpr double two_pi = 6.283185307179586;
    const auto rounded = [&](double value) { return frequencies_.rounded(value); };
    const double frequency = frequencies_.at(column);
    const double wave = rounded(two_pi / frequency);
    const double stretched = rounded(frequency / factor_);
    if (wave < length_ / high_) return frequency;
    if (wave > length_ / low_) return stretched;
    const double part = rounded(rounded(rounded(length_ / wave) - low_) / (high_ - low_));
    return rounded(rounded(rounded(1 - part) * stretched) + rounded(part * frequency));
  }

 private:
  frequencies frequencies_;
  double factor_, low_, high_, length_;
};

bool fits_llama3(const formula_call& call) {
  const auto& parameters = call.parameters;
  return fits_frequencies(call) && is_moderate(parameters[3]) && is_moderate(parameters[4]) &&
         is_moderate(parameters[5]) && parameters[3] < parameters[4];
}

/// What a table has of an angle.
enum class wave { angle, cosine, sine };

/// Frequency and function of a column.
struct column_place {
  std::uint64_t frequency;
  wave function;
};

using place_function = column_place (*)(std::uint64_t column, std::uint64_t columns);

template <wave Function>
column_place plain(std::uint64_t column, std::uint64_t) {
  return {column, Function};
}
template <wave Function>
column_place halves(std::uint64_t column, std::uint64_t columns) {
  return {column % (columns / 2), Function};
}
template <wave Function>
column_place pairs(std::uint64_t column, std::uint64_t) {
  return {column / 2, Function};
}
template <wave First, wave Second>
column_place mixed_halves(std::uint64_t column, std::uint64_t columns) {
  return {column % (columns / 2), column < columns / 2 ? First : Second};
}
template <wave First, wave Second>
column_place mixed_pairs(std::uint64_t column, std::uint64_t) {
  return {column / 2, column % 2 == 0 ? First : Second};
}

template <place_function Place>
class angle_table {
 public:
  explicit angle_table(const formula_call& call)
      : frequencies_(frequencies_of(call)), first_(call.parameters[3]), columns_(call.columns) {
    for (std::uint64_t column = 0; column < call.columns; ++column)
      by_column_.push_back(frequencies_.at(Place(column, columns_).frequency));
  }

  double operator()(std::uint64_t row, std::uint64_t column) const noexcept {
    const double angle =
        frequencies_.rounded((first_ + static_cast<double>(row)) * by_column_[column]);
    const wave function = Place(column, columns_).function;
    if (function == wave::angle) return angle;
    const sine_and_cosine both = exact_sincos(angle);
    return function == wave::cosine ? both.cosine : both.sine;
  }

 private:
  frequencies frequencies_;
  double first_;
  std::uint64_t columns_;
  std::vector<double> by_column_;
};

bool fits_table(const formula_call& call) {
  return fits_frequencies(call) && call.columns <= max_columns;
}

bool fits_halves(const formula_call& call) { return fits_table(call) && call.columns % 2 == 0; }

template <place_function Place>
constexpr formula_entry table_entry(std::string_view name, bool (*fits)(const formula_call&)) {
  return {name, angle_parameters, fits, make_numbers<angle_table<Place>>};
}

constexpr std::array entries = {
    formula_entry{"inv_freq", angle_parameters, fits_frequencies,
                  make_numbers<inverse_frequencies>},
    formula_entry{"inv_freq_llama3", llama3_parameters, fits_llama3,
                  make_numbers<llama3_frequencies>},
    table_entry<plain<wave::angle>>("angles", fits_table),
    table_entry<plain<wave::cosine>>("freqs_cos", fits_table),
    table_entry<plain<wave::sine>>("freqs_sin", fits_table),
    table_entry<halves<wave::cosine>>("rope_cos", fits_halves),
    table_entry<halves<wave::sine>>("rope_sin", fits_halves),
    table_entry<pairs<wave::cosine>>("rope_cos_pairs", fits_table),
    table_entry<pairs<wave::sine>>("rope_sin_pairs", fits_table),
    table_entry<mixed_halves<wave::sine, wave::cosine>>("sin_cos_halves", fits_halves),
    table_entry<mixed_halves<wave::cosine, wave::sine>>("cos_sin_halves", fits_halves),
    table_entry<mixed_pairs<wave::sine, wave::cosine>>("sin_cos_pairs", fits_table),
    table_entry<mixed_pairs<wave::cosine, wave::sine>>("cos_sin_pairs", fits_table),
};

}  // namespace

std::span<const formula_entry> angle_formulas() noexcept { return entries; }

}  // namespace lmzip::codec::brevis
