#pragma once

#include "codec/lmc/planes.h"

namespace lmzip::codec::lmc {

// The functions behind find_join() and find_split(), by instruction set. All give equal bytes.

namespace scalar {
join_function find_join(field kind) noexcept;
split_function find_split(field kind) noexcept;
}  // namespace scalar

#if defined(__x86_64__)
namespace avx2 {
join_function find_join(field kind) noexcept;
split_function find_split(field kind) noexcept;
}  // namespace avx2

namespace avx512 {  // where active_has_byte_permutes() (core/cpu.h); null where avx2 has the best
join_function find_join(field kind) noexcept;
split_function find_split(field kind) noexcept;
}  // namespace avx512
#endif

}  // namespace lmzip::codec::lmc
