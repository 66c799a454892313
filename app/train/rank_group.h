#pragma once

#include <torch/torch.h>

#include <memory>

#include "app/train/rank.h"

namespace lmzip::train {

/// Processes that train together. All of them call the same operations in the same order. A rank
/// that fails or is lost makes the others throw error(io).
class rank_group {
 public:
  virtual ~rank_group() = default;

  const rank& me() const noexcept { return me_; }
  bool first() const noexcept { return me_.number == 0; }

  /// Replaces the tensor by the sum over all ranks, the same bits everywhere.
  void sum(torch::Tensor& tensor);

  /// Replaces the tensor by that of rank 0.
  void broadcast(torch::Tensor& tensor);

  /// Seconds that this rank spent in these operations, waiting for others included.
  double seconds() const noexcept { return seconds_; }

 protected:
  explicit rank_group(rank me) : me_(std::move(me)) {}
  virtual void sum_all(torch::Tensor& tensor) = 0;
  virtual void send_all(torch::Tensor& tensor) = 0;

 private:
  template <typename operation>
  void timed(const torch::Tensor& tensor, const operation& run);

  rank me_;
  double seconds_ = 0;
};

/// Meets the other ranks, at most some minutes; alone for one rank. Tensors will be on `device`:
/// on the CPU ranks speak by gloo, on accelerators by nccl where this build has it. Throws
/// error(usage) if this build has neither, error(io) if they do not come.
std::unique_ptr<rank_group> join_ranks(const rank& me, torch::DeviceType device);

}  // namespace lmzip::train
