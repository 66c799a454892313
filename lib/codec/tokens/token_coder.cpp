#include "codec/tokens/token_coder.h"

#include "codec/tokens/token_coder_parts.h"
#include "core/cpu.h"

namespace lmzip::codec::tokens {

std::uint64_t encoder_memory(const token_setup& setup, std::uint64_t tokens) {
  return table_plan(setup).bytes + rans_encoder::memory(max_symbols(*setup.data, tokens)) +
         (std::uint64_t{16} << 10);
}

std::uint64_t decoder_memory(const token_setup& setup, std::uint64_t plain_bytes) {
  return table_plan(setup).bytes + plain_bytes * sizeof(std::uint16_t) + (std::uint64_t{16} << 10);
}

const token_coder& active_token_coder() {
#if defined(__x86_64__)
  if (active_isa() >= isa::avx2) return avx2::coder;
#endif
  return scalar::coder;
}

}  // namespace lmzip::codec::tokens
