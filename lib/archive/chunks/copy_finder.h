#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "archive/chunks/copies.h"
#include "archive/chunks/kind.h"

namespace lmzip::archive {

/// The shortest copy that pays: a copy takes 2 bytes in programs and 4 in text, where the codec
/// makes the same 64 bytes smaller than it makes others.
constexpr std::uint32_t shortest_copy(content_kind kind) noexcept {
  return kind == content_kind::text || kind == content_kind::wide_text ? 64 : 24;
}

/// Finds what of new bytes stands in a base. Windows of the base at a fixed stride are remembered
/// by a hash, and every position of the new bytes is looked up (Tridgell: Efficient algorithms for
/// sorting and synchronization, 1999); both sides are then compared. Going on where the last copy
/// stopped is preferred.
///
/// Deterministic. Time is linear in both sizes, times the shortest length at worst. A table larger
/// than the processor's cache makes it slow, so a base of some 16 MiB is best.
class copy_finder {
 public:
  /// For copies of at least `shortest` bytes, 16 … 65536. `base` has to stay where it is, and has
  /// less than 2^26 times shortest / 2 bytes. Throws error(usage) otherwise.
  copy_finder(std::span<const std::byte> base, std::uint32_t shortest);

  /// Memory that a finder takes besides the base, in bytes.
  static std::uint64_t memory(std::uint64_t base_bytes, std::uint32_t shortest) noexcept;

  /// The copies of `plain`, less than 2^32 bytes, in order.
  std::vector<copy> find(std::span<const std::byte> plain) const;

 private:
  struct match {
    std::size_t at = 0;  // in the new bytes
    std::size_t from = 0;
    std::size_t bytes = 0;
    std::size_t end() const noexcept { return at + bytes; }
  };

  match match_around(std::span<const std::byte> plain, std::size_t free_from, std::size_t at,
                     std::size_t from) const noexcept;
  match best_match(std::span<const std::byte> plain, const match& last, std::size_t at,
                   std::uint64_t hash) const noexcept;

  std::span<const std::byte> base_;
  std::size_t shortest_;
  std::size_t window_;
  std::size_t stride_;
  int table_bits_;
  std::vector<std::uint32_t> places_;  // number of a window plus 1, and a tag; 0: none
};

}  // namespace lmzip::archive
