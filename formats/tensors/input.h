#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>

#include "core/io/file.h"

namespace lmzip::tensors {

/// Reads up to `out.size()` bytes at `offset` of an input and returns how many; 0 only at its end.
/// Throws error(io).
using read_at_function = std::function<std::size_t(std::uint64_t offset, std::span<std::byte> out)>;

/// An input that can be read anywhere.
struct random_input {
  read_at_function read_at;
  std::uint64_t bytes = 0;
};

/// Bytes in memory, which must outlive the input.
inline random_input input_of(std::span<const std::byte> view) {
  return {[view](std::uint64_t offset, std::span<std::byte> out) -> std::size_t {
            if (offset >= view.size()) return 0;
            const auto rest = view.subspan(static_cast<std::size_t>(offset));
            const std::size_t count = std::min(rest.size(), out.size());
            if (count > 0) std::memcpy(out.data(), rest.data(), count);
            return count;
          },
          view.size()};
}

/// A regular file, which must outlive the input; its size is taken now. Its position stays.
inline random_input input_of(io::file& file) {
  return {
      [&file](std::uint64_t offset, std::span<std::byte> out) { return file.read_at(offset, out); },
      file.status().bytes};
}

/// Fills `out` from `offset` on and returns how much of it: all, unless the input ends.
inline std::size_t read_fully(const random_input& in, std::uint64_t offset,
                              std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    const std::size_t got = in.read_at(offset + filled, out.subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

}  // namespace lmzip::tensors
