#include "codec/ratio/element_kernels.h"

#include "core/cpu.h"

namespace lmzip::codec::ratio {

const element_kernels& active_element_kernels() noexcept {
#if defined(__x86_64__)
  if (active_isa() != isa::scalar) return avx2::kernels;
#endif
  return scalar::kernels;
}

}  // namespace lmzip::codec::ratio
