#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "engine/long_range/history.h"
#include "engine/long_range/repeats.h"

namespace lmzip::engine {

/// Finds bytes of blocks that the member has had before the block, within a window: the long
/// repeats of archives, images and copies, which lie too far back for any codec. Places where a
/// rolling hash of 64 bytes has nine zeros are remembered, so that any repeat of a few kilobytes is
/// met; both sides are then compared. Takes the window, and a thirtieth of it for the places. For
/// one thread at a time.
class repeat_finder {
 public:
  /// Shorter repeats are left to the codecs.
  static constexpr std::uint32_t shortest = 512;

  explicit repeat_finder(std::uint64_t window) : past_(window) {}

  /// The repeats of the next block, in order. Of numbers only copies that begin at the same place
  /// of a block are met, as blocks are cut at tensors, and they are cut to whole numbers; that
  /// takes no time. The result depends on this block and those before only.
  std::vector<repeat> find(std::span<const std::byte> block, bool holds_numbers = false);

  /// Upper bound of the memory that this takes.
  static std::uint64_t memory(std::uint64_t window) noexcept;

 private:
  struct place {
    std::uint64_t hash = 0;
    std::uint64_t position = 0;  // behind the bytes that were hashed; 0: none
  };

  void look_at(std::span<const std::byte> block, std::size_t end, std::uint64_t hash,
               std::size_t step, std::vector<repeat>& repeats);
  void look_everywhere(std::span<const std::byte> block, std::vector<repeat>& repeats);
  void look_at_marks(std::span<const std::byte> block, std::vector<repeat>& repeats);
  void add_by_parts(const repeat& r, std::size_t block_bytes, std::size_t step,
                    std::vector<repeat>& repeats) const;
  static void add_aligned(std::uint64_t begin, std::uint64_t end, std::uint64_t distance,
                          std::size_t block_bytes, std::size_t step, std::vector<repeat>& repeats);
  void end_block(std::size_t block_bytes, std::span<const repeat> repeats);
  std::uint64_t position_of(std::uint64_t hash) const noexcept;
  void remember(const place& next);
  void grow();
  repeat extended(std::span<const std::byte> block, std::size_t at, std::size_t from,
                  std::uint64_t source) const noexcept;

  /// A repeat of an earlier block, by positions in the member.
  struct past_repeat {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t source = 0;
  };

  history past_;
  std::deque<past_repeat> past_repeats_;  // in the window
  std::size_t looked_through_ = 0;        // of this block
  std::vector<place> places_;  // a hash table without chains: later places push out earlier ones
  std::size_t used_ = 0;
  std::vector<place> found_;  // of this block
};

}  // namespace lmzip::engine
