#include "app/train/loops.h"

#include <algorithm>
#include <cmath>

#include "app/train/wide_loops.h"

namespace lmzip::train {
namespace {

constexpr float bound = static_cast<float>(activation_bound);

inline float scale_for(float squares, std::int64_t width) noexcept {
  return 1 / std::sqrt(squares / static_cast<float>(width) + normalisation_epsilon);
}

inline float scale_of(const float* x, std::int64_t width) noexcept {
  float sum = 0;
  for (std::int64_t i = 0; i < width; ++i) sum += x[i] * x[i];
  return scale_for(sum, width);
}

/// Clamped, and rounded to steps if that is asked for.
inline float clamped(float y, rounding how) noexcept {
  constexpr float step = bound / 127;
  const float held = std::clamp(y, -bound, bound);
  return how == rounding::none ? held : std::nearbyint(held / step) * step;
}

/// What passes the clamp of a gradient.
inline float passed(float y, float gradient) noexcept {
  return y < -bound || y > bound ? 0 : gradient;
}

/// The gradient of x from `above`, that of clamped(x scale).
inline void normalise_backward(const float* __restrict x, float scale,
                               const float* __restrict above, float* __restrict result,
                               std::int64_t width) noexcept {
  float along = 0;
  for (std::int64_t i = 0; i < width; ++i) {
    const float y = x[i] * scale;
    result[i] = passed(y, above[i]);
    along += result[i] * y;
  }
  along *= scale / static_cast<float>(width);
  for (std::int64_t i = 0; i < width; ++i) result[i] = scale * (result[i] - x[i] * along);
}

inline float squared_relu(float x) noexcept { return std::max(x, 0.0F) * std::max(x, 0.0F); }
// Where the exponential is infinite, the quick division of these loops gives no number.
inline float sigmoid(float x) noexcept { return 1.0F / (1.0F + std::exp(-std::max(x, -80.0F))); }

inline float candidate(float z) noexcept {
  constexpr float most = static_cast<float>(candidate_bound);
  return std::clamp(z, -most, most);
}

/// z, f and o of all channels: a row of gates, or the biases.
template <typename number>
struct gate_row {
  number* __restrict z;
  number* __restrict f;
  number* __restrict o;
  gate_row(number* row, std::int64_t width) : z(row), f(row + width), o(row + 2 * width) {}
};

}  // namespace

LMZIP_TRAIN_WIDE void normalise_rows(const float* __restrict x, float* __restrict y,
                                     std::int64_t rows, std::int64_t width, rounding how) {
  for (std::int64_t n = 0; n < rows; ++n, x += width, y += width) {
    const float scale = scale_of(x, width);
    for (std::int64_t i = 0; i < width; ++i) y[i] = clamped(x[i] * scale, how);
  }
}

LMZIP_TRAIN_WIDE void normalise_rows_backward(const float* x, const float* above, float* result,
                                              std::int64_t rows, std::int64_t width) {
  for (std::int64_t n = 0; n < rows; ++n, x += width, above += width, result += width)
    normalise_backward(x, scale_of(x, width), above, result, width);
}

LMZIP_TRAIN_WIDE void square_rows(const float* __restrict x, float* __restrict y, std::int64_t rows,
                                  std::int64_t width, rounding how) {
  for (std::int64_t n = 0; n < rows; ++n, x += width, y += width) {
    for (std::int64_t i = 0; i < width; ++i) y[i] = squared_relu(x[i]);
    const float scale = scale_of(y, width);
    for (std::int64_t i = 0; i < width; ++i) y[i] = clamped(y[i] * scale, how);
  }
}

LMZIP_TRAIN_WIDE void square_rows_backward(const float* __restrict x, const float* __restrict above,
                                           float* __restrict result, float* __restrict squares,
                                           std::int64_t rows, std::int64_t width) {
  for (std::int64_t n = 0; n < rows; ++n, x += width, above += width, result += width) {
    for (std::int64_t i = 0; i < width; ++i) squares[i] = squared_relu(x[i]);
    normalise_backward(squares, scale_of(squares, width), above, result, width);
    for (std::int64_t i = 0; i < width; ++i) result[i] *= 2 * std::max(x[i], 0.0F);
  }
}

LMZIP_TRAIN_WIDE void shift_rows(const float* x, float* u, const float* a, const float* b, float* y,
                                 row_block block, rounding how) {
  const std::int64_t width = block.width;
  for (std::int64_t n = 0; n < block.rows; ++n, x += width, u += width, y += width) {
    float* __restrict const now = u + block.streams * width;
    float* __restrict const out = y;
    const float scale = scale_of(x, width);
    LMZIP_TRAIN_INDEPENDENT
    for (std::int64_t i = 0; i < width; ++i) {
      now[i] = clamped(x[i] * scale, how);
      out[i] = clamped(a[i] * now[i] + b[i] * u[i], rounding::none);
    }
  }
}

LMZIP_TRAIN_WIDE void shift_rows_backward(const float* x, const float* u, const float* a,
                                          const float* b, const float* above, float* room,
                                          shift_gradients to, row_block block) {
  const std::int64_t width = block.width;
  float* __restrict const below = room + block.streams * width;
  float* __restrict const d_a = to.a;
  float* __restrict const d_b = to.b;
  for (std::int64_t n = block.rows; n-- > 0;) {
    const float* const before = u + n * width;
    const float* const now = before + block.streams * width;
    const float* const g = above + n * width;
    float* __restrict const from_later = room + n % block.streams * width;
    LMZIP_TRAIN_INDEPENDENT
    for (std::int64_t i = 0; i < width; ++i) {
      const float passing = passed(a[i] * now[i] + b[i] * before[i], g[i]);
      below[i] = from_later[i] + a[i] * passing;
      from_later[i] = b[i] * passing;
      d_a[i] += now[i] * passing;
      d_b[i] += before[i] * passing;
    }
    const float* const in = x + n * width;
    normalise_backward(in, scale_of(in, width), below, to.x + n * width, width);
  }
}

LMZIP_TRAIN_WIDE void recur(const recurrence_rows& r, float* outputs, rounding how) {
  const std::int64_t d = r.block.width;
  const gate_row<const float> bias(r.bias, d);
  for (std::int64_t n = 0; n < r.block.rows; ++n) {
    const gate_row<const float> gate(r.gates + n * 3 * d, d);
    const float* const before = r.states + n * d;
    float* __restrict const after = r.states + (n + r.block.streams) * d;
    float* __restrict const y = outputs + n * d;
    float squares = 0;
    LMZIP_TRAIN_INDEPENDENT
    for (std::int64_t i = 0; i < d; ++i) {
      const float z = candidate(gate.z[i] + bias.z[i]), o = gate.o[i] + bias.o[i];
      after[i] = sigmoid(gate.f[i] + bias.f[i]) * (before[i] - z) + z;
      y[i] = after[i] * o * sigmoid(o);
      squares += y[i] * y[i];
    }
    const float scale = scale_for(squares, d);
    for (std::int64_t i = 0; i < d; ++i) y[i] = clamped(y[i] * scale, how);
  }
}

LMZIP_TRAIN_WIDE void recur_backward(const recurrence_rows& r, const float* above, float* room,
                                     float* d_gates, float* d_bias) {
  const std::int64_t d = r.block.width, streams = r.block.streams;
  const gate_row<const float> bias(r.bias, d);
  float* __restrict const y = room + streams * d;
  float* __restrict const dy = y + d;
  float* __restrict const open = dy + d;  // sigmoid(o)
  for (std::int64_t n = r.block.rows; n-- > 0;) {
    const gate_row<const float> gate(r.gates + n * 3 * d, d);
    const gate_row<float> to(d_gates + n * 3 * d, d);
    const float* const before = r.states + n * d;
    const float* const after = r.states + (n + streams) * d;
    float squares = 0;
    LMZIP_TRAIN_INDEPENDENT
    for (std::int64_t i = 0; i < d; ++i) {
      const float o = gate.o[i] + bias.o[i];
      open[i] = sigmoid(o);
      y[i] = after[i] * o * open[i];
      squares += y[i] * y[i];
    }
    normalise_backward(y, scale_for(squares, d), above + n * d, dy, d);
    float* __restrict const dh = room + n % streams * d;  // dL/dh from later steps
    LMZIP_TRAIN_INDEPENDENT
    for (std::int64_t i = 0; i < d; ++i) {
      const float free = gate.z[i] + bias.z[i], z = candidate(free);
      const float f = sigmoid(gate.f[i] + bias.f[i]), o = gate.o[i] + bias.o[i];
      const float total = dh[i] + dy[i] * o * open[i];
      to.z[i] = z == free ? total * (1 - f) : 0;
      to.f[i] = total * (before[i] - z) * f * (1 - f);
      to.o[i] = dy[i] * after[i] * open[i] * (1 + o * (1 - open[i]));
      dh[i] = total * f;
    }
    LMZIP_TRAIN_INDEPENDENT
    for (std::int64_t i = 0; i < 3 * d; ++i) d_bias[i] += to.z[i];
  }
}

LMZIP_TRAIN_WIDE void add_rows(float* sums, const std::int64_t* numbers, const float* rows,
                               std::int64_t count, std::int64_t width) {
  for (std::int64_t n = 0; n < count; ++n, rows += width) {
    float* __restrict const to = sums + numbers[n] * width;
    for (std::int64_t i = 0; i < width; ++i) to[i] += rows[i];
  }
}

// Sums of parts first, so that small numbers are not lost beside the sum of all.
LMZIP_TRAIN_WIDE double sum_of_squares(const float* numbers, std::int64_t count) {
  constexpr std::int64_t part = 4096;
  double sum = 0;
  for (std::int64_t begin = 0; begin < count; begin += part) {
    const std::int64_t end = std::min(begin + part, count);
    float of_part = 0;
    for (std::int64_t i = begin; i < end; ++i) of_part += numbers[i] * numbers[i];
    sum += of_part;
  }
  return sum;
}

LMZIP_TRAIN_WIDE void adam_update(float* __restrict value, float* __restrict gradient,
                                  float* __restrict mean, float* __restrict square,
                                  std::int64_t count, const adam_step& step) {
  const adam_step s = step;
  constexpr float tiny = 1e-30F;  // the quick root of these loops gives no number of less
  for (std::int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] * s.clip;
    gradient[i] = 0;
    mean[i] = s.beta1 * mean[i] + (1 - s.beta1) * g;
    square[i] = s.beta2 * square[i] + (1 - s.beta2) * g * g;
    value[i] =
        value[i] * s.keep -
        s.rate * mean[i] / (std::sqrt(std::max(square[i] * s.scale_square, tiny)) + adam_epsilon);
  }
}

}  // namespace lmzip::train
