#include "app/train/token_shift.h"

#include <vector>

#include "app/train/normalisation.h"
#include "app/train/own_loops.h"

namespace lmzip::train {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

class cpu_shift : public torch::autograd::Function<cpu_shift> {
 public:
  static tensor_list forward(AutogradContext* context, const Tensor& rows, const Tensor& before,
                             const Tensor& a, const Tensor& b) {
    const std::int64_t count = rows.size(0), streams = before.size(0), width = rows.size(1);
    Tensor result = torch::empty_like(rows);
    Tensor normalised = torch::empty({count + streams, width});
    normalised.narrow(0, 0, streams).copy_(before);
    shift_rows(rows.data_ptr<float>(), normalised.data_ptr<float>(), a.data_ptr<float>(),
               b.data_ptr<float>(), result.data_ptr<float>(), {count, streams, width},
               present_rounding());
    context->save_for_backward({rows, normalised, a, b});
    Tensor last = normalised.narrow(0, count, streams).clone();
    context->mark_non_differentiable({last});
    return {result, last};
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor rows = saved[0], normalised = saved[1], a = saved[2], b = saved[3];
    const Tensor above = gradients[0].contiguous();
    const std::int64_t count = rows.size(0), width = rows.size(1);
    const std::int64_t streams = normalised.size(0) - count;
    Tensor d_rows = torch::empty_like(rows), d_a = torch::zeros_like(a), d_b = torch::zeros_like(b);
    std::vector<float> room(static_cast<std::size_t>((streams + 1) * width));
    shift_rows_backward(rows.data_ptr<float>(), normalised.data_ptr<float>(), a.data_ptr<float>(),
                        b.data_ptr<float>(), above.data_ptr<float>(), room.data(),
                        {d_rows.data_ptr<float>(), d_a.data_ptr<float>(), d_b.data_ptr<float>()},
                        {count, streams, width});
    return {d_rows, Tensor(), d_a, d_b};
  }
};

}  // namespace

shift_result shift_tokens(const Tensor& rows, const Tensor& before, const Tensor& a,
                          const Tensor& b) {
  if (!by_own_loops(rows)) return shift_tokens_by_tensors(rows, before, a, b);
  const tensor_list result = cpu_shift::apply(rows.contiguous(), before, a, b);
  return {result[0], result[1]};
}

shift_result shift_tokens_by_tensors(const Tensor& rows, const Tensor& before, const Tensor& a,
                                     const Tensor& b) {
  const Tensor now = normalise_by_tensors(rows);
  const std::int64_t streams = before.size(0), rest = now.size(0) - streams;
  const Tensor earlier = torch::cat({before, now.narrow(0, 0, rest)});
  return {(a * now + b * earlier).clamp(-activation_bound, activation_bound),
          now.narrow(0, rest, streams).detach()};
}

}  // namespace lmzip::train
