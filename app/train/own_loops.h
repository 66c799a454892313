#pragma once

#include <torch/torch.h>

namespace lmzip::train {

/// Whether the trainer's own loops work on this tensor, rather than operations of libtorch: where
/// it is on the CPU.
bool by_own_loops(const torch::Tensor& tensor) noexcept;

/// While one exists, operations of libtorch work on the CPU too, as they do on other devices: for
/// tests. At most one at a time, while nothing is being trained.
class without_own_loops {
 public:
  without_own_loops() noexcept;
  without_own_loops(const without_own_loops&) = delete;
  without_own_loops& operator=(const without_own_loops&) = delete;
  ~without_own_loops();
};

}  // namespace lmzip::train
