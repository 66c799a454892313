#include "core/io/zeroed_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "core/io/memory.h"

namespace lmzip::io {

zeroed_memory::zeroed_memory(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
  void* mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  prefer_huge_pages(mapped, bytes_);
  data_ = static_cast<std::byte*>(mapped);
}

zeroed_memory::~zeroed_memory() { munmap(data_, bytes_); }

}  // namespace lmzip::io
