#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/train/product.h"

namespace lmzip::train {

/// Shape of a body; what a kind of body does not have is 0.
struct body_shape {
  std::string kind = "recurrent";
  std::int64_t width = 192;
  std::int64_t layers = 1;
  std::int64_t mlp_width = 0;
  std::int64_t heads = 0;    ///< of attention
  std::int64_t context = 0;  ///< tokens that attention reaches back

  bool operator==(const body_shape&) const = default;
};

/// What streams have seen: tensors with one row a stream (or a multiple of rows, stream by stream).
using body_state = std::vector<torch::Tensor>;

/// The part of a language model between embedding and head. Works on windows of T steps of B
/// streams in time-major order: row t * B + b is step t of stream b.
class body : public torch::nn::Module {
 public:
  /// State of streams that have seen nothing.
  virtual body_state start(std::int64_t streams) const = 0;

  /// Maps `rows` [T * B, width] and moves `state` on, without gradient through it.
  virtual torch::Tensor forward(torch::Tensor rows, body_state& state) = 0;

  /// Multiplications a token.
  virtual std::int64_t work() const = 0;
};

/// A matrix whose products with rows of size 1 have the size `gain`, at first.
torch::Tensor random_matrix(std::int64_t rows, std::int64_t columns, double gain);

/// Throws error(usage) for an unknown kind or a shape that it cannot have.
std::shared_ptr<body> make_body(const body_shape& shape, precision products = precision::f32);

}  // namespace lmzip::train
