#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <string>

#include "app/lmzip/messages.h"

namespace lmzip::train {

/// Keeps freed memory in the process: giving tensors of some megabytes back to the kernel at every
/// step costs a tenth of the time of training.
void keep_freed_memory() noexcept;

/// Thousand millions of operations a second in a product of matrices, on one thread. Debian's
/// libtorch calls the reference BLAS, which manages one or two, unless a better one is installed.
double product_speed();
inline constexpr double slow_product_speed = 8;

/// A note if products are that slow.
void warn_of_slow_products(app::messages& out);

/// Most memory that the process had so far, in bytes; 0 if the system does not tell.
std::uint64_t peak_memory();

/// "cpu", "cuda", or what there is for an empty name: the accelerator number `local`, round and
/// round if there are fewer. Throws error(usage) for another name or if there is none.
torch::Device device_for(const std::string& name, std::int64_t local);

}  // namespace lmzip::train
