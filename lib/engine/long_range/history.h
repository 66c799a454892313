#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lmzip::engine {

/// The last plain bytes of a member, by their position in it. Memory grows with what arrives, up to
/// the window and one piece. For one thread at a time.
class history {
 public:
  /// Keeps the last `window` bytes at least; 0: none.
  explicit history(std::uint64_t window);

  /// Upper bound of the memory that this takes.
  static std::uint64_t memory(std::uint64_t window) noexcept { return window + 2 * piece_bytes; }

  /// Adds bytes at the end.
  void append(std::span<const std::byte> bytes);

  /// Adds as many bytes, of which nobody knows what they were: zeros.
  void append_lost(std::uint64_t count);

  /// Position of the first byte that is kept, and behind the last one.
  std::uint64_t begin() const noexcept { return end_ - kept_; }
  std::uint64_t end() const noexcept { return end_; }

  /// Bytes from `position` on that lie together, at least one and at most `most`, which is not 0.
  /// begin() <= position < end().
  std::span<const std::byte> from(std::uint64_t position, std::uint64_t most) const noexcept;

  /// Bytes before `position` that lie together, in the same way. begin() < position <= end().
  std::span<const std::byte> before(std::uint64_t position, std::uint64_t most) const noexcept;

  /// Fills `out` from `position` on. begin() <= position, and enough bytes follow it.
  void copy(std::uint64_t position, std::span<std::byte> out) const noexcept;

 private:
  static constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;

  std::byte* at(std::uint64_t position) const noexcept;

  std::uint64_t window_;
  std::uint64_t end_ = 0;
  std::uint64_t kept_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> pieces_;  // a ring, once all are there
};

}  // namespace lmzip::engine
