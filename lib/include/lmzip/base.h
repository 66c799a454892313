#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lmzip/model.h"
#include "lmzip/seekable_source.h"

#pragma GCC visibility push(default)

namespace lmzip {

namespace engine {
class base_pool;
}

/// Checkpoints that another one is compressed against, shared by all who use them; nullptr: none.
/// Safe to use from several threads.
using base_handle = std::shared_ptr<engine::base_pool>;

/// One file of a base: a checkpoint (safetensors, GGUF, npy, npz, PyTorch's zip), or an archive of
/// one, which may itself need a base among the others.
struct base_input {
  std::string name;  ///< for messages
  std::shared_ptr<seekable_source> from;
};

/// Settings of open_base().
struct base_options {
  /// Memory for decoded blocks of the archives among the files, in bytes, all together. Each keeps
  /// one block in any case.
  std::uint64_t cache_bytes = std::uint64_t{64} << 20;
  /// Bytes that decoding a block of an archive may need; 0: no limit.
  std::uint64_t memory_limit = 0;
  model_finder find_model{};
};

/// What is known of a base.
struct base_info {
  unsigned depth = 0;  ///< archives in its longest chain of those that need another one; 0: none
  std::uint64_t tensors = 0;
  std::uint64_t bytes = 0;         ///< of all tensors
  std::uint64_t memory = 0;        ///< that it takes, in bytes
  std::vector<std::string> files;  ///< their names
};

/// Reads the headers of all files; no tensor. Of tensors with one name, that whose difference costs
/// least is compressed against. Throws error: usage (no file, or a file holds no tensors), io, and
/// what archive_reader throws.
base_handle open_base(std::vector<base_input> files, const base_options& options = {});

/// The same for files by their paths; a folder or a model.safetensors.index.json stands for all
/// shards of a checkpoint. The files stay open.
base_handle open_base(std::span<const std::string> paths, const base_options& options = {});

base_info describe_base(const base_handle& base);

/// Longest chain of archives that can be decoded.
inline constexpr unsigned max_base_depth = 255;

}  // namespace lmzip

#pragma GCC visibility pop
