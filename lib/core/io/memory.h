#pragma once

#include <cstddef>
#include <cstdint>

namespace lmzip::io {

/// Bytes of memory that this process may use: the smallest of its address-space limit
/// (RLIMIT_AS), the limit of its control group (version 2), and the machine's memory. Never 0.
std::uint64_t usable_memory();

/// Size of a huge page on the machines that this is tuned for.
inline constexpr std::size_t huge_page = std::size_t{1} << 21;

/// Less memory than this is not worth them.
inline constexpr std::size_t least_for_huge_pages = huge_page;

/// Asks the system to back large memory by huge pages, which saves most of the time of touching it
/// first. A hint; small memory is left alone.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace lmzip::io
