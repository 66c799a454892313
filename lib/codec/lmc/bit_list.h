#pragma once

#include <cstddef>
#include <cstdint>

#include "core/endian.h"

namespace lmzip::codec::lmc {

// Lists of numbers of 1 … 5 bits without gaps, the first in the lowest bits of the first byte.
// Eight numbers at a time, one in each byte of a word: neighbours are moved together in three
// steps. `Target` keeps functions for different instruction sets apart.

// Moves what `lower` does not select down, or up, to what it selects.
constexpr std::uint64_t closer(std::uint64_t word, std::uint64_t lower, unsigned shift) noexcept {
  return (word & lower) | (word & ~lower) >> shift;
}
constexpr std::uint64_t apart(std::uint64_t word, std::uint64_t lower, unsigned shift) noexcept {
  return (word & lower) | (word & ~lower) << shift;
}

/// The lowest `bits` of every `period`.
constexpr std::uint64_t repeated_ones(unsigned bits, unsigned period) noexcept {
  std::uint64_t word = 0;
  for (unsigned at = 0; at < 64; at += period) word |= ((std::uint64_t{1} << bits) - 1) << at;
  return word;
}

template <class Target, unsigned Bits>
std::uint64_t gather_bits(std::uint64_t bytes) noexcept {
  bytes = closer(bytes, repeated_ones(8, 16), 8 - Bits);
  bytes = closer(bytes, repeated_ones(16, 32), 16 - 2 * Bits);
  return closer(bytes, repeated_ones(32, 64), 32 - 4 * Bits);
}

template <class Target, unsigned Bits>
std::uint64_t spread_bits(std::uint64_t packed) noexcept {
  packed = apart(packed, repeated_ones(4 * Bits, 64), 32 - 4 * Bits);
  packed = apart(packed, repeated_ones(2 * Bits, 32), 16 - 2 * Bits);
  return apart(packed, repeated_ones(Bits, 16), 8 - Bits);
}

/// Writes (count * Bits + 7) / 8 bytes. Values are below 2^Bits; up to 7 behind the last are read.
template <class Target, unsigned Bits>
void pack_bits(const std::uint8_t* values, std::uint8_t* packed, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8, packed += Bits) {
    const std::uint64_t word = gather_bits<Target, Bits>(load_le<std::uint64_t>(values + i));
    for (unsigned byte = 0; byte < Bits; ++byte)
      packed[byte] = static_cast<std::uint8_t>(word >> 8 * byte);
  }
  if (i == count) return;
  const std::uint64_t keep = (std::uint64_t{1} << 8 * (count - i)) - 1;
  const std::uint64_t word = gather_bits<Target, Bits>(load_le<std::uint64_t>(values + i) & keep);
  for (unsigned byte = 0; byte < ((count - i) * Bits + 7) / 8; ++byte)
    packed[byte] = static_cast<std::uint8_t>(word >> 8 * byte);
}

/// Reads (count * Bits + 7) / 8 bytes; writes up to 7 values behind the last.
template <class Target, unsigned Bits>
void unpack_bits(const std::uint8_t* packed, std::uint8_t* values, std::size_t count) noexcept {
  const std::size_t size = (count * Bits + 7) / 8;
  std::size_t at = 0;
  // Eight bytes are read where there are as many, as a load that follows byte stores would stall.
  for (; at + 8 <= size; at += Bits, values += 8)
    store_le(values, spread_bits<Target, Bits>(load_le<std::uint64_t>(packed + at) &
                                               repeated_ones(8 * Bits, 64)));
  for (; at < size; at += Bits, values += 8) {
    std::uint64_t word = 0;
    for (std::size_t byte = 0; byte < Bits && at + byte < size; ++byte)
      word |= std::uint64_t{packed[at + byte]} << 8 * byte;
    store_le(values, spread_bits<Target, Bits>(word));
  }
}

}  // namespace lmzip::codec::lmc
