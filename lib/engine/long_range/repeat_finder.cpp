#include "engine/long_range/repeat_finder.h"

#include <algorithm>
#include <array>

namespace lmzip::engine {
namespace {

constexpr unsigned zeros = 9;
constexpr std::size_t hashed_bytes = 64;
constexpr std::size_t first_places = 1024;

/// Random words, one a byte (SplitMix64).
constexpr std::array<std::uint64_t, 256> make_gear() {
  std::array<std::uint64_t, 256> gear{};
  std::uint64_t state = 0;
  for (std::uint64_t& word : gear) {
    state += 0x9e3779b97f4a7c15;
    word = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
    word = (word ^ word >> 27) * 0x94d049bb133111eb;
    word ^= word >> 31;
  }
  return gear;
}

constexpr std::array<std::uint64_t, 256> gear = make_gear();

/// How many bytes are equal, from the front.
std::size_t equal_front(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

std::size_t equal_back(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  return static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin()).first -
                                  a.rbegin());
}

/// The upper bits are zero, and the lower ones depend on the last bytes only.
std::size_t slot_of(std::uint64_t hash, std::size_t slots) noexcept {
  return static_cast<std::size_t>(hash ^ hash >> 29) & (slots - 1);
}

}  // namespace

std::uint64_t repeat_finder::memory(std::uint64_t window) noexcept {
  // Twice as many slots as places, rounded up to a power of two, and both tables while it grows.
  constexpr std::uint64_t slots_a_place = 2 * 2 + 2;
  return window + (std::uint64_t{2} << 20) + (window >> zeros) * slots_a_place * sizeof(place);
}

std::uint64_t repeat_finder::position_of(std::uint64_t hash) const noexcept {
  if (places_.empty()) return 0;
  const place& p = places_[slot_of(hash, places_.size())];
  return p.hash == hash ? p.position : 0;
}

void repeat_finder::grow() {
  std::vector<place> old(places_.empty() ? first_places : 2 * places_.size());
  old.swap(places_);
  used_ = 0;
  for (const place& p : old)
    if (p.position > past_.begin()) remember(p);
}

void repeat_finder::remember(const place& next) {
  place& slot = places_[slot_of(next.hash, places_.size())];
  if (slot.position == 0) ++used_;
  slot = next;
}

repeat repeat_finder::extended(std::span<const std::byte> block, std::size_t at, std::size_t from,
                               std::uint64_t source) const noexcept {
  std::size_t begin = at, end = at;
  std::uint64_t source_begin = source, source_end = source;
  while (begin > from && source_begin > past_.begin()) {
    const auto kept = past_.before(source_begin, begin - from);
    const std::size_t equal = equal_back(kept, block.subspan(begin - kept.size(), kept.size()));
    begin -= equal;
    source_begin -= equal;
    if (equal < kept.size()) break;
  }
  while (end < block.size() && source_end < past_.end()) {
    const auto kept = past_.from(source_end, block.size() - end);
    const std::size_t equal = equal_front(kept, block.subspan(end, kept.size()));
    end += equal;
    source_end += equal;
    if (equal < kept.size()) break;
  }
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin),
          past_.end() + begin - source_begin};
}

std::vector<repeat> repeat_finder::find(std::span<const std::byte> block) {
  std::vector<repeat> repeats;
  std::size_t covered = 0;  // up to here the block is decided
  std::uint64_t hash = 0;
  found_.clear();
  for (std::size_t i = 0; i < block.size(); ++i) {
    hash = (hash << 1) + gear[std::to_integer<std::size_t>(block[i])];
    if (hash >> (64 - zeros) != 0 || i + 1 < hashed_bytes) continue;
    found_.push_back({hash, past_.end() + i + 1});
    if (i < covered) continue;
    const std::uint64_t source = position_of(hash);
    if (source <= past_.begin()) continue;
    const repeat r = extended(block, i + 1, covered, source);
    if (r.bytes < shortest) continue;
    repeats.push_back(r);
    covered = r.position + r.bytes;
  }
  past_.append(block);
  for (const place& p : found_) {
    if (2 * used_ >= places_.size()) grow();
    remember(p);
  }
  return repeats;
}

}  // namespace lmzip::engine
