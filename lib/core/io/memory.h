#pragma once

#include <cstdint>

namespace lmzip::io {

/// Bytes of memory that this process may use: the smallest of its address-space limit
/// (RLIMIT_AS), the limit of its control group (version 2), and the machine's memory. Never 0.
std::uint64_t usable_memory();

}  // namespace lmzip::io
