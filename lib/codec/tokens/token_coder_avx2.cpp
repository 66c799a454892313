// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include "codec/tokens/token_coder_parts.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif

#include "codec/tokens/line_kernels_avx2.h"
#include "codec/tokens/token_coder_impl.h"
#include "model/kernels_avx2.h"
#include "model/row_kernels_avx2.h"

namespace lmzip::codec::tokens::avx2 {
namespace {

struct kernels {
  using lines = avx2_line_kernels;
  using rows = model::avx2_row_kernels;
  using mixing = model::avx2_kernels;
};

}  // namespace

const token_coder coder = coder_functions<kernels>::table;

}  // namespace lmzip::codec::tokens::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
