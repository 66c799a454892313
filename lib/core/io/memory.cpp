#include "core/io/memory.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <string>

namespace lmzip::io {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return no_limit;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

std::uint64_t address_space_limit() {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  return limit.rlim_cur;
}

/// The file holds a number or the word "max".
std::uint64_t limit_in_file(const std::string& path) {
  std::ifstream in(path);
  std::string word;
  std::uint64_t bytes = 0;
  if (!(in >> word)) return no_limit;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), bytes);
  return failure == std::errc() && end == word.data() + word.size() ? bytes : no_limit;
}

/// A group's limit holds for all groups below it, so the smallest on the way up counts.
std::uint64_t control_group_limit() {
  std::ifstream in("/proc/self/cgroup");
  std::string line;
  while (std::getline(in, line)) {
    if (!line.starts_with("0::/")) continue;
    std::string group = line.substr(3);
    std::uint64_t smallest = no_limit;
    for (;;) {
      smallest = std::min(smallest, limit_in_file("/sys/fs/cgroup" + group + "/memory.max"));
      const auto slash = group.rfind('/');
      if (slash == std::string::npos) return smallest;
      group.resize(slash);
    }
  }
  return no_limit;
}

}  // namespace

std::uint64_t usable_memory() {
  const std::uint64_t bytes =
      std::min({machine_memory(), address_space_limit(), control_group_limit()});
  return std::max<std::uint64_t>(bytes, 1);
}

void prefer_huge_pages(void* memory, std::size_t bytes) noexcept {
  constexpr std::size_t page = 4096;
  if (bytes < least_for_huge_pages) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace lmzip::io
