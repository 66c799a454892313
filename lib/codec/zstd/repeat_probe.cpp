#include "codec/zstd/repeat_probe.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/endian.h"

namespace lmzip::codec {
namespace {

constexpr int table_bits = 18;
constexpr std::size_t min_stride = 512;  // between the places that are remembered
constexpr std::size_t sample_spacing = std::size_t{256} << 10;
constexpr std::size_t key_bytes = 32;
constexpr std::size_t min_match = 64;  // as zstd's long-distance matcher

std::size_t key_at(const std::byte* at) noexcept {
  std::uint64_t key = load_le<std::uint64_t>(at) * 0x9e3779b97f4a7c15;
  for (std::size_t i = 8; i < key_bytes; i += 8)
    key = (key ^ key >> 29 ^ load_le<std::uint64_t>(at + i)) * 0x9e3779b97f4a7c15;
  return static_cast<std::size_t>(key >> (64 - table_bits));
}

std::size_t common_prefix(const std::byte* a, const std::byte* b, std::size_t limit) noexcept {
  std::size_t n = 0;
  while (n + 8 <= limit && std::memcmp(a + n, b + n, 8) == 0) n += 8;
  return n;
}

}  // namespace

// Places at a fixed stride are remembered by a hash of what follows; then every position of a few
// samples is looked up. A sample is longer than the stride, so a repeat meets a remembered place at
// whatever shift it comes.
unsigned distant_repeats(std::span<const std::byte> plain, std::size_t min_distance) {
  if (plain.size() < min_distance + sample_spacing) return 0;
  const std::size_t stride = std::max(min_stride, plain.size() >> table_bits);
  const std::size_t sample_bytes = 2 * stride;
  const std::byte* const data = plain.data();
  const std::size_t end = plain.size() - min_match;

  std::vector<std::uint32_t> first_at(std::size_t{1} << table_bits);  // place / stride + 1
  std::size_t remembered = 0;
  std::uint64_t sampled = 0, repeated = 0;
  for (std::size_t start = min_distance; start < end; start += sample_spacing) {
    for (; remembered + min_distance <= start; remembered += stride) {
      std::uint32_t& slot = first_at[key_at(data + remembered)];
      if (slot == 0) slot = static_cast<std::uint32_t>(remembered / stride + 1);
    }
    const std::size_t stop = std::min(start + sample_bytes, end);
    sampled += stop - start;
    for (std::size_t i = start, counted = start; i < stop;) {
      const std::uint32_t slot = first_at[key_at(data + i)];
      const std::byte* const before = data + (slot == 0 ? 0 : slot - 1) * stride;
      const std::size_t length =
          slot == 0 ? 0 : common_prefix(before, data + i, stop - i + min_match);
      if (length < min_match) {
        ++i;
        continue;
      }
      // A repeat begins before the first remembered place in it.
      std::size_t back = 0;
      const std::size_t most = std::min(i - counted, static_cast<std::size_t>(before - data));
      while (back < most && before[-1 - static_cast<std::ptrdiff_t>(back)] == data[i - 1 - back])
        ++back;
      const std::size_t end_of_match = std::min(i + length, stop);
      repeated += end_of_match - (i - back);
      i = counted = end_of_match;
    }
  }
  return sampled == 0 ? 0 : static_cast<unsigned>(repeated * 1000 / sampled);
}

}  // namespace lmzip::codec
