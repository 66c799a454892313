#include <algorithm>

#include "codec/model_file.h"
#include "codec/parameter_file.h"
#include "lmzip/error.h"
#include "vocab/shipped.h"

namespace lmzip::codec {
namespace {

using model::neural::body_kind;
using model::neural::stored_layer;
using model::neural::stored_matrix;
using model::neural::stored_model;

template <class Number>
void append_planes(std::vector<std::uint8_t>& to, const std::vector<Number>& numbers) {
  for (std::size_t b = 0; b < sizeof(Number); ++b)
    for (const Number number : numbers)
      to.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(number) >> (8 * b)));
}

class model_writer {
 public:
  model_writer(const stored_model& stored, const model_facts& facts) {
    add_about(stored, facts);
    add("classes", stored.class_starts);
    add("embed", stored.embedding);
    for (std::size_t i = 0; i < stored.layers.size(); ++i)
      add_layer(stored.kind, stored.layers[i], i);
    add("class", stored.class_rows);
    add("classb", stored.class_biases);
    add("leaf", stored.leaf_rows);
    add("leafb", stored.leaf_biases);
  }

  std::vector<std::byte> file() const { return pack_parameter_file(sections_, file_magic::model); }

 private:
  void add_about(const stored_model& stored, const model_facts& facts) {
    std::vector<std::uint8_t> values;
    const auto word = [&](std::size_t value) {
      values.push_back(static_cast<std::uint8_t>(value));
      values.push_back(static_cast<std::uint8_t>(value >> 8));
    };
    word(detail::model_format);
    values.push_back(static_cast<std::uint8_t>(stored.kind));
    values.push_back(stored.leaf_rows.weights.empty() ? 1 : 0);
    word(static_cast<std::size_t>(stored.width));
    word(stored.layers.size());
    word(stored.layers.front().mlp_in.factors.size());
    word(stored.class_starts.size());
    for (const hash256* hash : {&facts.vocabulary, &facts.check})
      for (const std::byte b : *hash) values.push_back(std::to_integer<std::uint8_t>(b));
    if (stored.kind == body_kind::transformer) {
      word(static_cast<std::size_t>(stored.heads));
      word(static_cast<std::size_t>(stored.context));
    }
    values.insert(values.end(), facts.description.begin(), facts.description.end());
    sections_.push_back({"about", std::move(values)});
  }

  void add_layer(body_kind kind, const stored_layer& layer, std::size_t number) {
    const auto name = [number](const char* part) { return part + std::to_string(number); };
    if (kind == body_kind::transformer) {
      add(name("query"), layer.query);
      add(name("kv"), layer.key_value);
    } else {
      std::vector<std::int16_t> shifts = layer.shift_now;
      shifts.insert(shifts.end(), layer.shift_before.begin(), layer.shift_before.end());
      add(name("shift"), shifts);
      add(name("bias"), layer.bias);
      add(name("in"), layer.in);
    }
    add(name("out"), layer.out);
    if (layer.mlp_in.factors.empty()) return;
    add(name("mlpi"), layer.mlp_in);
    add(name("mlpo"), layer.mlp_out);
  }

  template <class Number>
  void add(const std::string& name, const std::vector<Number>& numbers) {
    sections_.push_back({name, {}});
    append_planes(sections_.back().values, numbers);
  }

  void add(const std::string& name, const stored_matrix& matrix) {
    sections_.push_back({name, {static_cast<std::uint8_t>(matrix.shift)}});
    append_planes(sections_.back().values, matrix.factors);
    append_planes(sections_.back().values, matrix.weights);
  }

  std::vector<parameter_section> sections_;
};

}  // namespace

std::vector<std::byte> pack_model(const stored_model& stored, model_facts facts) {
  const model::neural::language_model network(stored);
  facts.vocabulary = vocab::shipped_vocabulary().content_hash();
  facts.check = model_check_hash(network);
  if (facts.description.size() > detail::max_description)
    throw error(errc::usage, "the description is longer than 200 bytes");
  std::replace(facts.description.begin(), facts.description.end(), '\n', ' ');
  auto file = model_writer(stored, facts).file();
  read_model(file);  // what no reader takes is not written
  return file;
}

}  // namespace lmzip::codec
