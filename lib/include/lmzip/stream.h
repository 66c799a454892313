#pragma once

#include <cstddef>
#include <span>

#pragma GCC visibility push(default)

namespace lmzip {

/// Bytes that come in, in order. Not thread-safe; one reader at a time.
class source {
 public:
  virtual ~source() = default;

  /// Reads up to `out.size()` bytes and returns how many. Returns 0 only at the end of the data
  /// (or for an empty `out`); fewer than asked does not mean the end. Throws error(io).
  virtual std::size_t read(std::span<std::byte> out) = 0;
};

/// Bytes that go out, in order. Not thread-safe; one writer at a time.
class sink {
 public:
  virtual ~sink() = default;

  /// Writes all of `data` or throws error(io).
  virtual void write(std::span<const std::byte> data) = 0;
};

}  // namespace lmzip

#pragma GCC visibility pop
