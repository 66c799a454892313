#pragma once

#include <torch/torch.h>

#include <map>
#include <string>

namespace lmzip::train {

/// Tensors by name, with a note of strings, as a safetensors file.
struct tensor_file {
  std::map<std::string, torch::Tensor> tensors;  ///< float32 or int64, on the CPU
  std::map<std::string, std::string> notes;      ///< `__metadata__`

  /// Throws io::file_error, error(damaged) for anything but such a file.
  static tensor_file read(const std::string& path);

  /// Replaces the file as a whole or not at all, and syncs it.
  void write(const std::string& path) const;

  /// Throws error(damaged) if there is none of that name and shape.
  const torch::Tensor& find(const std::string& name, torch::IntArrayRef shape) const;
  const std::string& note(const std::string& name) const;
};

}  // namespace lmzip::train
