#include "app/train/optimiser.h"

#include <algorithm>
#include <cmath>

#include "app/train/loops.h"
#include "app/train/own_loops.h"

namespace lmzip::train {
namespace {

void update_by_tensors(torch::Tensor& value, torch::Tensor& gradient, torch::Tensor& mean,
                       torch::Tensor& square, const adam_step& s) {
  const torch::Tensor g = gradient * s.clip;
  mean.mul_(s.beta1).add_(g, 1 - s.beta1);
  square.mul_(s.beta2).addcmul_(g, g, 1 - s.beta2);
  value.mul_(s.keep).addcdiv_(mean, (square * s.scale_square).sqrt_().add_(adam_epsilon), -s.rate);
  gradient.zero_();
}

}  // namespace

double rate_schedule::at(std::uint64_t step) const noexcept {
  const auto now = static_cast<double>(step), all = static_cast<double>(steps);
  const double rising = (now + 1) / static_cast<double>(std::max<std::uint64_t>(warm_up, 1));
  const double falling = (all - now) / std::max(decay * all, 1.0);
  return rate * std::clamp(std::min(rising, falling), 0.0, 1.0);
}

adam_w::adam_w(const torch::nn::Module& model, const options& o) : options_(o) {
  const torch::NoGradGuard no_gradient;
  std::int64_t count = 0;
  for (const torch::Tensor& value : model.parameters()) count += value.numel();
  exchanged_ = torch::zeros({count + 1}, model.parameters().front().options().requires_grad(false));
  gradients_ = exchanged_.narrow(0, 0, count);
  std::int64_t first = 0;
  for (const auto& entry : model.named_parameters()) {
    torch::Tensor value = entry.value();
    value.mutable_grad() = gradients_.narrow(0, first, value.numel()).view(value.sizes());
    first += value.numel();
    parameters_.push_back({entry.key(), value, torch::zeros_like(value).detach(),
                           torch::zeros_like(value).detach(), value.grad()});
  }
}

double adam_w::clipping() const {
  const double square = by_own_loops(gradients_)
                            ? sum_of_squares(gradients_.data_ptr<float>(), gradients_.numel())
                            : gradients_.square().sum().item<double>();
  const double norm = std::sqrt(square);
  return norm > options_.clip ? options_.clip / norm : 1;
}

void adam_w::step(std::uint64_t step, double rate) {
  const torch::NoGradGuard no_gradient;
  const auto t = static_cast<double>(step + 1);
  adam_step s{};
  s.beta1 = static_cast<float>(options_.beta1);
  s.beta2 = static_cast<float>(options_.beta2);
  s.rate = static_cast<float>(rate / (1 - std::pow(options_.beta1, t)));
  s.scale_square = static_cast<float>(1 / (1 - std::pow(options_.beta2, t)));
  s.clip = static_cast<float>(clipping());
  for (parameter& p : parameters_) {
    s.keep = static_cast<float>(p.value.dim() > 1 ? 1 - rate * options_.weight_decay : 1);
    if (by_own_loops(p.value))
      adam_update(p.value.data_ptr<float>(), p.gradient.data_ptr<float>(), p.mean.data_ptr<float>(),
                  p.square.data_ptr<float>(), p.value.numel(), s);
    else
      update_by_tensors(p.value, p.gradient, p.mean, p.square, s);
  }
}

void adam_w::each_tensor(const std::function<void(torch::Tensor&)>& with) {
  const torch::NoGradGuard no_gradient;
  for (parameter& p : parameters_) {
    torch::Tensor value = p.value.detach();  // of the same numbers
    with(value);
    with(p.mean);
    with(p.square);
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
