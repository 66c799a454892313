#include "codec/delta/word_kernels.h"

#include "core/cpu.h"

namespace lmzip::codec::delta {

const all_word_kernels& active_kernels() noexcept {
#if defined(__x86_64__)
  if (active_isa() != isa::scalar) return avx2::kernels;
#endif
  return scalar::kernels;
}

}  // namespace lmzip::codec::delta
