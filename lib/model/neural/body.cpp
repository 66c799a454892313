#include "model/neural/body.h"

namespace lmzip::model::neural {

body_runner::body_runner(const language_model& model)
    : model_(&model), rows_(model), recurrence_(model), attention_(model) {}

std::uint64_t body_runner::memory(const language_model& model) {
  return batch_rows::memory(model) + recurrence::memory(model) + attention::memory(model) +
         body_state::memory(model);
}

void body_runner::run(std::span<const body_step> steps) {
  const std::size_t batch = steps.size();
  const bool recurrent = model_->kind() == body_kind::recurrent;
  const kernel_table& kernels = rows_.kernels();
  for (std::size_t b = 0; b < batch; ++b) {
    const auto row = model_->embedding(steps[b].symbol);
    kernels.embed(row.numbers, row.factor, row.shift, model_->width(), rows_.residual(b));
  }
  if (!recurrent) attention_.begin(steps);
  for (std::size_t i = 0; i < model_->layers().size(); ++i) {
    if (recurrent)
      recurrence_.add(i, steps, rows_);
    else
      attention_.add(i, steps, rows_);
    if (model_->mlp_width() != 0) add_mlp(model_->layers()[i], batch);
  }
  for (std::size_t b = 0; b < batch; ++b)
    kernels.normalise(rows_.residual(b), model_->width(), steps[b].out);
}

void body_runner::add_mlp(const language_model::layer& layer, std::size_t batch) {
  const kernel_table& kernels = rows_.kernels();
  const int mlp = model_->mlp_width();
  rows_.normalise_residuals(batch);
  rows_.multiply(layer.mlp_in, batch);
  for (std::size_t b = 0; b < batch; ++b) {
    kernels.square(rows_.sums(b), layer.mlp_in, mlp);
    kernels.normalise(rows_.sums(b), mlp, rows_.activations(b));
  }
  rows_.add_product(layer.mlp_out, batch);
}

}  // namespace lmzip::model::neural
