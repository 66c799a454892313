#pragma once

#include <cstdint>

namespace lmzip::train {

// The trainer's own loops for the CPU, on rows of float that lie one behind the other. Whoever
// calls them has checked shapes. They are compiled for several widths of vectors (wide_loops.h).

/// Activations of the integer engine are signed bytes in 1/16.
inline constexpr double activation_bound = 127.0 / 16;

/// Whether loops round what they compute to such steps. Results of the token shift, which get finer
/// ones when a model is exported, are not rounded.
enum class rounding : bool { none, as_integers };

/// Bound of what enters the state of a recurrence, so that it fits the integer engine.
inline constexpr double candidate_bound = 7.99;

/// Added to the mean square that rows are normalised by.
inline constexpr float normalisation_epsilon = 1e-6F;

/// Rows in time-major order: row t * streams + b is step t of stream b.
struct row_block {
  std::int64_t rows, streams, width;
};

// y = clamp(x / root mean square of x), and the gradient of x from that of y. Gradients pass
// rounding as if it were none.
void normalise_rows(const float* x, float* y, std::int64_t rows, std::int64_t width, rounding how);
void normalise_rows_backward(const float* x, const float* above, float* result, std::int64_t rows,
                             std::int64_t width);

// The same of relu(x)^2. `squares` has room for a row.
void square_rows(const float* x, float* y, std::int64_t rows, std::int64_t width, rounding how);
void square_rows_backward(const float* x, const float* above, float* result, float* squares,
                          std::int64_t rows, std::int64_t width);

/// u = normalised x, y = clamp(a u + b u'), u' from the step before. `u` begins with the rows
/// before the first step, and gets those of all steps behind them.
void shift_rows(const float* x, float* u, const float* a, const float* b, float* y, row_block block,
                rounding how);

struct shift_gradients {
  float* x;
  float* a;  ///< added to
  float* b;  ///< added to
};

/// `room`: a row for each stream and one more, all zero.
void shift_rows_backward(const float* x, const float* u, const float* a, const float* b,
                         const float* above, float* room, shift_gradients to, row_block block);

/// What a recurrence works on in both directions: rows of gates z, f and o, 3 widths each; their
/// biases; and states, which begin with those before the first step.
struct recurrence_rows {
  const float* gates;
  const float* bias;
  float* states;
  row_block block;
};

/// h = f h' + (1 - f) z, y = normalised h silu(o), with f = sigmoid(of the gate). Fills states.
void recur(const recurrence_rows& r, float* y, rounding how);

/// `room`: a row for each stream and three more, all zero. `d_bias` is added to.
void recur_backward(const recurrence_rows& r, const float* above, float* room, float* d_gates,
                    float* d_bias);

/// Adds row n of `rows` to row numbers[n] of `sums`.
void add_rows(float* sums, const std::int64_t* numbers, const float* rows, std::int64_t count,
              std::int64_t width);

double sum_of_squares(const float* numbers, std::int64_t count);

/// A step of AdamW for one tensor.
struct adam_step {
  float beta1, beta2;
  float keep;          ///< of the value: 1 - rate * weight decay
  float rate;          ///< with the correction of the mean's bias
  float scale_square;  ///< correction of the square's bias
  float clip;          ///< factor of the gradient
};
inline constexpr float adam_epsilon = 1e-8F;

/// Makes the gradient zero in the same pass.
void adam_update(float* value, float* gradient, float* mean, float* square, std::int64_t count,
                 const adam_step& s);

}  // namespace lmzip::train
