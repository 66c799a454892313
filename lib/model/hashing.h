#pragma once

#include <cstdint>

namespace lmzip::model {

/// Mixes `value` into a running 64-bit hash; the upper bits are the good ones.
constexpr std::uint64_t hash_step(std::uint64_t hash, std::uint64_t value) noexcept {
  hash = (hash + value + 1) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

/// Spreads a hash over its upper bits, which index tables.
constexpr std::uint64_t hash_finish(std::uint64_t hash) noexcept {
  return hash * 0xD6E8FEB86659FD93u;
}

/// Hash of a word, letter by letter; 0 stands for "no word".
constexpr std::uint32_t word_step(std::uint32_t hash, std::uint8_t letter) noexcept {
  hash = (hash + letter + 1) * 0x2F0B4C47u;
  return hash ^ hash >> 15;
}

}  // namespace lmzip::model
