#include "app/train/recurrence.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lmzip::train {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr float bound = static_cast<float>(candidate_bound);

inline float sigmoid(float x) noexcept { return 1.0F / (1.0F + std::exp(-x)); }

/// One row of gates: z, f and o of all channels.
struct gate_row {
  const float* z;
  const float* f;
  const float* o;
  gate_row(const float* row, std::int64_t channels)
      : z(row), f(row + channels), o(row + 2 * channels) {}
};

class cpu_recurrence : public torch::autograd::Function<cpu_recurrence> {
 public:
  static tensor_list forward(AutogradContext* context, const Tensor& gates, const Tensor& state) {
    const std::int64_t rows = gates.size(0), d = state.size(1), streams = state.size(0);
    Tensor outputs = torch::empty({rows, d});
    Tensor states = torch::empty({rows + streams, d});  // the first rows are those before
    states.narrow(0, 0, streams).copy_(state);
    float* const h = states.data_ptr<float>();
    float* const y = outputs.data_ptr<float>();
    const float* const g = gates.data_ptr<float>();
    for (std::int64_t n = 0; n < rows; ++n) {
      const gate_row gate(g + n * 3 * d, d);
      const float* const before = h + n * d;
      float* const after = h + (n + streams) * d;
      float* const out = y + n * d;
      for (std::int64_t i = 0; i < d; ++i) {
        const float z = std::clamp(gate.z[i], -bound, bound);
        after[i] = sigmoid(gate.f[i]) * (before[i] - z) + z;
        out[i] = after[i] * gate.o[i] * sigmoid(gate.o[i]);
      }
    }
    context->save_for_backward({gates, states});
    Tensor last = states.narrow(0, rows, streams).clone();
    context->mark_non_differentiable({last});
    return {outputs, last};
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor gates = saved[0], states = saved[1], dy = gradients[0].contiguous();
    const std::int64_t rows = dy.size(0), d = dy.size(1), streams = states.size(0) - rows;
    Tensor result = torch::empty_like(gates);
    std::vector<float> carried(static_cast<std::size_t>(streams * d));  // dL/dh from later steps
    const float* const h = states.data_ptr<float>();
    const float* const g = gates.data_ptr<float>();
    for (std::int64_t n = rows; n-- > 0;) {
      const gate_row gate(g + n * 3 * d, d);
      float* const dz = result.data_ptr<float>() + n * 3 * d;
      float* const df = dz + d;
      float* const d_o = df + d;
      const float* const above = dy.data_ptr<float>() + n * d;
      const float* const before = h + n * d;
      const float* const after = h + (n + streams) * d;
      float* const dh = carried.data() + n % streams * d;
      for (std::int64_t i = 0; i < d; ++i) {
        const float z = std::clamp(gate.z[i], -bound, bound);
        const float f = sigmoid(gate.f[i]);
        const float o = gate.o[i], so = sigmoid(o);
        const float total = dh[i] + above[i] * o * so;
        dz[i] = z == gate.z[i] ? total * (1 - f) : 0;
        df[i] = total * (before[i] - z) * f * (1 - f);
        d_o[i] = above[i] * after[i] * so * (1 + o * (1 - so));
        dh[i] = total * f;
      }
    }
    return {result, Tensor()};
  }
};

}  // namespace

recurrence_result recurrence(const Tensor& gates, const Tensor& state) {
  if (!gates.device().is_cpu()) return recurrence_by_steps(gates, state);
  const tensor_list result = cpu_recurrence::apply(gates.contiguous(), state);
  return {result[0], result[1]};
}

recurrence_result recurrence_by_steps(const Tensor& gates, const Tensor& state) {
  const std::int64_t streams = state.size(0);
  const auto parts = gates.chunk(3, 1);
  const Tensor z = parts[0].clamp(-candidate_bound, candidate_bound);
  const Tensor f = torch::sigmoid(parts[1]);
  const Tensor entering = (1 - f) * z;
  Tensor h = state;
  std::vector<Tensor> states;
  for (std::int64_t n = 0; n < gates.size(0); n += streams) {
    h = f.narrow(0, n, streams) * h + entering.narrow(0, n, streams);
    states.push_back(h);
  }
  return {torch::cat(states) * torch::silu(parts[2]), h.detach()};
}

}  // namespace lmzip::train
