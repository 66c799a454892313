#include "codec/bwt/run_coder.h"

#include "codec/bwt/run_coder_parts.h"
#include "core/cpu.h"

namespace lmzip::codec::bwt {

std::uint64_t run_encoder_memory() noexcept {
  return rans_encoder::memory(chunk_decisions + max_run_decisions + max_list_decisions);
}

const run_coder& active_run_coder() noexcept {
#if defined(__x86_64__)
  if (active_isa() != isa::scalar) return avx2::coder;
#endif
  return scalar::coder;
}

}  // namespace lmzip::codec::bwt
