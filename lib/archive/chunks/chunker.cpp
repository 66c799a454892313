#include "archive/chunks/chunker.h"

#include <algorithm>
#include <bit>

#include "archive/chunks/gear.h"
#include "lmzip/error.h"

namespace lmzip::archive {
namespace {

constexpr std::uint32_t window_bytes = 64;
constexpr int normalisation = 2;
constexpr std::uint32_t largest_chunk = std::uint32_t{1} << 28;

/// `bits` ones below the highest bit. Bit 63 is left out because two steps at once shift the mask.
constexpr std::uint64_t high_mask(int bits) noexcept {
  return ((std::uint64_t{1} << bits) - 1) << (63 - bits);
}

const chunk_sizes& checked(const chunk_sizes& sizes) {
  if (sizes.min < window_bytes || sizes.min > sizes.average || sizes.average > sizes.max ||
      sizes.max > largest_chunk || !std::has_single_bit(sizes.average) ||
      sizes.average < min_average_chunk || sizes.average > max_average_chunk)
    throw error(errc::usage, "chunk sizes out of range");
  return sizes;
}

std::uint64_t roll(std::uint64_t hash, std::span<const std::byte> bytes) noexcept {
  for (const std::byte value : bytes) hash = (hash << 1) + gear_of(value);
  return hash;
}

/// Rolls `hash` over `bytes` until it has no bit of `mask`; returns how many bytes that took, or
/// all of them, and in `found` whether it came to that. Two bytes a step: the hash after both does
/// not wait for the one after the first (section 3 of the paper of 2020).
std::size_t roll_until_clear(std::uint64_t& hash, std::span<const std::byte> bytes,
                             std::uint64_t mask, bool& found) noexcept {
  std::uint64_t h = hash;
  const std::byte* const data = bytes.data();
  const std::size_t size = bytes.size();
  found = true;
  std::size_t i = 0;
  for (; i + 2 <= size; i += 2) {
    const std::uint64_t first = gear_of(data[i]) << 1;
    const std::uint64_t twice_middle = (h << 2) + first;
    h = twice_middle + gear_of(data[i + 1]);
    if ((twice_middle & mask << 1) == 0) return i + 1;
    if ((h & mask) == 0) return i + 2;
  }
  if (i < size) {
    h = (h << 1) + gear_of(data[i++]);
    if ((h & mask) == 0) return i;
  }
  found = false;
  hash = h;
  return size;
}

}  // namespace

chunker::chunker(const chunk_sizes& sizes)
    : sizes_(checked(sizes)),
      strict_mask_(high_mask(std::countr_zero(sizes.average) + normalisation)),
      loose_mask_(high_mask(std::countr_zero(sizes.average) - normalisation)) {}

void chunker::restart() noexcept {
  hash_ = 0;
  position_ = 0;
}

/// Passes over what stands before the minimum, of which only the last window matters.
std::size_t chunker::skip(std::span<const std::byte> bytes) noexcept {
  const std::size_t count = std::min<std::size_t>(bytes.size(), sizes_.min - position_);
  const std::uint32_t window_start = sizes_.min - window_bytes;
  const std::size_t unseen =
      position_ < window_start ? std::min<std::size_t>(count, window_start - position_) : 0;
  hash_ = roll(hash_, bytes.subspan(unseen, count - unseen));
  position_ += static_cast<std::uint32_t>(count);
  return count;
}

/// Searches bytes from `used` on, up to `until` bytes of chunk.
bool chunker::search(std::span<const std::byte> bytes, std::uint32_t until, std::uint64_t mask,
                     std::size_t& used) noexcept {
  if (position_ >= until) return false;
  const std::size_t count = std::min<std::size_t>(bytes.size() - used, until - position_);
  bool found = false;
  const std::size_t taken = roll_until_clear(hash_, bytes.subspan(used, count), mask, found);
  used += taken;
  position_ += static_cast<std::uint32_t>(taken);
  return found;
}

chunker::piece chunker::next(std::span<const std::byte> bytes) noexcept {
  std::size_t used = position_ < sizes_.min ? skip(bytes) : 0;
  const bool ends = search(bytes, sizes_.average, strict_mask_, used) ||
                    search(bytes, sizes_.max, loose_mask_, used) || position_ == sizes_.max;
  if (ends) restart();
  return {used, ends};
}

}  // namespace lmzip::archive
