#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dtype.h"

/// The tensors of a made-up language model, by the names and in the order of a Llama checkpoint.
namespace checkpoints {

/// How the numbers of a tensor are made.
enum class filling : std::uint8_t {
  weights,             ///< normal, with a scale for the tensor, each row and each column
  norm,                ///< near 1
  frequencies,         ///< of rotary positions
  positions,           ///< 0, 1, 2, …
  causal_mask,         ///< a lower triangle
  first_moments,       ///< exp_avg of Adam
  second_moments,      ///< exp_avg_sq: row x column x noise
  same_as_before_step  ///< for the next step of a checkpoint
};

struct made_tensor {
  std::string name;
  lmzip::dtype type = lmzip::dtype::f32;
  std::vector<std::uint64_t> shape;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  filling by = filling::weights;
  double spread = 0;      ///< standard deviation of its numbers
  std::string same_as{};  ///< the name that decides its numbers

  std::uint64_t row_bytes() const noexcept { return columns * (lmzip::bits_of(type) / 8); }
};

/// Tensors of a model whose safetensors file has about `file_bytes` bytes, wide types first, then
/// by name. `moments` adds those of Adam, in F32. The head is a copy of the embedding.
std::vector<made_tensor> model_of(std::uint64_t file_bytes, lmzip::dtype weights, bool moments);

/// The first bytes of their safetensors file, with the size of the header.
std::string safetensors_header(const std::vector<made_tensor>& tensors);

}  // namespace checkpoints
