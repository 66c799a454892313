#include "engine/long_range/repeat_finder.h"

#include <algorithm>
#include <array>

namespace lmzip::engine {
namespace {

constexpr unsigned zeros = 9;
constexpr std::size_t hashed_bytes = 64;
constexpr std::size_t first_places = 1024;
constexpr std::size_t mark_step = std::size_t{64} << 10;
constexpr std::uint64_t shortest_part = 64;  // of a repeat that has several sources
constexpr std::size_t largest_number = 16;   // bytes; also a whole number of all smaller ones

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
  constexpr std::uint64_t past_bytes = (std::uint64_t{1} << zeros) * sizeof(past_repeat) / shortest;
  return history::memory(window) + (window >> zeros) * (slots_a_place * sizeof(place) + past_bytes);
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

/// Remembers the 64 bytes that end at `end`, and the repeat around them if they are known.
void repeat_finder::look_at(std::span<const std::byte> block, std::size_t end, std::uint64_t hash,
                            std::size_t step, std::vector<repeat>& repeats) {
  found_.push_back({hash, past_.end() + end});
  if (end <= looked_through_) return;
  const std::uint64_t source = position_of(hash);
  if (source <= past_.begin()) return;
  const repeat r = extended(block, end, looked_through_, source);
  if (r.bytes < shortest) return;
  looked_through_ = std::size_t{r.position} + r.bytes;
  add_by_parts(r, block.size(), step, repeats);
}

/// Adds a repeat. Where its source is a repeat itself, that one's source takes its place, if it is
/// still in the window: no reference leads to another one.
void repeat_finder::add_by_parts(const repeat& r, std::size_t block_bytes, std::size_t step,
                                 std::vector<repeat>& repeats) const {
  std::uint64_t at = past_.end() + r.position - r.distance;  // in the source
  const std::uint64_t end = at + r.bytes, to_block = r.distance - past_.end();
  auto next = std::upper_bound(
      past_repeats_.begin(), past_repeats_.end(), at,
      [](std::uint64_t position, const past_repeat& p) { return position < p.end; });
  while (at < end) {
    const bool is_repeat = next != past_repeats_.end() && next->begin <= at;
    const std::uint64_t part_end =
        next == past_repeats_.end() ? end : std::min(end, is_repeat ? next->end : next->begin);
    const std::uint64_t source = is_repeat ? next->source + (at - next->begin) : at;
    if (source >= past_.begin())
      add_aligned(at + to_block, part_end + to_block, r.distance + (at - source), block_bytes, step,
                  repeats);
    if (is_repeat) ++next;
    at = part_end;
  }
}

/// Adds the part of a block from `begin` to `end`, cut to multiples of `step` but at its end.
void repeat_finder::add_aligned(std::uint64_t begin, std::uint64_t end, std::uint64_t distance,
                                std::size_t block_bytes, std::size_t step,
                                std::vector<repeat>& repeats) {
  begin = (begin + step - 1) / step * step;
  if (end != block_bytes) end = end / step * step;
  if (end < begin + shortest_part) return;
  if (!repeats.empty() && repeats.back().distance == distance &&
      repeats.back().position + std::uint64_t{repeats.back().bytes} == begin)
    repeats.back().bytes += static_cast<std::uint32_t>(end - begin);
  else
    repeats.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin), distance});
}

/// Makes this block one of the past.
void repeat_finder::end_block(std::size_t block_bytes, std::span<const repeat> repeats) {
  const std::uint64_t at = past_.end() - block_bytes;
  for (const repeat& r : repeats) {
    const std::uint64_t begin = at + r.position;
    past_repeats_.push_back({begin, begin + r.bytes, begin - r.distance});
  }
  while (!past_repeats_.empty() && past_repeats_.front().end <= past_.begin())
    past_repeats_.pop_front();
  looked_through_ = 0;
  for (const place& p : found_) {
    if (2 * used_ >= places_.size()) grow();
    remember(p);
  }
}

void repeat_finder::look_everywhere(std::span<const std::byte> block,
                                    std::vector<repeat>& repeats) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    hash = (hash << 1) + gear[std::to_integer<std::size_t>(block[i])];
    if (hash >> (64 - zeros) != 0 || i + 1 < hashed_bytes) continue;
    look_at(block, i + 1, hash, 1, repeats);
  }
}

void repeat_finder::look_at_marks(std::span<const std::byte> block, std::vector<repeat>& repeats) {
  for (std::size_t at = 0; at + hashed_bytes <= block.size(); at += mark_step) {
    std::uint64_t hash = 0;
    for (const std::byte b : block.subspan(at, hashed_bytes))
      hash = (hash << 1) + gear[std::to_integer<std::size_t>(b)];
    look_at(block, at + hashed_bytes, hash, largest_number, repeats);
  }
}

std::vector<repeat> repeat_finder::find(std::span<const std::byte> block, bool holds_numbers) {
  std::vector<repeat> repeats;
  found_.clear();
  if (holds_numbers)
    look_at_marks(block, repeats);
  else
    look_everywhere(block, repeats);
  past_.append(block);
  end_block(block.size(), repeats);
  return repeats;
}

}  // namespace lmzip::engine
