#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Finds what of new bytes stands in earlier ones already, finer than chunks do.
namespace lmzip::bench {

/// New bytes that equal earlier ones.
struct copy {
  std::size_t at = 0;    ///< in the new bytes
  std::size_t from = 0;  ///< in the earlier bytes
  std::size_t bytes = 0;
};

class copy_finder {
 public:
  /// Copies have `min_bytes` or more, at least 16. `earlier` must outlive the finder and have less
  /// than 2^36 bytes.
  copy_finder(std::span<const std::byte> earlier, std::size_t min_bytes);

  /// By `at`, without overlaps: greedy, each as long as it gets.
  std::vector<copy> find(std::span<const std::byte> fresh) const;

 private:
  copy extend(std::span<const std::byte> fresh, std::size_t at, std::size_t from,
              std::size_t from_at) const;

  std::span<const std::byte> earlier_;
  std::size_t min_bytes_, window_, stride_;
  int table_bits_ = 0;
  std::vector<std::uint32_t> places_;  // of a window, in strides, plus 1
};

/// What stands between the copies.
std::vector<std::byte> literals_of(std::span<const std::byte> fresh,
                                   const std::vector<copy>& copies);

/// The copies as LEB128 numbers: gap, length, and the distance from where the copy before would
/// have gone on.
std::vector<std::byte> write_copies(const std::vector<copy>& copies, std::size_t min_bytes);

}  // namespace lmzip::bench
