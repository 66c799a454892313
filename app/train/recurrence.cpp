#include "app/train/recurrence.h"

#include <vector>

#include "app/train/normalisation.h"
#include "app/train/own_loops.h"

namespace lmzip::train {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

class cpu_recurrence : public torch::autograd::Function<cpu_recurrence> {
 public:
  static tensor_list forward(AutogradContext* context, const Tensor& gates, const Tensor& bias,
                             const Tensor& state) {
    const std::int64_t rows = gates.size(0), d = state.size(1), streams = state.size(0);
    Tensor outputs = torch::empty({rows, d});
    Tensor states = torch::empty({rows + streams, d});
    states.narrow(0, 0, streams).copy_(state);
    recur({gates.data_ptr<float>(),
           bias.data_ptr<float>(),
           states.data_ptr<float>(),
           {rows, streams, d}},
          outputs.data_ptr<float>(), present_rounding());
    context->save_for_backward({gates, bias, states});
    Tensor last = states.narrow(0, rows, streams).clone();
    context->mark_non_differentiable({last});
    return {outputs, last};
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor gates = saved[0], bias = saved[1], states = saved[2];
    const Tensor above = gradients[0].contiguous();
    const std::int64_t rows = above.size(0), d = above.size(1), streams = states.size(0) - rows;
    Tensor d_gates = torch::empty_like(gates), d_bias = torch::zeros_like(bias);
    std::vector<float> room(static_cast<std::size_t>((streams + 3) * d));
    recur_backward({gates.data_ptr<float>(),
                    bias.data_ptr<float>(),
                    states.data_ptr<float>(),
                    {rows, streams, d}},
                   above.data_ptr<float>(), room.data(), d_gates.data_ptr<float>(),
                   d_bias.data_ptr<float>());
    return {d_gates, d_bias, Tensor()};
  }
};

}  // namespace

recurrence_result recurrence(const Tensor& gates, const Tensor& bias, const Tensor& state) {
  if (!by_own_loops(gates)) return recurrence_by_steps(gates, bias, state);
  const tensor_list result = cpu_recurrence::apply(gates.contiguous(), bias, state);
  return {result[0], result[1]};
}

recurrence_result recurrence_by_steps(const Tensor& gates, const Tensor& bias,
                                      const Tensor& state) {
  const std::int64_t streams = state.size(0);
  const auto parts = (gates + bias).chunk(3, 1);
  const Tensor z = parts[0].clamp(-candidate_bound, candidate_bound);
  const Tensor f = torch::sigmoid(parts[1]);
  const Tensor entering = (1 - f) * z;
  // Parts that are taken all at once have one gradient together.
  const auto by_step = [streams](const Tensor& rows) {
    return rows.view({-1, streams, rows.size(1)}).unbind(0);
  };
  const auto kept = by_step(f), added = by_step(entering);
  Tensor h = state;
  std::vector<Tensor> states;
  for (std::size_t t = 0; t < kept.size(); ++t) {
    h = kept[t] * h + added[t];
    states.push_back(h);
  }
  return {normalise_by_tensors(torch::cat(states) * torch::silu(parts[2])), h.detach()};
}

}  // namespace lmzip::train
