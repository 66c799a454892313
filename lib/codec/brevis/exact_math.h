#pragma once

#include <cstdint>

namespace lmzip::codec::brevis {

// Functions of binary64 by + - * / and square root in a fixed order, without contraction, so that
// all processors and compilers give equal bits. Errors are below one unit in the last place within
// the domains given, which tests hold; outside of them results are the same everywhere too, but of
// no use.

struct sine_and_cosine {
  double sine, cosine;
};

/// Of an angle, |x| < 2^31.
sine_and_cosine exact_sincos(double x) noexcept;

/// Of 2 pi * part / whole; 0 < whole < 2^50, any part.
sine_and_cosine turn_sincos(std::uint64_t part, std::uint64_t whole) noexcept;

/// x positive and normal.
double exact_log2(double x) noexcept;
double exact_log(double x) noexcept;

/// Of results from 2^-1020 to 2^1020.
double exact_exp2(double x) noexcept;
double exact_exp(double x) noexcept;

/// x positive and normal, results as those of exact_exp2().
double exact_pow(double x, double y) noexcept;

}  // namespace lmzip::codec::brevis
