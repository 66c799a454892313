#include "app/train/body.h"

#include "app/train/recurrent_body.h"
#include "lmzip/error.h"

namespace lmzip::train {

std::shared_ptr<body> make_body(const body_shape& shape) {
  if (shape.width < 8 || shape.width % 8 != 0 || shape.layers < 1 || shape.mlp_width % 8 != 0)
    throw error(errc::usage, "widths are multiples of 8, and there is at least one layer");
  if (shape.kind == "recurrent") return std::make_shared<recurrent_body>(shape);
  throw error(errc::usage, "no body is called " + shape.kind + " (recurrent)");
}

torch::Tensor normalise(const torch::Tensor& rows) {
  const torch::Tensor scale = torch::rsqrt(rows.square().mean(1, true) + 1e-6);
  return (rows * scale).clamp(-activation_bound, activation_bound);
}

}  // namespace lmzip::train
