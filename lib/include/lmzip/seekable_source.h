#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#pragma GCC visibility push(default)

namespace lmzip {

/// Bytes that can be read at any position.
class seekable_source {
 public:
  virtual ~seekable_source() = default;

  /// Size in bytes; must not change while a reader uses it.
  virtual std::uint64_t size() = 0;

  /// Reads up to `out.size()` bytes at `offset` and returns how many. Returns 0 only at the end
  /// (or for an empty `out`). Called by one thread at a time. Throws error(io).
  virtual std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) = 0;
};

}  // namespace lmzip

#pragma GCC visibility pop
