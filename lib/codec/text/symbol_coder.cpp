#include "codec/text/symbol_coder.h"

#include "core/cpu.h"

namespace lmzip::codec::text {

const symbol_coder& token_coder() {
#if defined(__x86_64__)
  if (active_isa() == isa::avx512) return avx512::tokens;
  if (active_isa() == isa::avx2) return avx2::tokens;
#endif
  return scalar::tokens;
}

const symbol_coder& byte_coder() {
#if defined(__x86_64__)
  if (active_isa() == isa::avx512) return avx512::bytes;
  if (active_isa() == isa::avx2) return avx2::bytes;
#endif
  return scalar::bytes;
}

}  // namespace lmzip::codec::text
