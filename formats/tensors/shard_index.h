#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lmzip::tensors {

/// What model.safetensors.index.json says of a model in several files: which tensor stands in which
/// of them. Such files are often stale or incomplete: a hint, nothing to rely on.
struct shard_index {
  struct entry {
    std::string tensor;
    std::size_t file = 0;  ///< in `files`
  };

  std::optional<std::uint64_t> total_bytes;  ///< of all tensors' data
  /// Names of the shards, each once, in the order of their first use. None holds a slash or a NUL,
  /// so that they stand in the folder of the index.
  std::vector<std::string> files;
  std::vector<entry> entries;  ///< in the order of the file; a tensor may come twice
};

/// Reads such a file. Nothing if it is something else, or not valid JSON.
std::optional<shard_index> read_shard_index(std::span<const std::byte> file);

}  // namespace lmzip::tensors
