#include "archive/chunks/chunk_index.h"

#include <algorithm>
#include <random>
#include <string>

#include "core/endian.h"
#include "lmzip/error.h"

namespace lmzip::archive {
namespace {

constexpr std::uint64_t most_chunks = 0xfffffffe;  // numbers plus 1 are 32 bits
constexpr std::size_t first_slots = 1280;          // for one piece of entries

std::uint64_t random_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

/// High 64 bits of the product.
std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  const std::uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  const std::uint64_t carry = (middle & 0xffffffff) + a0 * b1;
  return a1 * b1 + (middle >> 32) + (carry >> 32);
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept { return a * b ^ multiply_high(a, b); }

/// The first slot to look at; all slots are equally likely.
std::size_t home_of(std::uint64_t spread, std::size_t slots) noexcept {
  return static_cast<std::size_t>(multiply_high(spread, slots));
}

std::uint8_t tag_of(std::uint64_t spread) noexcept { return static_cast<std::uint8_t>(spread); }

}  // namespace

chunk_index::chunk_index(std::uint64_t max_chunks) : chunk_index(max_chunks, random_seed()) {}

chunk_index::chunk_index(std::uint64_t max_chunks, std::uint64_t seed)
    : max_chunks_(std::min(max_chunks, most_chunks)),
      seed_(mix(seed ^ 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93) | 1) {}

/// Every bit of the hash and of the seed takes part in every bit.
std::uint64_t chunk_index::spread(const hash256& hash) const noexcept {
  std::uint64_t sum = seed_;
  for (std::size_t i = 0; i < hash.size(); i += 8)
    sum = mix(sum ^ load_le<std::uint64_t>(hash.data() + i), seed_) + seed_;
  sum = (sum ^ sum >> 32) * 0xd6e8feb86659fd93;
  return sum ^ sum >> 32;
}

/// The slot of the hash, or the free one where it would be. There is always a free one.
std::size_t chunk_index::slot_of(const slot_table& table, const hash256& hash,
                                 std::uint64_t spread) const {
  const std::size_t slots = table.numbers.size();
  const std::uint8_t tag = tag_of(spread);
  std::size_t slot = home_of(spread, slots);
  for (; table.numbers[slot] != 0; slot = slot + 1 == slots ? 0 : slot + 1)
    if (table.tags[slot] == tag && at(table.numbers[slot] - 1).hash == hash) break;
  return slot;
}

/// Both tables exist for a while: 5 bytes * 5/4 for each chunk, and half as much again.
void chunk_index::grow_slots() {
  slot_table larger;
  const std::size_t slots = std::max(first_slots, slots_.numbers.size() / 2 * 3);
  larger.tags.resize(slots);
  larger.numbers.resize(slots);
  note_peak(larger.bytes());
  for (std::uint64_t number = 0; number < size_; ++number) {
    const std::uint64_t spread_hash = spread(at(number).hash);
    std::size_t slot = home_of(spread_hash, slots);
    while (larger.numbers[slot] != 0) slot = slot + 1 == slots ? 0 : slot + 1;
    larger.tags[slot] = tag_of(spread_hash);
    larger.numbers[slot] = static_cast<std::uint32_t>(number + 1);
  }
  slots_ = std::move(larger);
}

bool chunk_index::insert(const hash256& hash, const chunk_place& place) {
  const std::uint64_t spread_hash = spread(hash);
  if (!slots_.numbers.empty()) {
    const std::uint32_t number = slots_.numbers[slot_of(slots_, hash, spread_hash)];
    if (number != 0) {
      chunk_place& known = at(number - 1).place;
      known = std::min(known, place);
      return false;
    }
  }
  if (size_ >= max_chunks_)
    throw error(errc::memory_limit, "more than " + std::to_string(max_chunks_) + " chunks");
  if ((size_ + 1) * 5 > std::uint64_t{slots_.numbers.size()} * 4) grow_slots();
  if (size_ == pieces_.size() * entries_per_piece)
    pieces_.push_back(std::make_unique<entry[]>(entries_per_piece));
  const std::size_t slot = slot_of(slots_, hash, spread_hash);
  at(size_) = {hash, place};
  slots_.tags[slot] = tag_of(spread_hash);
  slots_.numbers[slot] = static_cast<std::uint32_t>(++size_);
  note_peak(0);
  return true;
}

std::optional<chunk_place> chunk_index::find(const hash256& hash,
                                             std::uint32_t bytes) const noexcept {
  if (slots_.numbers.empty()) return std::nullopt;
  const std::uint32_t number = slots_.numbers[slot_of(slots_, hash, spread(hash))];
  if (number == 0 || at(number - 1).place.bytes != bytes) return std::nullopt;
  return at(number - 1).place;
}

std::uint64_t chunk_index::memory_bytes() const noexcept {
  return pieces_.size() * entries_per_piece * sizeof(entry) +
         pieces_.capacity() * sizeof(pieces_[0]) + slots_.bytes();
}

void chunk_index::note_peak(std::uint64_t extra) noexcept {
  peak_bytes_ = std::max(peak_bytes_, memory_bytes() + extra);
}

}  // namespace lmzip::archive
