#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Arithmetic on sizes that come from files, and words about them. Nothing wraps around.
namespace lmzip::tensors {

inline std::optional<std::uint64_t> sum_of(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

inline std::optional<std::uint64_t> product_of(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

/// Elements of a tensor, multiplied from left to right: a factor 0 does not mend an overflow that
/// stands before it, as in the reference reader of safetensors.
inline std::optional<std::uint64_t> elements_of(std::span<const std::uint64_t> shape) noexcept {
  std::uint64_t count = 1;
  for (const std::uint64_t axis : shape) {
    const auto next = product_of(count, axis);
    if (!next) return std::nullopt;
    count = *next;
  }
  return count;
}

/// `value` rounded up to a multiple of `alignment`, a power of two.
inline std::optional<std::uint64_t> aligned(std::uint64_t value, std::uint64_t alignment) noexcept {
  const auto past = sum_of(value, alignment - 1);
  if (!past) return std::nullopt;
  return *past & ~(alignment - 1);
}

/// `name` in quotes, cut and made printable, for a reason.
inline std::string quoted(std::string_view name) {
  constexpr std::size_t longest = 60;
  std::string text(name.substr(0, longest));
  for (char& c : text)
    if (c < 0x20 || c > 0x7e || c == '"') c = '?';
  return '"' + text + (name.size() > longest ? "...\"" : "\"");
}

}  // namespace lmzip::tensors
