#include "app/train/optimiser.h"

#include <algorithm>
#include <cmath>

namespace lmzip::train {
namespace {

struct step_sizes {
  float beta1, beta2, keep, rate, scale_square, clip;
};

constexpr float epsilon = 1e-8F;

void update(float* value, const float* gradient, float* mean, float* square, std::int64_t count,
            const step_sizes& s) noexcept {
  for (std::int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] * s.clip;
    mean[i] = s.beta1 * mean[i] + (1 - s.beta1) * g;
    square[i] = s.beta2 * square[i] + (1 - s.beta2) * g * g;
    value[i] =
        value[i] * s.keep - s.rate * mean[i] / (std::sqrt(square[i] * s.scale_square) + epsilon);
  }
}

void update_by_tensors(torch::Tensor& value, const torch::Tensor& gradient, torch::Tensor& mean,
                       torch::Tensor& square, const step_sizes& s) {
  const torch::Tensor g = gradient * s.clip;
  mean.mul_(s.beta1).add_(g, 1 - s.beta1);
  square.mul_(s.beta2).addcmul_(g, g, 1 - s.beta2);
  value.mul_(s.keep).addcdiv_(mean, (square * s.scale_square).sqrt_().add_(epsilon), -s.rate);
}

}  // namespace

double rate_schedule::at(std::uint64_t step) const noexcept {
  const auto now = static_cast<double>(step), all = static_cast<double>(steps);
  const double rising = (now + 1) / static_cast<double>(std::max<std::uint64_t>(warm_up, 1));
  const double falling = (all - now) / std::max(decay * all, 1.0);
  return rate * std::clamp(std::min(rising, falling), 0.0, 1.0);
}

adam_w::adam_w(const torch::nn::Module& model, const options& o) : options_(o) {
  for (const auto& entry : model.named_parameters())
    parameters_.push_back({entry.key(), entry.value(), torch::zeros_like(entry.value()).detach(),
                           torch::zeros_like(entry.value()).detach()});
}

double adam_w::clipping() const {
  double square = 0;
  for (const parameter& p : parameters_)
    if (p.value.grad().defined()) square += p.value.grad().square().sum().item<double>();
  const double norm = std::sqrt(square);
  return norm > options_.clip ? options_.clip / norm : 1;
}

void adam_w::step(std::uint64_t step, double rate) {
  const torch::NoGradGuard no_gradient;
  const auto t = static_cast<double>(step + 1);
  step_sizes s{};
  s.beta1 = static_cast<float>(options_.beta1);
  s.beta2 = static_cast<float>(options_.beta2);
  s.rate = static_cast<float>(rate / (1 - std::pow(options_.beta1, t)));
  s.scale_square = static_cast<float>(1 / (1 - std::pow(options_.beta2, t)));
  s.clip = static_cast<float>(clipping());
  for (parameter& p : parameters_) {
    torch::Tensor& gradient = p.value.mutable_grad();
    if (!gradient.defined()) continue;
    s.keep = static_cast<float>(p.value.dim() > 1 ? 1 - rate * options_.weight_decay : 1);
    if (p.value.device().is_cpu())
      update(p.value.data_ptr<float>(), gradient.contiguous().data_ptr<float>(),
             p.mean.data_ptr<float>(), p.square.data_ptr<float>(), p.value.numel(), s);
    else
      update_by_tensors(p.value, gradient, p.mean, p.square, s);
    gradient = torch::Tensor();
  }
}

void adam_w::save(tensor_file& to) const {
  for (const parameter& p : parameters_) {
    to.tensors["adam.mean." + p.name] = p.mean.cpu();
    to.tensors["adam.square." + p.name] = p.square.cpu();
  }
}

void adam_w::load(const tensor_file& from) {
  const torch::NoGradGuard no_gradient;
  for (parameter& p : parameters_) {
    p.mean.copy_(from.find("adam.mean." + p.name, p.mean.sizes()));
    p.square.copy_(from.find("adam.square." + p.name, p.square.sizes()));
  }
}

}  // namespace lmzip::train
