#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lmzip/stream.h"

namespace lmzip::container {

/// A source with a window that can be looked at before it is consumed, and into which bytes can be
/// put back. Holds no more than was asked for, plus 64 KiB.
class input {
 public:
  explicit input(source& from) : from_(from) {}

  /// Position in the archive of the next byte.
  std::uint64_t offset() const noexcept { return offset_; }

  /// All bytes that were ever taken from the source.
  std::uint64_t bytes_received() const noexcept { return received_; }

  /// The next `count` bytes, fewer only at the end of the data. Valid until the next call.
  std::span<const std::byte> peek(std::size_t count);

  /// Whatever is in the window, at least one byte unless at the end of the data.
  std::span<const std::byte> peek_some();

  /// Consumes `count` bytes that were peeked.
  void skip(std::size_t count) noexcept;

  /// Consumes up to `count` bytes and returns them; fewer only at the end of the data. Allocates
  /// as the bytes arrive, so that a false count costs nothing. `into` is used for the result,
  /// whatever it holds: memory that was touched before is several times faster than new memory.
  std::vector<std::byte> take(std::size_t count, std::vector<std::byte> into = {});

  /// Consumes up to `count` bytes and returns how many there were.
  std::uint64_t discard(std::uint64_t count);

  /// Puts back the bytes that were consumed last.
  void unread(std::vector<std::byte> bytes);

 private:
  std::size_t buffered() const noexcept { return end_ - begin_; }
  std::size_t fill(std::span<std::byte> out);

  source& from_;
  std::vector<std::byte> window_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace lmzip::container
