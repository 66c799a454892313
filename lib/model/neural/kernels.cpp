#include "model/neural/kernels.h"

#include "core/cpu.h"

namespace lmzip::model::neural {

const kernel_table& active_kernels() noexcept {
#if defined(__x86_64__)
  if (active_isa() == isa::avx512 && __builtin_cpu_supports("avx512vnni")) return avx512::kernels;
  if (active_isa() >= isa::avx2) return avx2::kernels;
#endif
  return scalar::kernels;
}

}  // namespace lmzip::model::neural
