#include "model/neural/recurrence.h"

namespace lmzip::model::neural {

recurrence::recurrence(const language_model& model)
    : model_(&model),
      outputs_(static_cast<std::size_t>(model.width())),
      normal_(static_cast<std::size_t>(model.width())) {}

std::uint64_t recurrence::memory(const language_model& model) {
  return 8 * static_cast<std::uint64_t>(model.width());
}

void recurrence::add(std::size_t number, std::span<const body_step> steps,
                     batch_rows& rows) noexcept {
  const language_model::layer& layer = model_->layers()[number];
  const kernel_table& kernels = rows.kernels();
  const int width = model_->width();
  for (std::size_t b = 0; b < steps.size(); ++b) {
    kernels.normalise(rows.residual(b), width, normal_.data());
    kernels.shift(layer.shift_now.data(), layer.shift_before.data(), normal_.data(),
                  steps[b].state->recurrent.before(number), width, rows.activations(b));
  }
  rows.multiply(layer.in, steps.size());
  for (std::size_t b = 0; b < steps.size(); ++b) {
    kernels.recur(rows.sums(b), layer.in, layer.bias.data(), width,
                  steps[b].state->recurrent.hidden(number), outputs_.data());
    kernels.normalise(outputs_.data(), width, rows.activations(b));
  }
  rows.add_product(layer.out, steps.size());
}

}  // namespace lmzip::model::neural
