#include "model/neural/attention.h"

#include <algorithm>

#include "model/neural/function_tables.h"

namespace lmzip::model::neural {
namespace {

/// log2(e) / sqrt(channels) / 4 in units of 2^-17, rounded: from a product in Q12 to Q10. Below
/// 2^15 for 8 channels and more.
std::int32_t logit_factor(int channels) {
  constexpr std::uint64_t inverse_ln_2 = 47274;  // Q15
  const std::uint64_t square =
      4 * inverse_ln_2 * inverse_ln_2 / static_cast<std::uint64_t>(channels);
  return static_cast<std::int32_t>((square_root(square) + 1) / 2);
}

/// Steps of the table of sines in a turn are its highest bits.
constexpr std::uint32_t index_of(std::uint32_t phase) {
  constexpr int bits = 20;
  static_assert(std::uint64_t{function_tables::steps} << bits == std::uint64_t{1} << 32);
  return (phase + (std::uint32_t{1} << (bits - 1))) >> bits;
}

std::size_t pairs_of(const language_model& model) {
  return model.kind() == body_kind::transformer ? static_cast<std::size_t>(model.channels() / 2)
                                                : 0;
}

std::size_t width_of(const language_model& model) {
  return model.kind() == body_kind::transformer ? static_cast<std::size_t>(model.width()) : 0;
}

}  // namespace

std::uint32_t turn_of_pair(std::uint32_t pair, std::uint32_t pairs) noexcept {
  constexpr std::uint64_t log2_base = 13933176;  // log2(10000), Q20
  constexpr std::uint64_t radian = 683565276;    // 2^32 / (2 pi)
  const std::uint64_t power = (pair * log2_base + pairs / 2) / pairs;
  // 2^-power between two entries of a table.
  const auto entry = static_cast<std::size_t>(power >> 10 & 1023);
  const auto high = static_cast<std::uint64_t>(functions.exp2[entry]);
  const std::uint64_t low = entry == 1023 ? std::uint64_t{1} << (mass_bits - 1)
                                          : static_cast<std::uint64_t>(functions.exp2[entry + 1]);
  const std::uint64_t value = (high << 10) - (high - low) * (power & 1023);  // Q30
  return static_cast<std::uint32_t>((radian * value) >> (mass_bits + 10 + (power >> 20)));
}

attention::attention(const language_model& model)
    : model_(&model),
      shape_{model.heads(), model.channels(), model.context(), 0},
      angles_(max_batch * 2 * pairs_of(model)),
      queries_(max_batch * width_of(model)),
      row_(width_of(model)),
      mixed_(width_of(model)) {
  const auto pairs = static_cast<std::uint32_t>(pairs_of(model));
  for (std::uint32_t i = 0; i < pairs; ++i) turns_.push_back(turn_of_pair(i, pairs));
  if (pairs != 0) shape_.factor = logit_factor(shape_.channels);
}

std::uint64_t attention::memory(const language_model& model) {
  const std::uint64_t pairs = pairs_of(model), width = width_of(model);
  return max_batch * (2 * width + 4 * pairs) + 6 * width + 4 * pairs;
}

rotation attention::angles(std::size_t b) const noexcept {
  const std::int16_t* const cosines = angles_.data() + b * 2 * turns_.size();
  return {cosines, cosines + turns_.size()};
}

void attention::begin(std::span<const body_step> steps) noexcept {
  constexpr std::uint32_t quarter = function_tables::steps / 4;
  std::int16_t* to = angles_.data();
  for (std::size_t b = 0; b < steps.size(); ++b, to += 2 * turns_.size()) {
    places_[b] = steps[b].state->attention.next_place();
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      const std::uint32_t index = index_of(places_[b].position * turns_[i]);
      to[i] = functions.sine[(index + quarter) % function_tables::steps];
      to[turns_.size() + i] = functions.sine[index % function_tables::steps];
    }
  }
}

void attention::add(std::size_t number, std::span<const body_step> steps,
                    batch_rows& rows) noexcept {
  const language_model::layer& layer = model_->layers()[number];
  const kernel_table& kernels = rows.kernels();
  const int width = model_->width();
  rows.normalise_residuals(steps.size());
  rows.multiply(layer.query, steps.size());
  for (std::size_t b = 0; b < steps.size(); ++b) {
    kernels.narrow(rows.sums(b), layer.query.factors.data(), layer.query.scale, width, query(b));
    kernels.turn(query(b), shape_, angles(b));
  }
  rows.multiply(layer.key_value, steps.size());
  for (std::size_t b = 0; b < steps.size(); ++b) {
    // Takes the place of the token that is too far back now; the steps before have seen it.
    attention_state& state = steps[b].state->attention;
    remember(layer.key_value, b, rows, state.keys(number), state.values(number));
    kernels.attend(shape_, query(b), state.keys(number), state.values(number), places_[b].tokens,
                   mixed_.data());
    kernels.normalise(mixed_.data(), width, rows.activations(b));
  }
  rows.add_product(layer.out, steps.size());
}

/// Writes key and value of step `b`, whose sums there are, to the rings of a layer.
void attention::remember(const scaled_matrix& matrix, std::size_t b, batch_rows& rows,
                         std::int16_t* keys, std::int16_t* values) noexcept {
  const kernel_table& kernels = rows.kernels();
  const int width = model_->width();
  const std::int32_t* const sums = rows.sums(b);
  const std::int32_t* const factors = matrix.factors.data();
  kernels.narrow(sums, factors, matrix.scale, width, row_.data());
  kernels.turn(row_.data(), shape_, angles(b));
  store_row(places_[b].slot, keys);
  kernels.narrow(sums + width, factors + width, matrix.scale, width, row_.data());
  store_row(places_[b].slot, values);
}

/// Writes the row that was made to a slot of the rings of all heads.
void attention::store_row(std::size_t slot, std::int16_t* rings) const noexcept {
  const auto channels = static_cast<std::size_t>(shape_.channels);
  const std::size_t ring = static_cast<std::size_t>(shape_.context) * channels;
  rings += slot * channels;
  for (std::size_t at = 0; at < row_.size(); at += channels, rings += ring)
    std::copy_n(row_.data() + at, channels, rings);
}

}  // namespace lmzip::model::neural
