#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "core/io/memory.h"

namespace lmzip::engine {

/// Memory for a block. Unlike a vector it never writes to memory that nobody asked for: growing a
/// block of 64 MiB costs neither zeros nor (where the C library moves pages) a copy. It is kept for
/// the next block.
class byte_buffer {
 public:
  std::size_t capacity() const noexcept { return capacity_; }

  /// At least `bytes` of memory whose first bytes, up to the old capacity, are what they were.
  /// Throws std::bad_alloc; the buffer is then as before.
  void grow(std::size_t bytes) {
    if (bytes <= capacity_) return;
    void* const moved = std::realloc(memory_.get(), bytes);
    if (moved == nullptr) throw std::bad_alloc();
    static_cast<void>(memory_.release());
    memory_.reset(static_cast<std::byte*>(moved));
    capacity_ = bytes;
    io::prefer_huge_pages(moved, bytes);
  }

  /// The first `bytes` with contents that nobody should read before writing them.
  std::span<std::byte> take(std::size_t bytes) {
    if (bytes > capacity_) {
      memory_.reset();
      capacity_ = 0;
      grow(bytes);
    }
    return first(bytes);
  }

  /// The first `bytes`, at most capacity().
  std::span<std::byte> first(std::size_t bytes) noexcept { return {memory_.get(), bytes}; }

  /// Gives the memory to the caller, who calls std::free(); may be null.
  std::byte* release() noexcept {
    capacity_ = 0;
    return memory_.release();
  }

 private:
  struct free_memory {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };

  std::unique_ptr<std::byte, free_memory> memory_;
  std::size_t capacity_ = 0;
};

}  // namespace lmzip::engine
