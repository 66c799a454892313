#include "bench/checkpoints/model_shape.h"

#include <algorithm>
#include <cmath>

namespace checkpoints {
namespace {

using lmzip::dtype;

struct widths {
  std::uint64_t width = 0, inner = 0, head = 0, context = 0, layers = 0, vocabulary = 0;
};

class model_builder {
 public:
  model_builder(const widths& sizes, dtype weights, bool moments)
      : sizes_(sizes), weights_(weights) {
    const double one_over_root = 1 / std::sqrt(static_cast<double>(sizes.width));
    const std::string embedding = "model.embed_tokens.weight";
    matrix(embedding, sizes.vocabulary, sizes.width, 0.02);
    matrix("lm_head.weight", sizes.vocabulary, sizes.width, 0.02);
    tensors_.back().same_as = embedding;
    for (std::uint64_t i = 0; i < sizes.layers; ++i)
      layer("model.layers." + std::to_string(i) + ".", one_over_root);
    norm("model.norm.weight", 0.1);
    add("model.position_ids", dtype::i64, {1, sizes.context}, filling::positions, 0);
    if (moments) add_moments();
    std::stable_sort(tensors_.begin(), tensors_.end(), [](const auto& a, const auto& b) {
      const unsigned left = lmzip::bits_of(a.type), right = lmzip::bits_of(b.type);
      return left != right ? left > right : a.name < b.name;
    });
  }

  std::vector<made_tensor> tensors() && { return std::move(tensors_); }

 private:
  void add(const std::string& name, dtype type, std::vector<std::uint64_t> shape, filling by,
           double spread) {
    made_tensor t{.name = name, .type = type, .shape = std::move(shape), .by = by};
    t.columns = t.shape.back();
    t.rows = t.shape.size() == 1 ? 1 : t.shape[t.shape.size() - 2];
    t.spread = spread;
    t.same_as = name;
    tensors_.push_back(std::move(t));
  }

  void matrix(const std::string& name, std::uint64_t rows, std::uint64_t columns, double spread) {
    add(name, weights_, {rows, columns}, filling::weights, spread);
  }

  void norm(const std::string& name, double spread) {
    add(name, weights_, {sizes_.width}, filling::norm, spread);
  }

  void layer(const std::string& at, double spread) {
    const std::uint64_t keys = std::max<std::uint64_t>(sizes_.width / 4, 16);
    const double into_residual = 2 * spread / std::sqrt(2.0 * static_cast<double>(sizes_.layers));
    matrix(at + "self_attn.q_proj.weight", sizes_.width, sizes_.width, spread);
    matrix(at + "self_attn.k_proj.weight", keys, sizes_.width, 1.2 * spread);
    matrix(at + "self_attn.v_proj.weight", keys, sizes_.width, 0.7 * spread);
    matrix(at + "self_attn.o_proj.weight", sizes_.width, sizes_.width, into_residual);
    matrix(at + "mlp.gate_proj.weight", sizes_.inner, sizes_.width, 0.8 * spread);
    matrix(at + "mlp.up_proj.weight", sizes_.inner, sizes_.width, 0.8 * spread);
    matrix(at + "mlp.down_proj.weight", sizes_.width, sizes_.inner, into_residual);
    norm(at + "input_layernorm.weight", 0.06);
    norm(at + "post_attention_layernorm.weight", 0.06);
    add(at + "self_attn.rotary_emb.inv_freq", dtype::f32, {sizes_.head / 2}, filling::frequencies,
        0);
    add(at + "self_attn.bias", dtype::boolean, {1, 1, sizes_.context, sizes_.context},
        filling::causal_mask, 0);
  }

  void add_moments() {
    const std::size_t count = tensors_.size();
    for (std::size_t i = 0; i < count; ++i) {
      made_tensor t = tensors_[i];
      if (t.same_as != t.name || (t.by != filling::weights && t.by != filling::norm)) continue;
      t.type = dtype::f32;
      t.by = filling::first_moments;
      t.name = t.same_as = "optimizer.exp_avg." + tensors_[i].name;
      tensors_.push_back(t);
      t.by = filling::second_moments;
      t.name = t.same_as = "optimizer.exp_avg_sq." + tensors_[i].name;
      tensors_.push_back(std::move(t));
    }
  }

  widths sizes_;
  dtype weights_;
  std::vector<made_tensor> tensors_;
};

std::uint64_t bytes_of(const widths& sizes, dtype weights, bool moments) {
  std::uint64_t bytes = 0;
  const auto tensors = model_builder(sizes, weights, moments).tensors();
  for (const made_tensor& t : tensors) bytes += t.rows * t.row_bytes();
  return bytes + safetensors_header(tensors).size();
}

}  // namespace

std::vector<made_tensor> model_of(std::uint64_t file_bytes, dtype weights, bool moments) {
  const std::uint64_t number_bytes = lmzip::bits_of(weights) / 8;
  const double parameters =
      static_cast<double>(file_bytes) / static_cast<double>(number_bytes + (moments ? 8 : 0));
  widths sizes;
  sizes.width =
      std::max<std::uint64_t>(64, static_cast<std::uint64_t>(std::cbrt(8 * parameters)) / 64 * 64);
  sizes.head = sizes.width >= 1024 ? 128 : sizes.width >= 256 ? 64 : 32;
  sizes.inner = (sizes.width * 8 / 3 + 63) / 64 * 64;
  sizes.context = std::min<std::uint64_t>(2048, sizes.width / 2);
  sizes.vocabulary = 256;
  sizes.layers = 1;
  const std::uint64_t one = bytes_of(sizes, weights, moments);
  sizes.layers = 2;
  const std::uint64_t layer = bytes_of(sizes, weights, moments) - one;
  // Layers take most of it, the vocabulary what is left.
  sizes.layers =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(0.88 * static_cast<double>(file_bytes) /
                                                            static_cast<double>(layer)));
  const std::uint64_t without = bytes_of(sizes, weights, moments);
  if (file_bytes > without)
    sizes.vocabulary +=
        (file_bytes - without) / (sizes.width * (2 * number_bytes + (moments ? 8 : 0)));
  return model_builder(sizes, weights, moments).tensors();
}

std::string safetensors_header(const std::vector<made_tensor>& tensors) {
  std::string text = R"({"__metadata__":{"format":"pt"})";
  std::uint64_t at = 0;
  for (const made_tensor& t : tensors) {
    text +=
        ",\"" + t.name + R"(":{"dtype":")" + std::string(lmzip::name_of(t.type)) + R"(","shape":[)";
    for (std::size_t i = 0; i < t.shape.size(); ++i)
      text += (i == 0 ? "" : ",") + std::to_string(t.shape[i]);
    const std::uint64_t end = at + t.rows * t.row_bytes();
    text += R"(],"data_offsets":[)" + std::to_string(at) + "," + std::to_string(end) + "]}";
    at = end;
  }
  text += '}';
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string size;
  for (int i = 0; i < 8; ++i) size += static_cast<char>(text.size() >> 8 * i & 0xff);
  return size + text;
}

}  // namespace checkpoints
