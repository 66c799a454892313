#include "model/neural/body_state.h"

namespace lmzip::model::neural {
namespace {

std::size_t numbers_of(const language_model& model, body_kind kind) {
  return model.kind() == kind ? model.layers().size() * static_cast<std::size_t>(model.width()) : 0;
}

}  // namespace

recurrent_state::recurrent_state(const language_model& model)
    : width_(static_cast<std::size_t>(model.width())),
      hidden_(numbers_of(model, body_kind::recurrent)),
      before_(hidden_.size()) {}

attention_state::attention_state(const language_model& model)
    : context_(model.context()),
      ring_(static_cast<std::size_t>(context_) * static_cast<std::size_t>(model.width())),
      keys_(numbers_of(model, body_kind::transformer) * static_cast<std::size_t>(context_)),
      values_(keys_.size()) {}

attention_state::place attention_state::next_place() noexcept {
  const place here = next_;
  ++next_.position;
  next_.slot = next_.slot + 1 == static_cast<std::size_t>(context_) ? 0 : next_.slot + 1;
  if (next_.tokens < context_) ++next_.tokens;
  return here;
}

std::uint64_t body_state::memory(const language_model& model) {
  constexpr std::uint64_t recurrent_bytes = 5, ring_bytes = 4;
  return recurrent_bytes * numbers_of(model, body_kind::recurrent) +
         ring_bytes * numbers_of(model, body_kind::transformer) *
             static_cast<std::uint64_t>(model.context());
}

}  // namespace lmzip::model::neural
