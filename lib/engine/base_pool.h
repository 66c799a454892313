#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/codec.h"
#include "core/dtype.h"
#include "core/hash.h"
#include "engine/base_file.h"
#include "lmzip/base.h"

namespace lmzip::engine {

/// One tensor of a base.
struct base_tensor {
  std::string name;
  dtype type = dtype::bytes;
  std::uint64_t elements = 0;
  std::uint64_t shape_hash = 0;  ///< hash_of_shape()
  std::uint64_t offset = 0;      ///< in its file
  std::uint64_t bytes = 0;
  std::uint32_t file = 0;
  std::optional<std::uint32_t> next_of_name;  ///< another one of that name
};

/// Equal for equal shapes.
std::uint64_t hash_of_shape(std::span<const std::uint64_t> shape) noexcept;

/// The tensors of the files of a base. Files that need no base themselves come first, then those
/// that need them, and so on: a block of an archive in a chain of some depth is decoded with files
/// of smaller depth only, so that no cycle can arise, and threads lock files in that order.
///
/// Safe to use from several threads. Takes some hundred bytes a tensor, and the caches of archives.
class base_pool {
 public:
  base_pool(std::vector<base_input> inputs, const base_options& options);

  std::span<const base_tensor> tensors() const noexcept { return tensors_; }
  /// Of the file with the longest chain.
  unsigned depth() const noexcept { return depth_; }
  std::uint64_t memory() const noexcept { return memory_; }
  std::vector<std::string> file_names() const;

  /// The first tensor of that name, in the order in which the files were given; the others follow
  /// by next_of_name.
  std::optional<std::uint32_t> named(std::string_view name) const;

  /// All tensors of a type and shape, in their order.
  std::span<const std::uint32_t> alike(dtype type, std::uint64_t shape_hash) const;

  /// Bytes of a tensor, without a check. Throws what base_file::read() throws, naming the file.
  void read(std::size_t tensor, std::uint64_t offset, std::span<std::byte> out);

  /// SHA-256 of all bytes of a tensor; computed once.
  hash256 hash_of(std::size_t tensor);

  /// A tensor with that hash in a file of less than that depth; `hint` is tried first. Throws
  /// error(missing) if there is none.
  std::size_t find(const hash256& hash, std::uint64_t bytes, std::uint32_t hint, unsigned depth);

 private:
  void open(std::vector<base_input> inputs, const base_options& options);
  void add_tensors(std::size_t file);
  void index_names();
  bool has_hash(std::size_t tensor, const hash256& hash, std::string& failure);
  std::optional<std::size_t> known(const hash256& hash, unsigned depth);

  struct key_hash {
    std::size_t operator()(const hash256& hash) const noexcept;
  };

  std::vector<std::unique_ptr<base_file>> files_;  // by depth
  std::vector<std::size_t> ranks_;                 // of files_: how many were given before
  std::vector<base_tensor> tensors_;
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_bytes_, by_shape_;
  std::uint64_t memory_ = 0;
  unsigned depth_ = 0;

  std::mutex hashes_lock_;  // never held while another lock is taken
  std::vector<std::optional<hash256>> hashes_;
  std::unordered_map<std::size_t, std::string> unreadable_;  // tensors, and why
  std::unordered_map<hash256, std::size_t, key_hash> by_hash_;
};

/// What decoders of blocks in a chain of some depth see of a pool.
class base_view final : public codec::base_tensors {
 public:
  base_view(base_pool& pool, unsigned depth) : pool_(pool), depth_(depth) {}

  void read(const hash256& tensor, std::uint64_t tensor_bytes, std::uint32_t hint,
            std::uint64_t offset, std::span<std::byte> out) override {
    pool_.read(pool_.find(tensor, tensor_bytes, hint, depth_), offset, out);
  }

 private:
  base_pool& pool_;
  unsigned depth_;
};

/// Memory that a base takes, in bytes; 0 for none.
std::uint64_t memory_of(const base_handle& base);

}  // namespace lmzip::engine
