#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cursor.h"

namespace lmzip::codec::ratio {

/// Contexts of keys: a context is an interval of them.
class key_contexts {
 public:
  static constexpr unsigned max_count = 16;

  /// One context.
  key_contexts() = default;

  /// `firsts` are the first keys of the contexts after the first one, in rising order.
  explicit key_contexts(std::vector<std::uint8_t> firsts) : firsts_(std::move(firsts)) {}

  /// Reads `count` contexts, 1 … max_count; throws error(damaged) or error(truncated).
  static key_contexts read(unsigned count, cursor& in);
  void append_to(std::vector<std::byte>& bytes) const;

  unsigned count() const noexcept { return static_cast<unsigned>(firsts_.size()) + 1; }

  /// Contexts of keys. The arrays have room to the next multiple of 64.
  void of(const std::uint8_t* keys, std::size_t count, std::uint8_t* contexts) const noexcept;

 private:
  std::vector<std::uint8_t> firsts_;
};

}  // namespace lmzip::codec::ratio
