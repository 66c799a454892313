#include "app/train/model_export.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/train/checkpoint.h"
#include "lmzip/error.h"
#include "model/neural/fixed_point.h"

namespace lmzip::train {
namespace {

using namespace model::neural;
using torch::Tensor;

const double log2_e = 1 / std::log(2.0);

/// One step of an activation.
constexpr double activation_step = 1.0 / (1 << activation_bits);

/// Rows as int8 with the largest weight of each at ±127, and the scale of each.
struct rounded_rows {
  std::vector<std::int8_t> weights;
  std::vector<double> scales;
  int columns;
};

rounded_rows round_rows(const Tensor& matrix) {
  const Tensor values = matrix.to(torch::kFloat64);
  const Tensor scales = values.abs().amax(1).clamp_min(1e-6) / activation_bound;
  const Tensor whole = (values / scales.unsqueeze(1)).round().to(torch::kInt8).contiguous();
  const Tensor flat = scales.contiguous();
  const auto* w = whole.data_ptr<std::int8_t>();
  const auto* s = flat.data_ptr<double>();
  return {{w, w + whole.numel()}, {s, s + flat.numel()}, static_cast<int>(matrix.size(1))};
}

/// Writes factors and shift such that value * factor / 2^(low_bits + shift) is value * multiplier.
void set_scales(stored_matrix& m, const std::vector<double>& multipliers, int low_bits) {
  const double largest = std::max(*std::max_element(multipliers.begin(), multipliers.end()), 1e-9);
  constexpr int most = 24;
  m.shift =
      std::clamp(static_cast<int>(std::floor(std::log2(32767 / largest))) - low_bits, 1, most);
  for (const double multiplier : multipliers)
    m.factors.push_back(static_cast<std::uint16_t>(
        std::clamp(std::nearbyint(std::ldexp(multiplier, m.shift + low_bits)), 0.0, 32767.0)));
}

/// A matrix whose inputs are activations and whose results are `unit` times what they are.
stored_matrix product_matrix(const Tensor& matrix, double unit) {
  rounded_rows rows = round_rows(matrix);
  for (double& scale : rows.scales) scale *= unit * activation_step;
  stored_matrix m{rows.columns, 1, {}, std::move(rows.weights)};
  set_scales(m, rows.scales, low_bits_for(rows.columns));
  return m;
}

stored_matrix embedding_matrix(const Tensor& matrix) {
  rounded_rows rows = round_rows(matrix);
  for (double& scale : rows.scales) scale *= 1 << residual_bits;
  stored_matrix m{rows.columns, 1, {}, std::move(rows.weights)};
  set_scales(m, rows.scales, 0);
  return m;
}

template <class Number>
std::vector<Number> fixed(const Tensor& values, double unit) {
  const Tensor wide = values.to(torch::kFloat64).contiguous();
  std::vector<Number> numbers;
  for (std::int64_t i = 0; i < wide.numel(); ++i) {
    constexpr double most = std::is_same_v<Number, std::int16_t> ? 32767 : 1 << 24;
    numbers.push_back(static_cast<Number>(
        std::clamp(std::nearbyint(wide.data_ptr<double>()[i] * unit), -most, most)));
  }
  return numbers;
}

/// What attention gives does not change if queries of a head are multiplied by a number and its
/// keys divided by it, nor if all values are multiplied: of all such matrices, those whose results
/// fit their formats best.
struct attention_matrices {
  Tensor query, key_value;
};

attention_matrices fitted(const Tensor& query, const Tensor& key_value, std::int64_t heads) {
  constexpr double value_size = 2;  // rms of the largest values; their bound is 32
  const auto size_by_head = [heads](const Tensor& m) {
    return m.reshape({heads, -1}).norm(2, 1).clamp_min(1e-6);
  };
  const std::int64_t width = query.size(1);
  const Tensor key = key_value.narrow(0, 0, width), value = key_value.narrow(0, width, width);
  const Tensor balance = (size_by_head(key) / size_by_head(query))
                             .sqrt()
                             .repeat_interleave(width / heads)
                             .unsqueeze(1);
  const Tensor largest = value.norm(2, 1).amax().clamp_min(1e-6);
  return {query * balance, torch::cat({key / balance, value * (value_size / largest)})};
}

/// What the token shift is multiplied by, and the matrix after it divided, so that its results use
/// the range of activations: as trained they may be so small that rounding them is most of what the
/// integer model loses. A power of two that leaves them a size of 1.6 at most, a fifth of the
/// range.
double spreading(const Tensor& now, const Tensor& before) {
  const double size = (now.square() + before.square()).mean().sqrt().item<double>();
  return std::exp2(std::clamp(std::floor(std::log2(1.6 / std::max(size, 1e-3))), 0.0, 3.0));
}

class exporter {
 public:
  explicit exporter(const tensor_file& checkpoint)
      : file_(checkpoint), options_(nlohmann::json::parse(checkpoint.note("options"))) {}

  stored_model run() {
    const body_shape body = shape_in(file_).body;
    if (!has_integer_form(body))
      throw error(errc::usage,
                  "only models whose heads have a multiple of 8 channels and whose context has at "
                  "most 1024 tokens can be exported");
    stored_model m;
    m.width = static_cast<int>(body.width);
    if (body.kind == "transformer") {
      m.kind = body_kind::transformer;
      m.heads = static_cast<int>(body.heads);
      m.context = static_cast<int>(body.context);
    }
    const Tensor first = tensor("classes");
    for (std::int64_t k = 0; k < first.numel(); ++k)
      m.class_starts.push_back(static_cast<std::uint16_t>(first[k].item<std::int64_t>()));
    m.embedding = embedding_matrix(tensor("model.embedding"));
    for (int i = 0; i < options_.at("layers").get<int>(); ++i) m.layers.push_back(layer(m, i));
    const double unit = (1 << logit_bits) * log2_e, bias_unit = (1 << bias_bits) * log2_e;
    m.class_rows = product_matrix(tensor("model.head.class_rows"), unit);
    m.class_biases = fixed<std::int32_t>(tensor("model.head.class_biases"), bias_unit);
    const bool tied = options_.value("tied", false);
    const Tensor embedding = tensor("model.embedding");
    m.leaf_rows = product_matrix(
        tied ? embedding.narrow(0, 0, embedding.size(0) - 1) : tensor("model.head.leaf_rows"),
        unit);
    if (tied) m.leaf_rows.weights.clear();
    m.leaf_biases = fixed<std::int32_t>(tensor("model.head.leaf_biases"), bias_unit);
    return m;
  }

 private:
  Tensor tensor(const std::string& name) const {
    const auto found = file_.tensors.find(name);
    if (found == file_.tensors.end())
      throw error(errc::damaged, "the checkpoint has no tensor " + name);
    return found->second;
  }

  stored_layer layer(const stored_model& m, int number) const {
    const auto part = [&](const char* name) {
      return tensor("model.body.layer" + std::to_string(number) + "_" + name);
    };
    constexpr double gate_unit = 1 << gate_bits, attention_unit = 1 << attention_bits,
                     residual_unit = 1 << residual_bits, mlp_unit = 1 << mlp_bits;
    stored_layer l;
    if (m.kind == body_kind::transformer) {
      const auto matrices = fitted(part("query"), part("key_value"), m.heads);
      l.query = product_matrix(matrices.query, attention_unit);
      l.key_value = product_matrix(matrices.key_value, attention_unit);
    } else {
      const double spread = spreading(part("shift_now"), part("shift_before"));
      const double shift_unit = spread * (1 << shift_bits);
      l.shift_now = fixed<std::int16_t>(part("shift_now"), shift_unit);
      l.shift_before = fixed<std::int16_t>(part("shift_before"), shift_unit);
      l.in = product_matrix(part("in"), gate_unit / spread);
      l.bias = fixed<std::int32_t>(part("bias"), gate_unit);
    }
    l.out = product_matrix(part("out"), residual_unit);
    if (m.kind == body_kind::recurrent && options_.at("mlp").get<int>() == 0) return l;
    l.mlp_in = product_matrix(part("mlp_in"), mlp_unit);
    l.mlp_out = product_matrix(part("mlp_out"), residual_unit);
    return l;
  }

  const tensor_file& file_;
  nlohmann::json options_;
};

}  // namespace

bool has_integer_form(const body_shape& body) {
  if (body.kind != "transformer") return true;
  return body.heads >= 1 && body.width % (body.heads * channel_step) == 0 &&
         body.context <= max_context;
}

stored_model integer_model(const tensor_file& checkpoint) {
  try {
    return exporter(checkpoint).run();
  } catch (const nlohmann::json::exception&) {
    throw error(errc::damaged, "the checkpoint does not say what it is of");
  }
}

}  // namespace lmzip::train
