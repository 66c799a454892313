#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/hash.h"
#include "formats/tensors/input.h"
#include "formats/tensors/layout.h"
#include "lmzip/archive_reader.h"
#include "lmzip/base.h"

namespace lmzip::engine {

/// One file of a base, of which the plain bytes can be read: those of the file, or of the archive
/// that it is. Safe to use from several threads; calls wait for each other.
class base_file {
 public:
  /// Throws what archive_reader throws.
  base_file(base_input input, const archive_reader_options& options);

  const std::string& name() const noexcept { return input_.name; }
  bool is_archive() const noexcept { return archive_.has_value(); }
  /// Archives in the chain that reading takes, this one included; 0: it is all there.
  unsigned depth() const noexcept { return archive_ ? archive_->base_depth() : 0; }
  std::uint64_t size() const noexcept { return size_; }
  /// That reading takes, in bytes, without the archive's cache.
  std::uint64_t memory() const noexcept { return archive_ ? archive_->memory() : 0; }

  /// Fills `out` from `offset` on. Throws error(io) if there are not as many bytes, and what
  /// reading throws.
  void read(std::uint64_t offset, std::span<std::byte> out);

  /// The tensors of the file; of an archive, of the files that its members are. Throws error(usage)
  /// if there is none.
  std::vector<tensors::tensor> read_tensors();

  /// Locked while a tensor is hashed, so that it is done once.
  std::mutex& hashing(std::size_t tensor) noexcept { return hashing_[tensor % stripes]; }

 private:
  std::size_t read_some(std::uint64_t offset, std::span<std::byte> out);
  tensors::tensor_layout read_part(std::uint64_t begin, std::uint64_t end);

  static constexpr std::size_t stripes = 16;

  base_input input_;
  std::optional<archive_reader> archive_;
  std::uint64_t size_ = 0;
  std::mutex reading_;
  std::mutex hashing_[stripes];
};

/// Whether the bytes begin as an archive does.
bool is_archive(seekable_source& from);

}  // namespace lmzip::engine
