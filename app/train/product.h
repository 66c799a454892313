#pragma once

#include <torch/torch.h>

#include <string>

namespace lmzip::train {

/// What products of matrices work on. Weights, sums and all else are float32 always.
enum class precision { f32, bf16 };

/// Throws error(usage) for anything but "f32" and "bf16".
precision precision_of(const std::string& name);

/// A matrix as products take it.
torch::Tensor operand(const torch::Tensor& matrix, precision p);

/// rows weights^T, with gradients. float32 in and out.
torch::Tensor product(const torch::Tensor& rows, const torch::Tensor& weights, precision p);

/// sum + rows weights^T, with gradients. float32 in and out.
torch::Tensor add_product(const torch::Tensor& sum, const torch::Tensor& rows,
                          const torch::Tensor& weights, precision p);

/// The product of two operands, or of each pair in two batches of them. float32 out.
torch::Tensor product_of_operands(const torch::Tensor& a, const torch::Tensor& b);

/// Adds the product of two operands to `sum`, in place.
void add_product_of_operands(torch::Tensor sum, const torch::Tensor& a, const torch::Tensor& b);

}  // namespace lmzip::train
