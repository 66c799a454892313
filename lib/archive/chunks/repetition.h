#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lmzip::archive {

/// Measures how much of a group of chunks repeats something that came before it in the group, as
/// the share of duplicates among fingerprints of 32 bytes each. Fingerprints are taken where their
/// own bits say so (content-defined sampling), so that a repeat is sampled at the same places as
/// what it repeats, whatever the shift. Where content gives no such place for long, as in a run of
/// zeros, one is forced.
///
/// Deterministic. Looks at every byte once, 1 GB/s or more; 512 KiB of memory.
class repetition_meter {
 public:
  /// For a group of about `expected_bytes`; more is allowed, but then fingerprints are forgotten.
  explicit repetition_meter(std::uint64_t expected_bytes);

  /// The next chunk. No fingerprint lies across the border of two chunks.
  void add(std::span<const std::byte> chunk) noexcept;

  /// Fingerprints taken so far, and how many of them were there before.
  std::uint64_t samples() const noexcept { return samples_; }
  std::uint64_t duplicates() const noexcept { return duplicates_; }

  /// The rate in units of 1/1000; 0 before anything was sampled.
  unsigned rate() const noexcept {
    return samples_ == 0 ? 0 : static_cast<unsigned>(duplicates_ * 1000 / samples_);
  }

 private:
  void sample(std::uint64_t hash) noexcept;

  int spacing_bits_;  // one fingerprint in 2^n bytes
  std::uint64_t samples_ = 0;
  std::uint64_t duplicates_ = 0;
  std::vector<std::uint64_t> seen_;
};

/// The rate of one string of bytes.
unsigned repetition_rate(std::span<const std::byte> plain);

}  // namespace lmzip::archive
