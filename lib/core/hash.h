#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace lmzip {

/// A 256-bit content hash or identifier.
using hash256 = std::array<std::byte, 32>;

/// XXH3, 64 bits, seed 0: the checksum of blocks and headers.
std::uint64_t xxh3_64(std::span<const std::byte> bytes) noexcept;

/// SHA-256 of a byte string that arrives in pieces.
class sha256 {
 public:
  sha256();
  ~sha256();
  sha256(sha256&&) noexcept;
  sha256& operator=(sha256&&) noexcept;

  void update(std::span<const std::byte> bytes);

  /// The hash of everything so far; the object then starts anew.
  hash256 finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

hash256 sha256_of(std::span<const std::byte> bytes);

/// Lower-case hexadecimal.
std::string to_hex(std::span<const std::byte> bytes);

}  // namespace lmzip
