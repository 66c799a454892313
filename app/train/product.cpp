#include "app/train/product.h"

#include "lmzip/error.h"

namespace lmzip::train {

using torch::Tensor;

precision precision_of(const std::string& name) {
  if (name == "f32") return precision::f32;
  if (name == "bf16") return precision::bf16;
  throw error(errc::usage, "no precision is called " + name + " (f32, bf16)");
}

Tensor operand(const Tensor& matrix, precision p) {
  return p == precision::bf16 ? matrix.to(torch::kBFloat16) : matrix;
}

Tensor product(const Tensor& rows, const Tensor& weights, precision p) {
  return product_of_operands(operand(rows, p), operand(weights, p).t());
}

Tensor add_product(const Tensor& sum, const Tensor& rows, const Tensor& weights, precision p) {
  return p == precision::f32 ? torch::addmm(sum, rows, weights.t())
                             : sum + product(rows, weights, p);
}

Tensor product_of_operands(const Tensor& a, const Tensor& b) {
  return torch::matmul(a, b).to(torch::kFloat32);
}

void add_product_of_operands(Tensor sum, const Tensor& a, const Tensor& b) {
  if (a.scalar_type() == sum.scalar_type())
    sum.addmm_(a, b);
  else
    sum.add_(torch::mm(a, b));
}

}  // namespace lmzip::train
