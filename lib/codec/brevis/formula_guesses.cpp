#include "codec/brevis/formula_guesses.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "codec/brevis/exact_math.h"
#include "codec/brevis/numbers.h"

namespace lmzip::codec::brevis {
namespace {

constexpr std::size_t sampled = 48;
constexpr std::size_t sampled_first = 6;

// A sampled number may be this many numbers of its type away from the formula's.
constexpr std::uint64_t tolerance = 64;

constexpr std::array bases = {10000.0, 500000.0, 1000000.0, 100000.0, 50000.0, 5000000.0, 1000.0};
constexpr std::array roundings = {0.0, 1.0, 2.0, 3.0};

/// The place of a number among all of its type.
std::uint64_t place_of(const tensor_view& x, std::uint64_t bits) noexcept {
  if (!holds_floats(x.type)) return bits;
  const std::uint64_t sign = std::uint64_t{1} << (8 * x.element_bytes() - 1);
  return (bits & sign) != 0 ? sign - (bits & (sign - 1)) : sign + bits;
}

/// The shortest decimal that rounds to the number, which is what somebody may have written.
double shortest_decimal(const tensor_view& x, double value) {
  if (x.type != dtype::f32) return value;
  std::array<char, 64> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(value)).ptr;
  double again = value;
  std::from_chars(text.data(), end, again);
  return again;
}

class guesser {
 public:
  guesser(const tensor_view& x, std::uint64_t first_row) : x_(x), first_row_(first_row) {
    sample_places places(x.elements(), 37);
    for (auto& place : places_) place = places.next();
    // The evaluators are fastest in order.
    std::sort(places_.begin() + sampled_first, places_.end());
  }

  std::optional<formula_call> find() {
    if (x_.rows() == 1)
      guess_vectors();
    else
      guess_matrices();
    return best_;
  }

 private:
  double value(std::size_t i) const {
    double result;
    load_reals(x_.type, x_.at(i), 1, &result);
    return result;
  }

  bool is_near(double expected, std::size_t i) const {
    return std::fabs(expected - value(i)) <= 0.02 * std::fabs(expected) + 0.004;
  }

  void guess(std::string_view name, std::vector<double> parameters) {
    const formula_facts* const facts = find_formula(name);
    if (facts == nullptr || matches_ == sampled) return;
    formula_call call{facts->id, x_.rows(), x_.columns(), std::move(parameters)};
    if (!is_valid(call)) return;
    const auto evaluator = make_evaluator(call);
    std::size_t equal = 0;
    for (const std::size_t place : places_) {
      double expected;
      evaluator->fill(place, 1, &expected);
      std::array<std::byte, 8> bytes{};
      store_reals(x_.type, &expected, 1, bytes.data());
      const std::uint64_t bits = load_le<std::uint64_t>(bytes.data());
      const std::uint64_t here = place_of(x_, x_.bits(place)), there = place_of(x_, bits);
      // Close to zero, numbers are far away in places though they are close.
      if (std::max(here, there) - std::min(here, there) > tolerance &&
          !(std::fabs(expected - value(place)) <= 0x1p-20))
        return;
      equal += here == there ? 1 : 0;
    }
    if (best_ && equal <= matches_) return;
    matches_ = equal;
    best_ = std::move(call);
  }

  void guess_vectors() {
    const std::size_t count = x_.columns();
    const double first = value(0), second = value(1), last = value(count - 1);
    const auto width = static_cast<double>(count);
    if (first == 1 && second < 1 && second > 0)
      for (const double base : bases)
        for (const double rounding : roundings) guess("inv_freq", {base, width, 1, 0, rounding});
    guess_windows(first, last);
    if (first > 0 && first < 1 && second > 0 && second < first)
      for (const double most : {8.0, 4.0, 16.0}) guess("alibi_slopes", {most});
    const double from = shortest_decimal(x_, first), to = shortest_decimal(x_, last);
    if (from != to && is_near(first + (last - first) / (width - 1), 1))
      for (const double how : {0.0, 1.0, 2.0}) {
        guess("linspace", {from, to, how});
        guess("linspace", {first, last, how});
      }
    if (holds_floats(x_.type) && count >= 16 && is_monotone()) guess_schedules(first, from, to);
  }

  /// At some places.
  bool is_monotone() const {
    const std::size_t count = x_.columns();
    const std::array<std::size_t, 6> places = {0, 1, count / 4, count / 2, count - 2, count - 1};
    bool rises = true, falls = true;
    for (std::size_t i = 1; i < places.size(); ++i) {
      const double before = value(places[i - 1]), here = value(places[i]);
      rises = rises && here > before;
      falls = falls && here < before;
    }
    return rises || falls;
  }

  void guess_windows(double first, double last) {
    if (std::fabs(first) > 0.1 || std::fabs(last) > 0.1) return;
    if (std::fabs(value(x_.columns() / 2) - 1) > 0.1) return;
    for (const char* name : {"hann", "hamming", "blackman", "bartlett", "half_sine"})
      for (const double symmetric : {0.0, 1.0}) guess(name, {symmetric});
  }

  void guess_schedules(double first, double from, double to) {
    struct range {
      double first, last;
    };
    const std::array<range, 4> usual = {
        {{0.0001, 0.02}, {0.00085, 0.012}, {0.0015, 0.0195}, {from, to}}};
    const auto small = first < 0.2;
    for (const auto& [low, high] : usual)
      for (double wanted = 0; wanted <= 12; ++wanted)
        for (const double rounding : {0.0, 1.0}) {
          // Betas begin with the first one, alphas and their products with one less it.
          if (wanted == 0 && !is_near(low, 0)) continue;
          if (wanted >= 1 && wanted <= 4 && small) continue;
          guess("schedule_linear", {low, high, wanted, rounding});
          guess("schedule_scaled_linear", {low, high, wanted, rounding});
        }
    for (double wanted = 0; wanted <= 12; ++wanted)
      guess("schedule_cosine", {0.008, 0.999, wanted, 0});
  }

  void guess_matrices() {
    if (holds_integers(x_.type)) {
      const double side = std::floor(std::sqrt(static_cast<double>(x_.columns())) + 0.5);
      if (first_row_ == 0 && x_.type != dtype::boolean) guess("window_positions", {side});
      return;
    }
    const double first = value(0), last = value(x_.elements() - 1);
    if (!(std::fabs(first) <= 1.01 && std::fabs(last) <= 1.01)) return;
    for (double away = 0; away <= 2; ++away) guess_angles(static_cast<double>(first_row_) + away);
    if (first_row_ == 0) guess_bases();
    if (first_row_ == 0 && x_.columns() > x_.rows() && first == 0) guess_filters();
  }

  void guess_angles(double first) {
    // The frequency of the first column is 1, so that it tells which tables are possible.
    const sine_and_cosine begin = exact_sincos(first), next = exact_sincos(first + 1);
    const std::size_t columns = x_.columns();
    const auto half = static_cast<double>(columns / 2), whole = static_cast<double>(columns);
    const auto try_all = [&](std::initializer_list<const char*> names, double denominator) {
      for (const char* name : names)
        for (const double base : bases)
          for (const double rounding : roundings)
            guess(name, {base, denominator, 1, first, rounding});
    };
    if (is_near(begin.cosine, 0) && is_near(next.cosine, columns)) {
      try_all({"rope_cos", "rope_cos_pairs", "cos_sin_halves", "cos_sin_pairs"}, half);
      try_all({"freqs_cos"}, whole);
    }
    if (is_near(begin.sine, 0) && is_near(next.sine, columns)) {
      try_all({"rope_sin", "rope_sin_pairs", "sin_cos_halves", "sin_cos_pairs"}, half);
      try_all({"sin_cos_halves"}, half - 1);
      try_all({"freqs_sin"}, whole);
    }
  }

  void guess_bases() {
    // Row 0 is the window, without a sine, or the same everywhere.
    const std::size_t columns = x_.columns();
    const double middle = std::fabs(value(columns / 2));
    if (std::fabs(middle - 1) > 0.01 && middle != 0 && value(0) != value(1)) return;
    const auto period = static_cast<double>(columns);
    for (double window = 0; window <= 5; ++window) {
      for (const double scale : {1.0, -1.0}) {
        guess("dft_cos", {period, window, scale});
        guess("dft_sin", {period, window, scale});
        guess("dft_cos_sin", {period, window, 1, scale});
      }
    }
    const double count = period, flat = std::sqrt(2 / count), zero = std::sqrt(1 / count);
    guess("dct", {count, flat, zero});
    guess("dct", {count, 2, 2});
    guess("dct", {count, 1, 1});
  }

  void guess_filters() {
    for (const double rate : {16000.0, 22050.0, 24000.0, 44100.0, 48000.0, 8000.0})
      for (const double area : {1.0, 0.0})
        for (const char* name : {"mel_slaney", "mel_htk"}) guess(name, {rate, 0, rate / 2, area});
  }

  const tensor_view& x_;
  std::uint64_t first_row_;
  std::array<std::size_t, sampled> places_;
  std::size_t matches_ = 0;
  std::optional<formula_call> best_;
};

}  // namespace

std::optional<formula_call> guess_formula(const tensor_view& x, std::uint64_t first_row) {
  constexpr std::size_t least = 6;
  if (x.elements() < least || !(holds_floats(x.type) || holds_integers(x.type)))
    return std::nullopt;
  // Repeats at all small places: no formula, and slow to refuse.
  if (x.bits(0) == x.bits(1) && x.bits(1) == x.bits(2) && x.bits(2) == x.bits(3) &&
      x.bits(0) != 0 && x.rows() == 1)
    return std::nullopt;
  return guesser(x, first_row).find();
}

}  // namespace lmzip::codec::brevis
