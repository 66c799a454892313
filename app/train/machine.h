#pragma once

namespace lmzip::train {

/// Keeps freed memory in the process: giving tensors of some megabytes back to the kernel at every
/// step costs a tenth of the time of training.
void keep_freed_memory() noexcept;

/// Thousand millions of operations a second in a product of matrices, on one thread. Debian's
/// libtorch calls the reference BLAS, which manages one or two, unless a better one is installed.
double product_speed();
inline constexpr double slow_product_speed = 8;

}  // namespace lmzip::train
