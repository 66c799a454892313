#pragma once

#include <cstddef>

namespace lmzip::io {

/// Memory for large tables: zeros, aligned to a page, on huge pages where the system has them. From
/// two huge pages on it is aligned to one, so that only its last part can be on small pages.
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
