#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

/// Random numbers by a key: the same key gives the same numbers, so that each row of a tensor can
/// be made alone. Good enough to look like trained weights, and faster than a disk.
namespace checkpoints {

/// Mixes the bits of a key (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t key) noexcept;

/// A key of a name.
std::uint64_t key_of(std::string_view name) noexcept;

/// Sixteen xorshift generators side by side, which compilers turn into vectors.
class random_bits {
 public:
  explicit random_bits(std::uint64_t key) noexcept;

  static constexpr std::size_t lanes = 16;

  /// Fills all of `out`.
  void fill(std::span<std::uint32_t> out) noexcept;

 private:
  void step() noexcept;

  std::array<std::uint32_t, lanes> state_;
};

/// Turns random bits into numbers of the normal distribution, by a table of its quantiles. None is
/// larger than 4.6.
void to_normal(std::span<const std::uint32_t> bits, std::span<float> out) noexcept;

/// One such number.
double normal_of(std::uint64_t key) noexcept;

}  // namespace checkpoints
