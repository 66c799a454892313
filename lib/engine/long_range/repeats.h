#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lmzip::engine {

/// Bytes of a block that stand in the same member before the block.
struct repeat {
  std::uint32_t position = 0;  ///< in the block
  std::uint32_t bytes = 0;     ///< never 0
  std::uint64_t distance =
      0;  ///< from these bytes back to their source, which ends before the block

  friend bool operator==(const repeat&, const repeat&) = default;
};

/// Bytes that the repeats of a block stand for.
std::uint64_t bytes_of(std::span<const repeat> repeats) noexcept;

/// What stands at the front of the payload of a block with repeats; see SPEC.md. They are in order
/// and do not overlap.
std::vector<std::byte> write_repeats(std::span<const repeat> repeats);

/// What read_repeats() found.
struct repeat_list {
  std::vector<repeat> repeats;
  std::size_t coded_bytes = 0;  ///< of the list
};

/// Reads the list at the front of a payload of a block of `plain_bytes`, which begins at
/// `plain_offset` of the member. Throws error(damaged) unless all repeats lie in the block and
/// their sources before it, within `window`.
repeat_list read_repeats(std::span<const std::byte> payload, std::uint64_t plain_bytes,
                         std::uint64_t plain_offset, std::uint64_t window);

/// The other bytes of a block, one after the other. `literals` has room for them.
void gather_literals(std::span<const std::byte> plain, std::span<const repeat> repeats,
                     std::span<std::byte> literals) noexcept;

/// Puts them where they belong; the places of repeats stay as they are.
void spread_literals(std::span<const std::byte> literals, std::span<const repeat> repeats,
                     std::span<std::byte> plain) noexcept;

}  // namespace lmzip::engine
