#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lmzip/base.h"
#include "lmzip/error.h"
#include "lmzip/model.h"
#include "lmzip/seekable_source.h"

#pragma GCC visibility push(default)

namespace lmzip {

/// Settings of archive_reader.
struct archive_reader_options {
  /// Memory for decoded blocks that are kept for later reads, in bytes, besides what decoding a
  /// block takes. The block decoded last is kept in any case.
  std::uint64_t cache_bytes = std::uint64_t{64} << 20;
  /// Bytes that decoding a block may need; 0: no limit.
  std::uint64_t memory_limit = 0;
  /// Asked for models that are not part of this build.
  model_finder find_model{};
  /// What blocks may be coded against; only reading such a block throws error(missing) without it.
  base_handle base{};
};

/// Reads any part of the plain bytes of an archive and decodes only the blocks it needs. Several
/// members one after the other are one string of plain bytes.
///
/// Safe to use from several threads; calls wait for each other. Takes 40 bytes of memory a block
/// of the archive, the cache, and the memory of decoding one block.
class archive_reader {
 public:
  /// Reads the index, no block. `from` must outlive the reader. Throws error: io, not_lmzip,
  /// truncated (the end is lost, and the index with it), damaged (the index; something that is no
  /// member lies before, between or after the members; decompress() with on_damage and repair()
  /// save what is intact), unsupported, memory_limit (a block needs more than the limit).
  explicit archive_reader(seekable_source& from, const archive_reader_options& options = {});

  /// The same for a file, which stays open. It must be a regular file: error(io) for a pipe.
  explicit archive_reader(const std::string& path, const archive_reader_options& options = {});

  ~archive_reader();
  archive_reader(archive_reader&&) noexcept;
  archive_reader& operator=(archive_reader&&) noexcept;

  /// Number of plain bytes.
  std::uint64_t size() const noexcept;

  /// Archives in the chain of those that reading may need, this one included; 0: only this one is
  /// needed.
  unsigned base_depth() const noexcept;

  /// Bytes of memory that reading takes besides the cache and the base.
  std::uint64_t memory() const noexcept;

  /// Where the plain bytes of each member begin, in order.
  std::vector<std::uint64_t> member_offsets() const;

  /// Bytes of the archive's blocks that stand for `bytes` plain bytes from `offset` on, without
  /// headers; of a block of which they are a part, the same part.
  std::uint64_t coded_size(std::uint64_t offset, std::uint64_t bytes) const noexcept;

  /// Fills `out` with the plain bytes from `offset` on and returns how many there were: fewer than
  /// asked only at the end, none at and past the end. All hashes of a block are checked before any
  /// of its bytes is used; only the hash over all block headers, in the trailer, is left to
  /// decompress(). Throws error: io, truncated, damaged, unsupported, missing; blocks that the call
  /// does not touch do not matter, and the reader can be used on. What `out` holds then is
  /// unspecified.
  std::size_t read(std::uint64_t offset, std::span<std::byte> out);

  /// The same as a new vector of up to `length` bytes.
  std::vector<std::byte> read(std::uint64_t offset, std::size_t length);

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace lmzip

#pragma GCC visibility pop
