#pragma once

#include <array>
#include <cstdint>

namespace lmzip::model {

/// An adaptive bit counter in 16 bits: 13 bits of probability and 3 of a count that slows the
/// adaptation down. Stored with the top bit inverted, so that zeroed memory is a fresh counter.
class bit_counter {
 public:
  /// Chance of a 1 in units of 2^-16; the count makes up the lowest 3 bits.
  std::uint32_t probability() const noexcept { return stored_ ^ 0x8000U; }

  void update(bool bit) noexcept {
    static constexpr std::array<std::int32_t, 8> rate{32768, 21845, 16384, 12000,
                                                      8600,  6500,  4700,  3400};
    const std::uint32_t value = probability();
    const std::uint32_t count = value & 7;
    auto p = static_cast<std::int32_t>(value & 0xfff8);
    p += ((bit ? 0xfff8 - p : -p) * rate[count]) >> 16;
    stored_ = static_cast<std::uint16_t>(
        ((static_cast<std::uint32_t>(p) & 0xfff8) | (count < 7 ? count + 1 : 7)) ^ 0x8000U);
  }

  std::uint32_t count() const noexcept { return stored_ & 7; }

 private:
  std::uint16_t stored_;
};

/// The counters of four levels of the tree under one node in one context: 32 bytes. Counter 1 is
/// the first node's, 2 and 3 its children's, and so on.
struct counter_slot {
  static constexpr int levels = 4;

  std::uint16_t check;  ///< of the context and node; odd, so that zeroed memory matches nothing
  std::array<bit_counter, 15> counters;

  bit_counter& at(std::uint32_t position) noexcept { return counters[position - 1]; }
};
static_assert(sizeof(counter_slot) == 32);

/// A hash table of counter slots for one context. Four slots in two neighbouring cache lines make
/// a bucket. The bucket of a node is found by its grandparent, so that it can be fetched two
/// decisions before it is needed; the check tells the four grandchildren apart.
class counter_slots {
 public:
  static constexpr unsigned log2_ways = 2;

  /// Where the slots of up to four sister nodes lie, and what their checks are made of.
  struct bucket {
    counter_slot* slots;
    std::uint32_t check;
  };

  counter_slots() = default;

  /// `table` has 2^log2_size zeroed slots, aligned to 128 bytes.
  counter_slots(counter_slot* table, unsigned log2_size) noexcept
      : table_(table), mask_((std::uint64_t{1} << (log2_size - log2_ways)) - 1) {}

  /// The bucket of a hash, on its way into the cache.
  bucket fetch(std::uint64_t hash) const noexcept {
    counter_slot* slots = table_ + ((hash >> 40 & mask_) << log2_ways);
    __builtin_prefetch(slots);
    __builtin_prefetch(slots + 2);
    return {slots, static_cast<std::uint32_t>(hash >> 8 & 0xffff)};
  }

  /// The slot of one of the sisters, 0 … 3. If it has none, the slot whose first counter has seen
  /// least is cleared for it.
  static counter_slot& find(const bucket& in, std::uint32_t sister) noexcept {
    const auto check = static_cast<std::uint16_t>((in.check ^ sister << 1) | 1);
    counter_slot* victim = in.slots;
    for (std::uint32_t way = 0; way < 1U << log2_ways; ++way) {
      counter_slot& slot = in.slots[way];
      if (slot.check == check) return slot;
      if (slot.at(1).count() < victim->at(1).count()) victim = &slot;
    }
    *victim = counter_slot{};
    victim->check = check;
    return *victim;
  }

 private:
  counter_slot* table_ = nullptr;
  std::uint64_t mask_ = 0;
};

}  // namespace lmzip::model
