#include "app/train/normalisation.h"

#include <algorithm>
#include <cmath>

namespace lmzip::train {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr float bound = static_cast<float>(activation_bound);
constexpr float epsilon = 1e-6F;

float scale_of(const float* row, std::int64_t width) noexcept {
  float sum = 0;
  for (std::int64_t i = 0; i < width; ++i) sum += row[i] * row[i];
  return 1 / std::sqrt(sum / static_cast<float>(width) + epsilon);
}

/// In one pass over memory each way, where single operations make ten.
class cpu_normalisation : public torch::autograd::Function<cpu_normalisation> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& rows) {
    const std::int64_t width = rows.size(1);
    Tensor result = torch::empty_like(rows);
    for (std::int64_t n = 0; n < rows.size(0); ++n) {
      const float* const x = rows.data_ptr<float>() + n * width;
      float* const y = result.data_ptr<float>() + n * width;
      const float scale = scale_of(x, width);
      for (std::int64_t i = 0; i < width; ++i) y[i] = std::clamp(x[i] * scale, -bound, bound);
    }
    context->save_for_backward({rows});
    return result;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const Tensor rows = context->get_saved_variables()[0], above = gradients[0].contiguous();
    const std::int64_t width = rows.size(1);
    Tensor result = torch::empty_like(rows);
    for (std::int64_t n = 0; n < rows.size(0); ++n) {
      const float* const x = rows.data_ptr<float>() + n * width;
      const float* const g = above.data_ptr<float>() + n * width;
      float* const d = result.data_ptr<float>() + n * width;
      const float scale = scale_of(x, width);
      float along = 0;
      for (std::int64_t i = 0; i < width; ++i) {
        const float y = x[i] * scale;
        d[i] = y < -bound || y > bound ? 0 : g[i];
        along += d[i] * y;
      }
      along /= static_cast<float>(width);
      for (std::int64_t i = 0; i < width; ++i) d[i] = scale * (d[i] - x[i] * scale * along);
    }
    return {result};
  }
};

}  // namespace

Tensor normalise(const Tensor& rows) {
  return rows.device().is_cpu() ? cpu_normalisation::apply(rows.contiguous())
                                : normalise_by_tensors(rows);
}

Tensor normalise_by_tensors(const Tensor& rows) {
  const Tensor scale = torch::rsqrt(rows.square().mean(1, true) + epsilon);
  return (rows * scale).clamp(-activation_bound, activation_bound);
}

}  // namespace lmzip::train
