#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "archive/chunks/chunk_index.h"
#include "archive/chunks/chunker.h"
#include "archive/chunks/kind.h"
#include "core/hash.h"

/// Snapshots of trees as folders, for measurements.
namespace lmzip::bench {

using bytes = std::vector<std::byte>;

/// By the path alone, by kind and then path, by the archive's order (kind, extension, path), or by
/// kind, extension, last component of the path.
enum class order_of_files { path, kind, archive, name };

struct snapshot_file {
  archive::file_order order;
  std::string root;

  std::string full_path() const { return root + order.path; }
};

bytes read_file(const std::string& path);

/// The regular files below `root`, or `root` itself, in the order wanted.
std::vector<snapshot_file> list_snapshot(const std::string& root, order_of_files order);

/// Where the chunks of each path are.
using placed_paths = std::map<std::string, std::vector<archive::chunk_place>>;

/// What an archive would store of all entries of the folder `root` besides the files' bytes: path,
/// mode, owner, times, inode, and places of chunks.
bytes entries_of(const std::string& root, const placed_paths& placed);

struct snapshot_counts {
  std::uint64_t files = 0;
  std::uint64_t plain_bytes = 0;
  std::uint64_t chunks = 0;
  std::uint64_t new_chunks = 0;
  std::uint64_t new_bytes = 0;
};

/// Cuts files into chunks and gives those that are new to use(file, chunk). Tells where all of them
/// are.
template <typename Use>
snapshot_counts add_snapshot(const std::vector<snapshot_file>& files,
                             const archive::chunk_sizes& sizes, std::uint32_t member,
                             archive::chunk_index& index, placed_paths& placed, Use use) {
  snapshot_counts total;
  archive::chunker cutter(sizes);
  for (const snapshot_file& file : files) {
    const bytes content = read_file(file.full_path());
    std::span<const std::byte> rest(content);
    auto& places = placed[file.order.path];
    total.files += 1;
    total.plain_bytes += content.size();
    while (!rest.empty()) {
      const auto chunk = rest.first(cutter.next(rest).bytes);
      cutter.restart();
      rest = rest.subspan(chunk.size());
      const auto chunk_bytes = static_cast<std::uint32_t>(chunk.size());
      const hash256 hash = sha256_of(chunk);
      total.chunks += 1;
      if (index.insert(hash, {total.new_bytes, member, chunk_bytes})) {
        total.new_chunks += 1;
        total.new_bytes += chunk_bytes;
        use(file, chunk);
      }
      places.push_back(index.find(hash, chunk_bytes).value());
    }
  }
  return total;
}

}  // namespace lmzip::bench
