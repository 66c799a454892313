#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lmzip/archive_reader.h"

#pragma GCC visibility push(default)

namespace lmzip {

/// One tensor of a file in an archive.
struct tensor_description {
  std::string name;                  ///< bytes, as the file gives it
  std::string type;                  ///< the file's own name of the type, such as "BF16"
  std::vector<std::uint64_t> shape;  ///< empty for a single number, and where it is not known
  std::uint64_t offset = 0;          ///< of its bytes within the plain bytes of the archive
  std::uint64_t bytes = 0;
};

/// What the file in an archive holds; or the files, where several archives were joined.
struct tensor_table {
  /// Of the first that holds tensors: "safetensors", "gguf", "npy", "npz", "torch zip"; "plain": none
  /// does.
  std::string format;
  std::vector<tensor_description> tensors;  ///< in the order of their bytes
  std::string reason;  ///< why a file that looks like one of tensors is none; may be empty
};

/// Finds the tensors of an archive whose members are a file each; decodes only the blocks of their
/// headers. Throws what archive_reader::read() throws.
tensor_table find_tensors(archive_reader& archive);

}  // namespace lmzip

#pragma GCC visibility pop
