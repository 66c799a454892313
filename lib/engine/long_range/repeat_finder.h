#pragma once

#include <cstddef>
#include <cstdint>
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

  /// The repeats of the next block, in order. The result depends on this block and those before
  /// only.
  std::vector<repeat> find(std::span<const std::byte> block);

  /// Upper bound of the memory that this takes.
  static std::uint64_t memory(std::uint64_t window) noexcept;

 private:
  struct place {
    std::uint64_t hash = 0;
    std::uint64_t position = 0;  // behind the bytes that were hashed; 0: none
  };

  std::uint64_t position_of(std::uint64_t hash) const noexcept;
  void remember(const place& next);
  void grow();
  repeat extended(std::span<const std::byte> block, std::size_t at, std::size_t from,
                  std::uint64_t source) const noexcept;

  history past_;
  std::vector<place> places_;  // a hash table without chains: later places push out earlier ones
  std::size_t used_ = 0;
  std::vector<place> found_;  // of this block
};

}  // namespace lmzip::engine
