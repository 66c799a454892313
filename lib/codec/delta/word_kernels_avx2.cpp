// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include "codec/delta/word_kernels.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif

#include "codec/delta/word_kernels_impl.h"

namespace lmzip::codec::delta::avx2 {

const all_word_kernels kernels = all_loops<struct avx2_target>;

}  // namespace lmzip::codec::delta::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
