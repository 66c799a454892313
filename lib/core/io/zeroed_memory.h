#pragma once

#include <cstddef>

namespace lmzip::io {

/// Memory for large tables: zeros, aligned to a page. If it is large (memory.h) it is aligned to a
/// huge page and lies on such pages where the system has them.
/// Pages that are never touched cost nothing.
class zeroed_memory {
 public:
  /// Throws std::bad_alloc.
  explicit zeroed_memory(std::size_t bytes);
  ~zeroed_memory();
  zeroed_memory(const zeroed_memory&) = delete;
  zeroed_memory& operator=(const zeroed_memory&) = delete;

  std::byte* data() const noexcept { return data_; }

 private:
  void* mapped_;
  std::size_t mapped_bytes_;
  std::byte* data_;
};

}  // namespace lmzip::io
