#include <array>
#include <bit>
#include <cmath>

#include "codec/brevis/exact_math.h"
#include "codec/brevis/formula_families.h"
#include "codec/brevis/numbers.h"

namespace lmzip::codec::brevis {
namespace {

// Sequences: evenly spaced numbers and their powers, slopes of linear biases, noise schedules of
// diffusion models. All are vectors: one row.

constexpr std::array<std::string_view, 1> slope_parameters = {"most"};
constexpr std::array<std::string_view, 3> linspace_parameters = {"first", "last", "rounding"};
constexpr std::array<std::string_view, 4> logspace_parameters = {"base", "first", "last",
                                                                 "rounding"};
constexpr std::array<std::string_view, 4> schedule_parameters = {"first", "last", "quantity",
                                                                 "rounding"};

bool is_vector(const formula_call& call) noexcept { return call.rows <= 1; }

/// How linspace counts.
enum spacing : unsigned {
  from_first,          ///< first + step * i, the last number exactly
  from_both,           ///< in the second half backwards from the last number
  from_both_in_single  ///< the same, each step binary32
};

class even_spacing {
 public:
  even_spacing(double first, double last, unsigned how, std::uint64_t count)
      : first_(first), last_(last), how_(how), count_(count) {
    if (count > 1) step_ = rounded(rounded(last - first) / static_cast<double>(count - 1));
  }

  double at(std::uint64_t i) const noexcept {
    if (how_ == from_first) {
      if (i + 1 == count_ && count_ > 1) return last_;
      return first_ + step_ * static_cast<double>(i);
    }
    if (i < count_ / 2 || count_ == 1)
      return rounded(first_ + rounded(step_ * static_cast<double>(i)));
    return rounded(last_ - rounded(step_ * static_cast<double>(count_ - 1 - i)));
  }

 private:
  double rounded(double value) const noexcept {
    return how_ == from_both_in_single ? rounded_to_single(value) : value;
  }

  double first_, last_, step_ = 0;
  unsigned how_;
  std::uint64_t count_;
};

class linspace {
 public:
  explicit linspace(const formula_call& call)
      : numbers_(call.parameters[0], call.parameters[1],
                 static_cast<unsigned>(call.parameters[2]), call.columns) {}
  double operator()(std::uint64_t, std::uint64_t column) const noexcept {
    return numbers_.at(column);
  }

 private:
  even_spacing numbers_;
};

class logspace {
 public:
  explicit logspace(const formula_call& call)
      : base_(call.parameters[0]),
        exponents_(call.parameters[1], call.parameters[2],
                   static_cast<unsigned>(call.parameters[3]), call.columns) {}
  double operator()(std::uint64_t, std::uint64_t column) const noexcept {
    return exact_pow(base_, exponents_.at(column));
  }

 private:
  double base_;
  even_spacing exponents_;
};

bool fits_linspace(const formula_call& call) {
  return is_vector(call) && is_choice(call.parameters[2], from_first, from_both_in_single);
}

bool fits_logspace(const formula_call& call) {
  return is_vector(call) && is_moderate(call.parameters[0]) &&
         is_choice(call.parameters[3], from_first, from_both_in_single);
}

/// 2^(-most (i + 1) / p) for the first p heads, p the largest power of two not above their number;
/// for the others, of the slopes of 2 p heads the first, the third, and so on.
class alibi_slopes {
 public:
  explicit alibi_slopes(const formula_call& call)
      : most_(call.parameters[0]), power_(std::bit_floor(call.columns)) {}

  double operator()(std::uint64_t, std::uint64_t head) const noexcept {
    const auto p = static_cast<double>(power_);
    if (head < power_) return exact_exp2(-(most_ * static_cast<double>(head + 1)) / p);
    return exact_exp2(-(most_ * static_cast<double>(2 * (head - power_) + 1)) / (2 * p));
  }

 private:
  double most_;
  std::uint64_t power_;
};

bool fits_slopes(const formula_call& call) {
  return is_vector(call) && call.parameters[0] > 0 && call.parameters[0] <= 1024;
}

enum class schedule_kind { linear, scaled_linear, cosine };

/// What a table has of a step: the beta, alpha = 1 - beta, or of the product of all alphas to here.
enum quantity : unsigned {
  beta,
  alpha,
  product,
  previous_product,
  root_product,
  root_rest,           ///< sqrt(1 - product)
  log_rest,            ///< ln(1 - product)
  root_inverse,        ///< sqrt(1 / product)
  root_inverse_less1,  ///< sqrt(1 / product - 1)
  posterior_variance,  ///< beta (1 - previous) / (1 - product)
  posterior_first,     ///< beta sqrt(previous) / (1 - product)
  posterior_second,    ///< (1 - previous) sqrt(alpha) / (1 - product)
  sigma,               ///< sqrt((1 - product) / product)
};

/// Betas evenly spaced, with evenly spaced roots, or from the squared cosine. Rounding 1 makes
/// betas, alphas and products binary32, the products after they are computed in binary64.
template <schedule_kind Kind>
class schedule {
 public:
  explicit schedule(const formula_call& call)
      : first_(call.parameters[0]),
        last_(call.parameters[1]),
        wanted_(static_cast<unsigned>(call.parameters[2])),
        single_(call.parameters[3] != 0),
        count_(call.columns),
        spacing_(Kind == schedule_kind::scaled_linear ? std::sqrt(first_) : first_,
                 Kind == schedule_kind::scaled_linear ? std::sqrt(last_) : last_,
                 single_ ? from_both_in_single : from_first, count_) {}

  double operator()(std::uint64_t, std::uint64_t step) {
    if (wanted_ <= alpha) return wanted_ == beta ? beta_at(step) : alpha_of(beta_at(step));
    if (step < next_) {
      next_ = 0;
      product_ = 1;
    }
    double previous = product_;
    while (next_ <= step) {
      previous = product_;
      product_ *= alpha_of(beta_at(next_++));
    }
    return value(beta_at(step), rounded(product_), rounded(previous));
  }

 private:
  double rounded(double value) const noexcept { return single_ ? rounded_to_single(value) : value; }

  double alpha_of(double beta) const noexcept { return rounded(1 - beta); }

  double beta_at(std::uint64_t step) const noexcept {
    if constexpr (Kind == schedule_kind::linear) return spacing_.at(step);
    if constexpr (Kind == schedule_kind::scaled_linear) {
      const double root = spacing_.at(step);
      return rounded(root * root);
    }
    const double ratio = 1 - level_at(step + 1) / level_at(step);
    return rounded(ratio < last_ ? ratio : last_);
  }

  /// cos((step / count + first) / (1 + first) pi / 2)^2
  double level_at(std::uint64_t step) const noexcept {
    constexpr double half_pi = 1.5707963267948966;
    const double time = static_cast<double>(step) / static_cast<double>(count_);
    const double cosine = exact_sincos((time + first_) / (1 + first_) * half_pi).cosine;
    return cosine * cosine;
  }

  double value(double beta, double product, double previous) const noexcept {
    switch (wanted_) {
      case previous_product:
        return previous;
      case root_product:
        return std::sqrt(product);
      case root_rest:
        return std::sqrt(rounded(1 - product));
      case log_rest:
        return exact_log(rounded(1 - product));
      case root_inverse:
        return std::sqrt(rounded(1 / product));
      case root_inverse_less1:
        return std::sqrt(rounded(rounded(1 / product) - 1));
      case posterior_variance:
        return beta * (1 - previous) / (1 - product);
      case posterior_first:
        return beta * std::sqrt(previous) / (1 - product);
      case posterior_second:
        return (1 - previous) * std::sqrt(alpha_of(beta)) / (1 - product);
      case sigma:
        return std::sqrt(rounded(rounded(1 - product) / product));
      default:
        return product;
    }
  }

  double first_, last_;
  unsigned wanted_;
  bool single_;
  std::uint64_t count_;
  even_spacing spacing_;
  std::uint64_t next_ = 0;
  double product_ = 1;
};

bool fits_schedule(const formula_call& call) {
  const auto& parameters = call.parameters;
  return is_vector(call) && parameters[0] >= 0 && parameters[0] <= 1 && parameters[1] >= 0 &&
         parameters[1] <= 1 && is_choice(parameters[2], beta, sigma) &&
         is_choice(parameters[3], 0, 1);
}

template <schedule_kind Kind>
constexpr formula_entry schedule_entry(std::string_view name) {
  return {name, schedule_parameters, fits_schedule, make_numbers<schedule<Kind>>};
}

constexpr std::array entries = {
    formula_entry{"alibi_slopes", slope_parameters, fits_slopes, make_numbers<alibi_slopes>},
    formula_entry{"linspace", linspace_parameters, fits_linspace, make_numbers<linspace>},
    formula_entry{"logspace", logspace_parameters, fits_logspace, make_numbers<logspace>},
    schedule_entry<schedule_kind::linear>("schedule_linear"),
    schedule_entry<schedule_kind::scaled_linear>("schedule_scaled_linear"),
    schedule_entry<schedule_kind::cosine>("schedule_cosine"),
};

}  // namespace

std::span<const formula_entry> series_formulas() noexcept { return entries; }

}  // namespace lmzip::codec::brevis
