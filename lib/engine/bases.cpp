#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "core/io/file.h"
#include "engine/base_pool.h"
#include "engine/seekable_file.h"
#include "formats/tensors/shard_index.h"
#include "lmzip/base.h"
#include "lmzip/error.h"

namespace lmzip {
namespace {

constexpr std::string_view index_suffix = ".safetensors.index.json";
constexpr std::string_view shard_suffix = ".safetensors";

// Indexes of the largest models have some megabytes.
constexpr std::uint64_t largest_index = std::uint64_t{64} << 20;

std::vector<std::byte> read_index_file(const std::string& path) {
  engine::seekable_file file(path);
  if (file.size() > largest_index) throw io::file_error::with_text(path, "is too large an index");
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
  std::size_t have = 0;
  while (have < bytes.size()) {
    const std::size_t count = file.read_at(have, std::span(bytes).subspan(have));
    if (count == 0) break;
    have += count;
  }
  bytes.resize(have);
  return bytes;
}

/// The shards that an index names, in its folder.
std::vector<std::string> shards_of_index(const std::string& path) {
  const auto index = tensors::read_shard_index(read_index_file(path));
  if (!index || index->files.empty())
    throw io::file_error::with_text(path, "is no index of a checkpoint's files");
  std::vector<std::string> paths;
  for (const std::string& file : index->files) paths.push_back(io::directory_of(path) + "/" + file);
  return paths;
}

/// The shards in a folder: by its index if there is one.
std::vector<std::string> shards_in(const std::string& folder) {
  std::vector<std::string> indexes, shards;
  for (const io::directory_entry& entry : io::list_directory(folder)) {
    const std::string path = folder + "/" + entry.name;
    if (entry.name.ends_with(index_suffix)) indexes.push_back(path);
    if (entry.name.ends_with(shard_suffix)) shards.push_back(path);
  }
  if (indexes.size() == 1) return shards_of_index(indexes.front());
  if (indexes.size() > 1)
    throw io::file_error::with_text(folder, "holds more than one index of a checkpoint's files");
  if (shards.empty()) throw io::file_error::with_text(folder, "holds no safetensors files");
  return shards;
}

std::vector<std::string> files_of(const std::string& path) {
  const auto status = io::status_of(path, true);
  if (status && status->kind == io::file_kind::directory) return shards_in(path);
  if (path.ends_with(index_suffix)) return shards_of_index(path);
  return {path};
}

}  // namespace

base_handle open_base(std::vector<base_input> files, const base_options& options) {
  return std::make_shared<engine::base_pool>(std::move(files), options);
}

base_handle open_base(std::span<const std::string> paths, const base_options& options) {
  std::vector<base_input> inputs;
  for (const std::string& path : paths)
    for (const std::string& file : files_of(path))
      inputs.push_back({file, std::make_shared<engine::seekable_file>(file)});
  return open_base(std::move(inputs), options);
}

base_info describe_base(const base_handle& base) {
  base_info info;
  info.depth = base->depth();
  info.memory = base->memory();
  info.tensors = base->tensors().size();
  info.files = base->file_names();
  for (const engine::base_tensor& t : base->tensors()) info.bytes += t.bytes;
  return info;
}

}  // namespace lmzip
