#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hash.h"

/// The list of a member's chunks as bytes, for a metadata block:
///
///   count      varint (core/varint.h)
///   lengths    count times a varint, in the order of the chunks' plain offsets; never 0
///   hashes     count times 32 bytes, the SHA-256 of the plain bytes, in the same order
///
/// Chunks follow each other without gaps, so that
/// offsets are sums of lengths. Hashes stand together because nothing makes them smaller, and
/// lengths because something may. A chunk takes 34 or 35 bytes.
namespace lmzip::archive {

struct chunk_entry {
  hash256 hash;
  std::uint32_t bytes = 0;  ///< length, never 0

  friend bool operator==(const chunk_entry&, const chunk_entry&) = default;
};

/// What a reader lets a table say.
struct chunk_table_limits {
  std::uint64_t plain_bytes = ~std::uint64_t{0};  ///< of all chunks together
  std::uint32_t chunk_bytes = ~std::uint32_t{0};  ///< of one
};

/// Throws error(internal) for a chunk of length 0.
std::vector<std::byte> write_chunk_table(std::span<const chunk_entry> chunks);

/// Reads tables chunk by chunk, without memory of its own.
class chunk_table_reader {
 public:
  /// Checks all of `table`, which must outlive the reader and have nothing behind the last hash.
  /// Throws error(truncated) or error(damaged), with offsets from `base`. Time is linear in the
  /// size of the table, whatever it says.
  explicit chunk_table_reader(std::span<const std::byte> table,
                              const chunk_table_limits& limits = {}, std::uint64_t base = 0);

  std::uint64_t size() const noexcept { return count_; }
  /// Plain bytes of all chunks together.
  std::uint64_t plain_bytes() const noexcept { return plain_bytes_; }

  /// The next chunk into `chunk`; false after the last one.
  bool next(chunk_entry& chunk) noexcept;

 private:
  std::span<const std::byte> lengths_;  // those to come
  std::span<const std::byte> hashes_;
  std::uint64_t count_ = 0;
  std::uint64_t plain_bytes_ = 0;
};

/// All chunks of a table: 36 bytes of memory for each, and the table has at least 33 bytes for
/// each.
std::vector<chunk_entry> read_chunk_table(std::span<const std::byte> table,
                                          const chunk_table_limits& limits = {},
                                          std::uint64_t base = 0);

}  // namespace lmzip::archive
