#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/byte_buffer.h"

namespace lmzip::engine {

/// Keeps the decoded blocks that were used last. Not thread-safe.
class block_cache {
 public:
  /// `most_bytes` of memory; one block is kept even if it is larger.
  explicit block_cache(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  /// The block with number `key`, or nothing. Valid until the next call of insert().
  std::optional<std::span<const std::byte>> find(std::uint64_t key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return std::nullopt;
    blocks_.splice(blocks_.begin(), blocks_, found->second);
    return found->second->plain;
  }

  /// Memory to decode a block into: that of a block which has to go anyway, if there is one.
  byte_buffer take_buffer() noexcept { return std::exchange(spare_, {}); }

  /// Keeps a block that is not there yet; `plain` lies in `memory`.
  void insert(std::uint64_t key, byte_buffer memory, std::span<const std::byte> plain) {
    bytes_ += memory.capacity();
    blocks_.push_front({key, std::move(memory), plain});
    places_[key] = blocks_.begin();
    while (bytes_ > most_bytes_ && blocks_.size() > 1) {
      bytes_ -= blocks_.back().memory.capacity();
      places_.erase(blocks_.back().key);
      spare_ = std::move(blocks_.back().memory);
      blocks_.pop_back();
    }
  }

 private:
  struct kept {
    std::uint64_t key;
    byte_buffer memory;
    std::span<const std::byte> plain;
  };

  std::uint64_t most_bytes_;
  std::uint64_t bytes_ = 0;
  std::list<kept> blocks_;  // the one used last in front
  std::unordered_map<std::uint64_t, std::list<kept>::iterator> places_;
  byte_buffer spare_;
};

}  // namespace lmzip::engine
