#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/io/file.h"
#include "lmzip/stream.h"

namespace lmzip::io {

/// Reads an open file, which must outlive it, from its present position to its end.
class file_source final : public source {
 public:
  explicit file_source(file& from);
  std::size_t read(std::span<std::byte> out) override;

 private:
  file& from_;
};

/// Writes to an open file, which must outlive it. With `sparse`, zero bytes that cover at least
/// one block of the file system are skipped over, so that they take no space on disk; then the
/// file must be regular, empty from the present position on, and not open for appending
/// (see can_be_sparse()).
class file_sink final : public sink {
 public:
  file_sink(file& to, bool sparse);
  void write(std::span<const std::byte> data) override;

  /// Gives the file its length if it ends in a hole. Call once, after the last write.
  void finish();

  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  void write_piece(std::span<const std::byte> piece);

  file& to_;
  std::uint64_t block_bytes_ = 0;  ///< 0: not sparse
  std::uint64_t position_ = 0;     ///< in the file, holes counted
  std::uint64_t hole_bytes_ = 0;   ///< skipped but not yet seeked over
  std::uint64_t bytes_ = 0;
};

/// True if holes may be left when writing to `to`, a file that existed before: it is regular, not
/// open for appending, and positioned at its end.
bool can_be_sparse(const file& to);

}  // namespace lmzip::io
