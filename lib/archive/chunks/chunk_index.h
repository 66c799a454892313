#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/hash.h"

namespace lmzip::archive {

/// Where an archive has the plain bytes of a chunk.
struct chunk_place {
  std::uint64_t offset = 0;  ///< in the plain bytes of the member
  std::uint32_t member = 0;  ///< number of the member in the archive, from 0
  std::uint32_t bytes = 0;   ///< length of the chunk

  /// Earlier members first, then earlier bytes.
  friend std::strong_ordering operator<=>(const chunk_place& a, const chunk_place& b) noexcept {
    if (a.member != b.member) return a.member <=> b.member;
    if (a.offset != b.offset) return a.offset <=> b.offset;
    return a.bytes <=> b.bytes;
  }
  friend bool operator==(const chunk_place&, const chunk_place&) noexcept = default;
};

/// Finds chunks by the SHA-256 of their plain bytes. Of several places for one hash the first in
/// the archive stays, so that answers do not depend on the order of insertion.
///
/// Takes at most max_bytes_per_chunk for each chunk and fixed_bytes besides, also while it grows:
/// entries of 48 bytes in pieces that never move, and a table of their numbers, open addressing
/// with linear probing, filled to at most 4/5 and made half as large again when it is full.
///
/// Hashes may come from an archive that somebody made to be slow to read. The table places them by
/// a hash with a secret seed, so that equal parts of them do not make long probes.
///
/// Not thread-safe for insertion; lookups may run side by side.
class chunk_index {
 public:
  static constexpr std::uint64_t max_bytes_per_chunk = 64;
  static constexpr std::uint64_t fixed_bytes = std::uint64_t{1} << 16;

  /// `max_chunks` is a limit for insert(), at most 2^32 - 2.
  explicit chunk_index(std::uint64_t max_chunks = 0xfffffffe);
  /// With a seed of the caller's, for tests.
  chunk_index(std::uint64_t max_chunks, std::uint64_t seed);

  /// Adds a chunk. True if its hash was new. A place that stands before the known one replaces it.
  /// Throws error(memory_limit) beyond `max_chunks`; the index is then as it was, as it is after
  /// std::bad_alloc.
  bool insert(const hash256& hash, const chunk_place& place);

  /// Where the chunk of this hash and length is, or nothing. A hash that is known with another
  /// length, which only a false table of chunks can bring, is not found.
  std::optional<chunk_place> find(const hash256& hash, std::uint32_t bytes) const noexcept;

  std::uint64_t size() const noexcept { return size_; }

  /// Bytes of memory that it has allocated, and the most it ever had at a time.
  std::uint64_t memory_bytes() const noexcept;
  std::uint64_t peak_memory_bytes() const noexcept { return peak_bytes_; }

 private:
  struct entry {
    hash256 hash;
    chunk_place place;
  };
  static_assert(sizeof(entry) == 48);

  /// One byte of an entry's hash, and its number plus 1. Two arrays, so that a slot takes 5 bytes.
  struct slot_table {
    std::vector<std::uint8_t> tags;
    std::vector<std::uint32_t> numbers;
    std::uint64_t bytes() const noexcept { return tags.capacity() + 4 * numbers.capacity(); }
  };

  static constexpr std::size_t entries_per_piece = 1024;

  entry& at(std::uint64_t number) const noexcept {
    return pieces_[number / entries_per_piece][number % entries_per_piece];
  }
  std::uint64_t spread(const hash256& hash) const noexcept;
  std::size_t slot_of(const slot_table& table, const hash256& hash, std::uint64_t spread) const;
  void grow_slots();
  void note_peak(std::uint64_t extra) noexcept;

  std::uint64_t max_chunks_;
  std::uint64_t seed_;
  std::uint64_t size_ = 0;
  std::uint64_t peak_bytes_ = 0;
  std::vector<std::unique_ptr<entry[]>> pieces_;
  slot_table slots_;
};

}  // namespace lmzip::archive
