#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The rolling hash of FastCDC: hash = 2 * hash + gear[byte], modulo 2^64. A byte leaves it after
/// 64 steps, so it is a hash of the last 64 bytes; its high bits depend on the most of them.
namespace lmzip::archive {

/// One number a byte value: the first 256 outputs of SplitMix64 with seed 0 (Steele, Lea and Flood:
/// Fast splittable pseudorandom number generators, 2014). Chunk borders depend on it, so changing
/// it ends deduplication against archives made before.
constexpr std::array<std::uint64_t, 256> make_gear() {
  std::array<std::uint64_t, 256> gear{};
  std::uint64_t state = 0;
  for (std::uint64_t& number : gear) {
    state += 0x9e3779b97f4a7c15;
    number = state;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
    number = (number ^ number >> 27) * 0x94d049bb133111eb;
    number ^= number >> 31;
  }
  return gear;
}

inline constexpr std::array<std::uint64_t, 256> gear = make_gear();

inline std::uint64_t gear_of(std::byte value) noexcept {
  return gear[std::to_integer<std::size_t>(value)];
}

}  // namespace lmzip::archive
