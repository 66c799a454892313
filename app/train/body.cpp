#include "app/train/body.h"

#include <cmath>

#include "app/train/recurrent_body.h"
#include "app/train/transformer_body.h"
#include "lmzip/error.h"

namespace lmzip::train {

std::shared_ptr<body> make_body(const body_shape& shape, precision products) {
  if (shape.width < 8 || shape.width % 8 != 0 || shape.layers < 1 || shape.mlp_width % 8 != 0)
    throw error(errc::usage, "widths are multiples of 8, and there is at least one layer");
  if (shape.kind == "recurrent") return std::make_shared<recurrent_body>(shape, products);
  if (shape.kind == "transformer") return std::make_shared<transformer_body>(shape, products);
  throw error(errc::usage, "no body is called " + shape.kind + " (recurrent, transformer)");
}

torch::Tensor random_matrix(std::int64_t rows, std::int64_t columns, double gain) {
  return torch::randn({rows, columns}) * (gain / std::sqrt(static_cast<double>(columns)));
}

}  // namespace lmzip::train
