#include "codec/brevis/production.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lmzip::codec::brevis {
namespace {

constexpr std::array<std::string_view, production_count> names = {
    "constant",  "ramp",    "related", "gathered", "sum",    "near", "band",   "tile",
    "broadcast", "formula", "narrow",  "palette",  "sparse", "grid", "planes", "leaf"};

// The first that a name contains decides.
constexpr std::array<std::pair<std::string_view, name_class>, 44> parts_of_names = {{
    {"exp_avg_sq", name_class::second_moment},
    {"exp_avg", name_class::first_moment},
    {"inv_freq", name_class::rotary},
    {"rotary", name_class::rotary},
    {"rope", name_class::rotary},
    {"cos_cached", name_class::rotary},
    {"sin_cached", name_class::rotary},
    {"position_ids", name_class::mask},
    {"relative_position", name_class::mask},
    {"masked_bias", name_class::mask},
    {"attn.bias", name_class::mask},
    {"mask", name_class::mask},
    {"zero_point", name_class::scale},
    {"qzeros", name_class::scale},
    {"scales", name_class::scale},
    {"scale", name_class::scale},
    {"num_batches_tracked", name_class::step},
    {"step", name_class::step},
    {"running_mean", name_class::norm},
    {"running_var", name_class::norm},
    {"bias", name_class::bias},
    {"norm", name_class::norm},
    {"ln_", name_class::norm},
    {"gamma", name_class::norm},
    {"beta", name_class::norm},
    {"embed", name_class::embedding},
    {"lm_head", name_class::embedding},
    {"wte", name_class::embedding},
    {"wpe", name_class::embedding},
    {"token_embd", name_class::embedding},
    {"attn", name_class::attention},
    {"attention", name_class::attention},
    {"q_proj", name_class::attention},
    {"k_proj", name_class::attention},
    {"v_proj", name_class::attention},
    {"o_proj", name_class::attention},
    {"qkv", name_class::attention},
    {"mlp", name_class::mlp},
    {"ffn", name_class::mlp},
    {"feed_forward", name_class::mlp},
    {"_proj", name_class::mlp},
    {"fc", name_class::mlp},
    {"conv", name_class::convolution},
    {"kernel", name_class::convolution},
}};

}  // namespace

std::string_view name_of(production what) noexcept { return names[static_cast<unsigned>(what)]; }

name_class class_of_name(std::string_view name) noexcept {
  for (const auto& [part, what] : parts_of_names)
    if (name.find(part) != std::string_view::npos) return what;
  return name_class::other;
}

production_context context_of(const tensor_type& type, name_class name) noexcept {
  const auto width = static_cast<unsigned>(std::bit_width(type.elements()));
  return {type.type, static_cast<unsigned>(std::min<std::size_t>(type.shape.size(), 3)),
          std::min(width / 3, 7U), name};
}

}  // namespace lmzip::codec::brevis
