#include "archive/chunks/repetition.h"

#include <algorithm>
#include <bit>

#include "archive/chunks/gear.h"

namespace lmzip::archive {
namespace {

constexpr std::size_t window_bytes = 32;  // two bits of the hash a byte
constexpr int table_bits = 16;
constexpr std::size_t bucket = 4;  // fingerprints that share a place in the table
constexpr int least_spacing_bits = 4;
constexpr int forced_after_bits = 3;  // after 8 times the usual spacing

/// Every bit of a rolling hash but the high ones depends on few bytes; a product spreads them.
std::uint64_t spread(std::uint64_t hash) noexcept {
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
  return hash ^ hash >> 32;
}

/// Rolls over `bytes`, at least one, until the hash has zeros above `shift`, and returns how many
/// bytes that took, or all. Two bytes a step: the second hash does not wait for the first.
std::size_t roll_to_sample(std::uint64_t& hash, std::span<const std::byte> bytes,
                           int shift) noexcept {
  std::uint64_t h = hash;
  std::size_t i = 0;
  for (; i + 2 <= bytes.size(); i += 2) {
    const std::uint64_t first = gear_of(bytes[i]);
    const std::uint64_t both = (first << 2) + gear_of(bytes[i + 1]);
    const std::uint64_t middle = (h << 2) + first;
    h = (h << 4) + both;
    if (middle >> shift == 0) {
      hash = middle;
      return i + 1;
    }
    if (h >> shift == 0) {
      hash = h;
      return i + 2;
    }
  }
  if (i < bytes.size()) h = (h << 2) + gear_of(bytes[i++]);
  hash = h;
  return i;
}

}  // namespace

// A quarter of the table is filled by a group of the expected size.
repetition_meter::repetition_meter(std::uint64_t expected_bytes)
    : spacing_bits_(std::max(least_spacing_bits,
                             static_cast<int>(std::bit_width(expected_bytes)) - (table_bits - 2))),
      seen_(std::size_t{1} << table_bits) {}

void repetition_meter::sample(std::uint64_t hash) noexcept {
  const std::uint64_t fingerprint = spread(hash) | 1;  // 0 is a free place
  const std::size_t place = fingerprint >> (64 - table_bits) & ~(bucket - 1);
  ++samples_;
  for (std::size_t i = place; i < place + bucket; ++i) {
    if (seen_[i] == fingerprint) {
      ++duplicates_;
      return;
    }
    if (seen_[i] == 0) {
      seen_[i] = fingerprint;
      return;
    }
  }
  // The oldest gives way.
  std::copy(&seen_[place + 1], &seen_[place] + bucket, &seen_[place]);
  seen_[place + bucket - 1] = fingerprint;
}

void repetition_meter::add(std::span<const std::byte> chunk) noexcept {
  if (chunk.size() < window_bytes) return;
  std::uint64_t hash = 0;
  for (const std::byte value : chunk.first(window_bytes - 1)) hash = (hash << 2) + gear_of(value);
  const std::size_t longest = std::size_t{1} << (spacing_bits_ + forced_after_bits);
  for (std::size_t i = window_bytes - 1; i < chunk.size();) {
    const auto stretch = chunk.subspan(i, std::min(longest, chunk.size() - i));
    const std::size_t taken = roll_to_sample(hash, stretch, 64 - spacing_bits_);
    i += taken;
    if (taken < longest && i == chunk.size() && hash >> (64 - spacing_bits_) != 0) return;
    sample(hash);
  }
}

unsigned repetition_rate(std::span<const std::byte> plain) {
  repetition_meter meter(plain.size());
  meter.add(plain);
  return meter.rate();
}

}  // namespace lmzip::archive
