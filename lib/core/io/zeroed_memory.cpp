#include "core/io/zeroed_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "core/io/memory.h"

namespace lmzip::io {

zeroed_memory::zeroed_memory(std::size_t bytes) {
  const std::size_t alignment = bytes >= least_for_huge_pages ? huge_page : 1;
  mapped_bytes_ = std::max<std::size_t>(bytes, 1) + alignment - 1;
  mapped_ =
      mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED) throw std::bad_alloc();
  const std::size_t past_border = reinterpret_cast<std::uintptr_t>(mapped_) % alignment;
  const std::size_t skipped = past_border == 0 ? 0 : alignment - past_border;
  data_ = static_cast<std::byte*>(mapped_) + skipped;
  prefer_huge_pages(data_, bytes);
}

zeroed_memory::~zeroed_memory() { munmap(mapped_, mapped_bytes_); }

}  // namespace lmzip::io
