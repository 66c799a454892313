#include "app/train/model_import.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/lmzip/model_search.h"
#include "codec/model_file.h"
#include "codec/parameter_file.h"
#include "core/endian.h"
#include "core/io/file.h"
#include "model/neural/fixed_point.h"

namespace lmzip::train {
namespace {

using namespace model::neural;
using torch::Tensor;

/// Numbers of a fixed-point format.
template <class Number>
Tensor real(const std::vector<Number>& numbers, double unit) {
  std::vector<double> values;
  for (const Number number : numbers) values.push_back(number / unit);
  return torch::tensor(values, torch::kFloat64).to(torch::kFloat32);
}

/// Rows whose scales are factor / 2^bits.
Tensor rows_of(const stored_matrix& m, double bits) {
  const auto rows = static_cast<std::int64_t>(m.factors.size());
  const Tensor weights = torch::tensor(m.weights, torch::kInt8).reshape({rows, m.columns});
  std::vector<double> scales;
  for (const std::uint16_t factor : m.factors) scales.push_back(factor / std::exp2(bits));
  const Tensor by_row = torch::tensor(scales, torch::kFloat64).unsqueeze(1);
  return (weights.to(torch::kFloat64) * by_row).to(torch::kFloat32);
}

/// A matrix whose inputs are activations and whose results are 2^unit_bits times what they are.
Tensor product_rows(const stored_matrix& m, double unit_bits) {
  return rows_of(m, low_bits_for(m.columns) + m.shift + unit_bits - activation_bits);
}

class importer {
 public:
  explicit importer(const stored_model& model) : model_(model) {}

  tensor_file run() {
    for (std::size_t i = 0; i < model_.layers.size(); ++i) add_layer(i);
    set("model.embedding", rows_of(model_.embedding, model_.embedding.shift + residual_bits));
    add_head();
    file_.notes["options"] = options();
    return std::move(file_);
  }

 private:
  bool tied() const { return model_.leaf_rows.weights.empty(); }

  void set(const std::string& name, Tensor tensor) { file_.tensors[name] = std::move(tensor); }

  void add_layer(std::size_t number) {
    const stored_layer& layer = model_.layers[number];
    const std::string prefix = "model.body.layer" + std::to_string(number) + "_";
    if (model_.kind == body_kind::transformer) {
      set(prefix + "query", product_rows(layer.query, attention_bits));
      set(prefix + "key_value", product_rows(layer.key_value, attention_bits));
    } else {
      set(prefix + "shift_now", real(layer.shift_now, 1 << shift_bits));
      set(prefix + "shift_before", real(layer.shift_before, 1 << shift_bits));
      set(prefix + "in", product_rows(layer.in, gate_bits));
      set(prefix + "bias", real(layer.bias, 1 << gate_bits));
    }
    set(prefix + "out", product_rows(layer.out, residual_bits));
    if (layer.mlp_in.factors.empty()) return;
    set(prefix + "mlp_in", product_rows(layer.mlp_in, mlp_bits));
    set(prefix + "mlp_out", product_rows(layer.mlp_out, residual_bits));
  }

  // Logits have base 2 in the file and base e here.
  void add_head() {
    const double log2_e = 1 / std::log(2.0), base_bits = std::log2(log2_e);
    const double bias_unit = (1 << bias_bits) * log2_e;
    set("model.head.class_rows", product_rows(model_.class_rows, logit_bits + base_bits));
    set("model.head.class_biases", real(model_.class_biases, bias_unit));
    if (!tied())
      set("model.head.leaf_rows", product_rows(model_.leaf_rows, logit_bits + base_bits));
    set("model.head.leaf_biases", real(model_.leaf_biases, bias_unit));
    const std::vector<std::int64_t> starts(model_.class_starts.begin(), model_.class_starts.end());
    set("classes", torch::tensor(starts));
  }

  std::string options() const {
    const bool recurrent = model_.kind == body_kind::recurrent;
    return nlohmann::json{{"body", recurrent ? "recurrent" : "transformer"},
                          {"width", model_.width},
                          {"layers", model_.layers.size()},
                          {"mlp", model_.layers.front().mlp_in.factors.size()},
                          {"heads", model_.heads},
                          {"context", model_.context},
                          {"classes", model_.class_starts.size()},
                          {"tied", tied()}}
        .dump();
  }

  const stored_model& model_;
  tensor_file file_;
};

bool begins_as_model(const std::string& path) {
  io::file file = io::file::open_for_reading(path, true);
  std::array<std::byte, 4> begin{};
  return file.status().kind == io::file_kind::regular && file.read_at(0, begin) == begin.size() &&
         load_le<std::uint32_t>(begin.data()) ==
             static_cast<std::uint32_t>(codec::file_magic::model);
}

}  // namespace

tensor_file float_weights(const stored_model& model) { return importer(model).run(); }

bool names_model(const std::string& name) {
  return io::status_of(name, true) ? begins_as_model(name) : app::is_start_of_id(name);
}

tensor_file read_weights(const std::string& name) {
  if (!names_model(name)) return tensor_file::read(name);
  const auto file = app::file_of_model(app::named_model(name), name);
  return float_weights(codec::read_model_numbers(file));
}

}  // namespace lmzip::train
