#include "app/train/normalisation.h"

#include <vector>

#include "app/train/own_loops.h"

namespace lmzip::train {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// In one pass over memory each way, where single operations make ten.
class cpu_normalisation : public torch::autograd::Function<cpu_normalisation> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& rows) {
    Tensor result = torch::empty_like(rows);
    normalise_rows(rows.data_ptr<float>(), result.data_ptr<float>(), rows.size(0), rows.size(1),
                   present_rounding());
    context->save_for_backward({rows});
    return result;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const Tensor rows = context->get_saved_variables()[0], above = gradients[0].contiguous();
    Tensor result = torch::empty_like(rows);
    normalise_rows_backward(rows.data_ptr<float>(), above.data_ptr<float>(),
                            result.data_ptr<float>(), rows.size(0), rows.size(1));
    return {result};
  }
};

class cpu_squared_relu : public torch::autograd::Function<cpu_squared_relu> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& rows) {
    Tensor result = torch::empty_like(rows);
    square_rows(rows.data_ptr<float>(), result.data_ptr<float>(), rows.size(0), rows.size(1),
                present_rounding());
    context->save_for_backward({rows});
    return result;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const Tensor rows = context->get_saved_variables()[0], above = gradients[0].contiguous();
    Tensor result = torch::empty_like(rows);
    std::vector<float> squares(static_cast<std::size_t>(rows.size(1)));
    square_rows_backward(rows.data_ptr<float>(), above.data_ptr<float>(), result.data_ptr<float>(),
                         squares.data(), rows.size(0), rows.size(1));
    return {result};
  }
};

thread_local rounding now = rounding::none;

}  // namespace

rounded_activations::rounded_activations() noexcept { now = rounding::as_integers; }
rounded_activations::~rounded_activations() { now = rounding::none; }
rounding present_rounding() noexcept { return now; }

Tensor normalise(const Tensor& rows) {
  return by_own_loops(rows) ? cpu_normalisation::apply(rows.contiguous())
                            : normalise_by_tensors(rows);
}

Tensor normalise_squared_relu(const Tensor& rows) {
  return by_own_loops(rows) ? cpu_squared_relu::apply(rows.contiguous())
                            : normalise_squared_relu_by_tensors(rows);
}

Tensor normalise_by_tensors(const Tensor& rows) {
  const Tensor scale = torch::rsqrt(rows.square().mean(1, true) + normalisation_epsilon);
  const Tensor held = (rows * scale).clamp(-activation_bound, activation_bound);
  if (now == rounding::none) return held;
  constexpr double steps = 127 / activation_bound;
  return held + ((held * steps).round() / steps - held).detach();
}

Tensor normalise_squared_relu_by_tensors(const Tensor& rows) {
  return normalise_by_tensors(torch::relu(rows).square());
}

}  // namespace lmzip::train
