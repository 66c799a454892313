// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include "codec/bwt/run_coder_parts.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif

#include "codec/bwt/run_coder_impl.h"
#include "codec/bwt/run_kernels_avx2.h"

namespace lmzip::codec::bwt::avx2 {

const run_coder coder = run_coder_functions<avx2_run_kernels>::table;

}  // namespace lmzip::codec::bwt::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
