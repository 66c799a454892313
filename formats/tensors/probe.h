#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "formats/tensors/layout.h"

namespace lmzip::tensors {

/// What the first bytes of an input say about it.
struct probe_result {
  enum class verdict : std::uint8_t {
    decided,       ///< `layout` holds
    more,          ///< ask again with the first `wanted` bytes, or with all if there are fewer
    needs_the_end  ///< it looks like a format whose directory stands at the end: see read_layout()
  };

  verdict is = verdict::decided;
  std::uint64_t wanted = 0;  ///< for verdict::more: more than were given
  tensor_layout layout;      ///< for verdict::decided

  static probe_result decide(tensor_layout layout) {
    return {.is = verdict::decided, .wanted = 0, .layout = std::move(layout)};
  }
  static probe_result ask_for(std::uint64_t bytes) {
    return {.is = verdict::more, .wanted = bytes, .layout = {}};
  }
};

/// The beginning of an input: its first bytes, and its size where that is known. If all of it is
/// there, the size is known.
struct beginning {
  std::span<const std::byte> bytes;
  std::optional<std::uint64_t> total;

  bool is_all() const noexcept { return total && *total <= bytes.size(); }
  /// For plain bytes.
  std::uint64_t known_bytes() const noexcept { return total.value_or(bytes.size()); }
};

/// A larger prefix for a reader that came to the end of the one it had: twice as much, within the
/// input and `limit`. Nothing if there is no more to have.
std::optional<std::uint64_t> larger_prefix(const beginning& from, std::uint64_t limit) noexcept;

}  // namespace lmzip::tensors
