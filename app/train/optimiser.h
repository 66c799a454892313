#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/train/tensor_file.h"

namespace lmzip::train {

/// The rate over a run: rises over the warm-up, stays, and falls to 0 over the last part.
struct rate_schedule {
  double rate = 4e-3;
  std::uint64_t steps = 1;  ///< of the whole run
  std::uint64_t warm_up = 100;
  double decay = 0.6;  ///< part of the run in which the rate falls

  double at(std::uint64_t step) const noexcept;
};

/// AdamW (Loshchilov and Hutter, ICLR 2019) in one pass over each tensor: with embeddings of
/// millions of numbers, memory traffic is what it costs. Every row takes part in every step: the
/// classes of the head reach all leaves, so that none goes without a gradient.
class adam_w {
 public:
  struct options {
    double beta1 = 0.9;
    double beta2 = 0.98;
    double weight_decay = 0.01;  ///< of matrices
    double clip = 1.0;           ///< bound of the norm of all gradients together
  };

  /// Makes the gradients of the model's parameters parts of one tensor, zero at first.
  adam_w(const torch::nn::Module& model, const options& o);

  /// The gradients of all parameters, one after the other, and behind them one number that steps
  /// do not read: what ranks exchange. float32, on the device of the model.
  torch::Tensor& exchanged() noexcept { return exchanged_; }

  /// Calls `with` for values and moments of each parameter.
  void each_tensor(const std::function<void(torch::Tensor&)>& with);

  /// Takes step number `step`, counted from 0, and makes the gradients zero.
  void step(std::uint64_t step, double rate);

  void save(tensor_file& to) const;
  void load(const tensor_file& from);

 private:
  struct parameter {
    std::string name;
    torch::Tensor value, mean, square, gradient;
  };

  double clipping() const;

  options options_;
  std::vector<parameter> parameters_;
  torch::Tensor gradients_, exchanged_;
};

}  // namespace lmzip::train
