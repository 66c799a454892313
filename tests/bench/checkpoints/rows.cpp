#include "bench/checkpoints/rows.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include "bench/checkpoints/random_numbers.h"
#include "codec/delta/cast.h"

namespace checkpoints {
namespace {

using lmzip::dtype;

constexpr std::string_view moment_names[] = {"optimizer.exp_avg_sq.", "optimizer.exp_avg."};

/// The name of the weights that a moment is of.
std::string_view weights_of(std::string_view name) {
  for (const std::string_view moment : moment_names)
    if (name.starts_with(moment)) name.remove_prefix(moment.size());
  return name;
}

/// A mild spread, and one column in 500 far out.
std::vector<float> column_scales(std::uint64_t key, std::uint64_t columns) {
  std::vector<float> scales(columns);
  for (std::uint64_t i = 0; i < columns; ++i) {
    const std::uint64_t hash = mixed(key ^ (i * 0x9e37 + 77));
    scales[i] = static_cast<float>(std::exp(0.08 * normal_of(hash))) * (hash % 500 == 0 ? 4 : 1);
  }
  return scales;
}

/// Half of the last place of numbers of a type, over the power of two below them.
float half_place(dtype type) noexcept {
  if (type == dtype::bf16) return 0x1p-8F;
  return type == dtype::f16 ? 0x1p-11F : 0;
}

float power_below(float x) noexcept {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7f800000);
}

}  // namespace

row_maker::row_maker(const made_tensor& t, std::uint64_t seed)
    : tensor_(t), seed_(mixed(seed)), key_(seed_ ^ key_of(t.same_as)) {
  if (t.by == filling::weights)
    tensor_scale_ = static_cast<float>(std::exp(0.25 * normal_of(key_ ^ 5)));
  tensor_scale_ *= static_cast<float>(t.spread);
  if (t.spread > 0) {
    column_scales_ = column_scales(seed_ ^ key_of(weights_of(t.same_as)), t.columns);
    bits_.resize(t.columns);
    normal_.resize(t.columns);
    values_.resize(t.columns);
  }
}

void row_maker::fill_normal(std::uint64_t key) {
  random_bits(mixed(key)).fill(bits_);
  to_normal(bits_, normal_);
}

void row_maker::store(std::span<std::byte> out) {
  if (tensor_.type == dtype::f32)
    std::memcpy(out.data(), values_.data(), out.size());
  else
    lmzip::codec::delta::cast(dtype::f32, reinterpret_cast<const std::byte*>(values_.data()),
                              values_.size(), tensor_.type, out.data());
}

void row_maker::make(std::uint64_t row, std::span<std::byte> out) {
  switch (tensor_.by) {
    case filling::causal_mask:
      for (std::uint64_t i = 0; i < out.size(); ++i) out[i] = std::byte(i <= row);
      return;
    case filling::positions:
      for (std::uint64_t i = 0; i < tensor_.columns; ++i) std::memcpy(&out[8 * i], &i, 8);
      return;
    case filling::frequencies:
      for (std::uint64_t i = 0; i < tensor_.columns; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(tensor_.columns);
        const auto frequency = static_cast<float>(1 / std::pow(10000.0, share));
        std::memcpy(&out[4 * i], &frequency, 4);
      }
      return;
    default:
      make_numbers(row, out);
  }
}

void row_maker::make_numbers(std::uint64_t row, std::span<std::byte> out) {
  const std::uint64_t key = key_ + row * 0x100000001b3;
  const float scale = tensor_scale_ * static_cast<float>(std::exp(0.18 * normal_of(key ^ 9)));
  fill_normal(key);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const float column = column_scales_[i], noise = normal_[i];
    switch (tensor_.by) {
      case filling::norm:
        values_[i] = 1 + tensor_scale_ * noise;
        break;
      case filling::first_moments:
        values_[i] = 3e-3F * scale * column * noise;
        break;
      case filling::second_moments: {
        const float wave = 0.25F * noise;
        values_[i] = 1e-4F * scale * scale * column * column * (1 + wave + wave * wave);
        break;
      }
      default:
        values_[i] = scale * column * noise;
    }
  }
  store(out);
}

void row_maker::train(std::uint64_t row, std::span<const std::byte> before, const training_step& by,
                      std::span<std::byte> out) {
  const std::uint64_t key = key_ + row * 0x100000001b3;
  const bool is_token = tensor_.same_as == "model.embed_tokens.weight";
  const bool rests = is_token && static_cast<double>(mixed(key ^ 14) >> 11) * 0x1p-53 > by.touched;
  if (tensor_.by == filling::same_as_before_step || rests) {
    std::memcpy(out.data(), before.data(), out.size());
    return;
  }
  if (tensor_.type == dtype::f32)
    std::memcpy(values_.data(), before.data(), before.size());
  else
    lmzip::codec::delta::cast(tensor_.type, before.data(), values_.size(), dtype::f32,
                              reinterpret_cast<std::byte*>(values_.data()));
  const auto update =
      static_cast<float>(tensor_.spread * by.update * std::exp(0.3 * normal_of(key ^ 11)));
  fill_normal(key);
  random_bits(mixed(key ^ 13)).fill(bits_);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    float& x = values_[i];
    if (tensor_.by == filling::second_moments) {
      x *= 1 + 0.1F * normal_[i];
    } else if (tensor_.by == filling::first_moments) {
      x = 0.1F * x + static_cast<float>(tensor_.spread) * normal_[i];
    } else {
      const float share = static_cast<float>(bits_[i] >> 8) * 0x1p-23F - 1;  // from -1 to 1
      x += share * half_place(tensor_.type) * power_below(x) * 0.999F + update * normal_[i];
    }
  }
  store(out);
}

}  // namespace checkpoints
