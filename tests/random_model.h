#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "model/neural/language_model.h"

// A network with weights by chance, for tests: untrained, but every part of it does something.
namespace lmzip::test {

struct model_shape {
  std::uint32_t leaves = 300;
  int width = 32;
  int layers = 2;
  int mlp = 48;
  std::uint32_t classes = 10;
  bool tied = false;
  int heads = 0;  ///< of a transformer; 0: a recurrent network
  int context = 0;
};

class model_maker {
 public:
  explicit model_maker(unsigned seed) : random_(seed) {}

  model::neural::stored_model make(const model_shape& shape) {
    model::neural::stored_model m;
    m.width = shape.width;
    if (shape.heads != 0) m.kind = model::neural::body_kind::transformer;
    m.heads = shape.heads;
    m.context = shape.context;
    for (std::uint32_t k = 0; k < shape.classes; ++k)
      m.class_starts.push_back(static_cast<std::uint16_t>(shape.leaves * k / shape.classes));
    m.embedding = matrix(shape.leaves + 1, shape.width, 8, 300);
    for (int i = 0; i < shape.layers; ++i) m.layers.push_back(layer(shape));
    m.class_rows = matrix(shape.classes, shape.width, 8, 3000);
    m.class_biases = numbers<std::int32_t>(shape.classes, 100000);
    m.leaf_rows = matrix(shape.leaves, shape.width, 8, 3000);
    if (shape.tied) m.leaf_rows.weights.clear();
    m.leaf_biases = numbers<std::int32_t>(shape.leaves, 100000);
    return m;
  }

 private:
  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
  }

  template <class Number>
  std::vector<Number> numbers(std::size_t count, int largest) {
    std::vector<Number> values(count);
    for (Number& value : values) value = static_cast<Number>(between(-largest, largest));
    return values;
  }

  model::neural::stored_matrix matrix(std::size_t rows, int columns, int shift, int factor) {
    model::neural::stored_matrix m;
    m.columns = columns;
    m.shift = shift;
    for (std::size_t i = 0; i < rows; ++i)
      m.factors.push_back(static_cast<std::uint16_t>(between(factor / 2, factor)));
    m.weights = numbers<std::int8_t>(rows * static_cast<std::size_t>(columns), 127);
    return m;
  }

  model::neural::stored_layer layer(const model_shape& shape) {
    const auto d = static_cast<std::size_t>(shape.width);
    model::neural::stored_layer l;
    if (shape.heads != 0) {
      l.query = matrix(d, shape.width, 6, 500);
      l.key_value = matrix(2 * d, shape.width, 6, 500);
    } else {
      l.shift_now = numbers<std::int16_t>(d, 5000);
      l.shift_before = numbers<std::int16_t>(d, 3000);
      l.in = matrix(3 * d, shape.width, 6, 400);
      l.bias = numbers<std::int32_t>(3 * d, 3000);
    }
    l.out = matrix(d, shape.width, 6, 1000);
    if (shape.mlp == 0) return l;
    l.mlp_in = matrix(static_cast<std::size_t>(shape.mlp), shape.width, 8, 1000);
    l.mlp_out = matrix(d, shape.mlp, 6, 1000);
    return l;
  }

  std::mt19937 random_;
};

inline model::neural::stored_model random_model(const model_shape& shape, unsigned seed = 1) {
  return model_maker(seed).make(shape);
}

}  // namespace lmzip::test
