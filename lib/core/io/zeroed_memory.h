#pragma once

#include <cstddef>

namespace lmzip::io {

/// Memory for tables: zeros, aligned to 128 bytes. If it is large (memory.h) it is aligned to a
/// huge page and lies on such pages where the system has them; pages that are never touched cost
/// nothing, and the system gets all back at once.
///
/// Less memory comes from the C library, which clears and gives out again what was freed before.
/// For a block of a few kilobytes, fresh pages from the system would cost a third as much time as
/// the coding itself.
class zeroed_memory {
 public:
  /// Throws std::bad_alloc.
  explicit zeroed_memory(std::size_t bytes);
  ~zeroed_memory();
  zeroed_memory(const zeroed_memory&) = delete;
  zeroed_memory& operator=(const zeroed_memory&) = delete;

  std::byte* data() const noexcept { return data_; }

 private:
  void* taken_;
  std::size_t mapped_bytes_;  ///< 0: from the C library
  std::byte* data_;
};

}  // namespace lmzip::io
