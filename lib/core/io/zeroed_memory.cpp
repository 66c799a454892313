#include "core/io/zeroed_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/io/memory.h"

namespace lmzip::io {
namespace {

constexpr std::size_t small_alignment = 128;

void* map(std::size_t bytes) {
  void* const mapped =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace

zeroed_memory::zeroed_memory(std::size_t bytes) {
  const bool large = bytes >= least_for_huge_pages;
  const std::size_t alignment = large ? huge_page : small_alignment;
  const std::size_t taken_bytes = bytes + alignment - 1;
  mapped_bytes_ = large ? taken_bytes : 0;
  taken_ = large ? map(taken_bytes) : std::calloc(taken_bytes, 1);
  if (taken_ == nullptr) throw std::bad_alloc();
  const std::size_t past_border = reinterpret_cast<std::uintptr_t>(taken_) % alignment;
  const std::size_t skipped = past_border == 0 ? 0 : alignment - past_border;
  data_ = static_cast<std::byte*>(taken_) + skipped;
  prefer_huge_pages(data_, bytes);
}

zeroed_memory::~zeroed_memory() {
  if (mapped_bytes_ != 0)
    munmap(taken_, mapped_bytes_);
  else
    std::free(taken_);
}

}  // namespace lmzip::io
