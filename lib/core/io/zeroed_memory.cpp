#include "core/io/zeroed_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace lmzip::io {

zeroed_memory::zeroed_memory(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
  void* mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  constexpr std::size_t huge_page = std::size_t{1} << 21;
  if (bytes_ >= 2 * huge_page) madvise(mapped, bytes_, MADV_HUGEPAGE);
  data_ = static_cast<std::byte*>(mapped);
}

zeroed_memory::~zeroed_memory() { munmap(data_, bytes_); }

}  // namespace lmzip::io
