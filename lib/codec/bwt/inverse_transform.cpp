#include <algorithm>

#include "codec/bwt/transform.h"

namespace lmzip::codec::bwt {
namespace {

// Smaller blocks stay in the cache, and the places would be more than they are worth.
constexpr std::size_t min_segmented_bytes = std::size_t{1} << 16;

// A link is the place of the suffix one byte longer, and that byte in the lower 8 bits.
constexpr unsigned byte_bits = 8;

/// Writes the links by place and returns that of the empty suffix. The places in them are a
/// permutation of all of them, and therefore in range.
std::uint32_t link_places(std::span<const std::uint8_t> last, std::uint32_t whole,
                          std::span<std::uint32_t> links) noexcept {
  std::array<std::uint32_t, 256> next{};
  for (const std::uint8_t byte : last) ++next[byte];
  std::uint32_t below = 0;
  for (std::uint32_t& n : next) {
    const std::uint32_t count = n;
    n = below << byte_bits;
    below += count;
  }
  const auto link_of = [&next](std::uint8_t byte) {
    const std::uint32_t link = next[byte] | byte;
    next[byte] += 1U << byte_bits;
    return link;
  };
  const std::uint32_t of_empty = link_of(last[0]);
  for (std::uint32_t place = 0; place < whole; ++place) links[place] = link_of(last[place + 1]);
  links[whole] = 0;
  for (std::size_t place = whole + std::size_t{1}; place < last.size(); ++place)
    links[place] = link_of(last[place]);
  return of_empty;
}

}  // namespace

segmentation segmentation::of(std::size_t block_bytes) noexcept {
  if (block_bytes < min_segmented_bytes) return {1, block_bytes};
  return {max_segments, block_bytes / max_segments / unit * unit};
}

void inverse_transform(const entry_places& places, std::span<std::uint32_t> links,
                       std::span<std::uint8_t> bytes) noexcept {
  const std::uint32_t of_empty = link_places(bytes, places.whole, links);
  const segmentation cut = segmentation::of(bytes.size());
  const std::size_t last = cut.count - 1;
  std::array<std::uint32_t, max_segments> link{};
  for (std::size_t s = 0; s < last; ++s) link[s] = links[places.after[s]];
  link[last] = of_empty;
  const auto step = [&](std::size_t s, std::size_t position) {
    bytes[position] = static_cast<std::uint8_t>(link[s]);
    link[s] = links[link[s] >> byte_bits];
  };
  const std::size_t beyond = bytes.size() - last * cut.bytes;
  std::size_t i = 0;
  if (cut.count == max_segments) {
    while (i < cut.bytes) {
      ++i;
      for (std::size_t s = 0; s < max_segments - 1; ++s) step(s, (s + 1) * cut.bytes - i);
      step(max_segments - 1, bytes.size() - i);
    }
  }
  while (i < beyond) step(last, bytes.size() - ++i);
}

}  // namespace lmzip::codec::bwt
