// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include "codec/text/symbol_coder_parts.h"
#include "model/strength.h"

#if defined(__clang__)
#pragma clang attribute push(                                                    \
    __attribute__((target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl")
#endif

#include "codec/text/symbol_coder_impl.h"
#include "model/kernels_avx2.h"

namespace lmzip::codec::text::avx512 {

const symbol_coder_table coders = all_coders<model::avx2_kernels_for<struct avx512_target>>;

}  // namespace lmzip::codec::text::avx512

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
