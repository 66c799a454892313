#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// New bytes told by what of them stands in earlier ones, the base: for files that changed in small
/// places, where chunks are too coarse. Whoever writes a list says what its base is, such as the
/// bytes that the same files had in the snapshot before, one after the other.
///
/// A list as bytes; numbers are varints (core/varint.h):
///
///   count
///   for each copy:
///     gap      bytes of its own between it and the one before
///     length   never 0
///     place    in the base, less where the copy before would have gone on, had the gap been copied
///              too (zigzag); a copy after bytes that were replaced has 0
///
/// What is in no copy, the literals, stands elsewhere.
namespace lmzip::archive {

struct copy {
  std::uint64_t from = 0;   ///< in the base
  std::uint32_t gap = 0;    ///< literals before it
  std::uint32_t bytes = 0;  ///< never 0

  friend bool operator==(const copy&, const copy&) = default;
};

/// Sizes that a list of copies is about.
struct copy_limits {
  std::uint64_t plain_bytes = 0;  ///< of the new bytes
  std::uint64_t base_bytes = 0;
};

std::vector<std::byte> write_copies(std::span<const copy> copies);

/// Reads a list that makes up all of `list`. All copies lie within the base and, with the gaps,
/// within the new bytes. Memory is at most 6 times the size of the list. Throws error(damaged) or
/// error(truncated), with offsets from `list_offset`.
std::vector<copy> read_copies(std::span<const std::byte> list, const copy_limits& limits,
                              std::uint64_t list_offset = 0);

/// Bytes of `plain_bytes` new ones that are not copied.
std::uint64_t literal_bytes(std::span<const copy> copies, std::uint64_t plain_bytes) noexcept;

/// The literals of `plain`.
std::vector<std::byte> take_literals(std::span<const std::byte> plain,
                                     std::span<const copy> copies);

/// Fills `out` with the bytes of the base from `from` on.
using base_reader = std::function<void(std::uint64_t from, std::span<std::byte> out)>;

/// Puts the new bytes together again, `plain` being as long as they are. `copies` are as
/// read_copies gave them with this length. Throws error(damaged) unless there are exactly as many
/// literals as belong to them, and what `read_base` throws.
void apply_copies(std::span<const copy> copies, std::span<const std::byte> literals,
                  const base_reader& read_base, std::span<std::byte> plain);

}  // namespace lmzip::archive
