#include "codec/text/symbol_coder.h"

#include "core/cpu.h"

namespace lmzip::codec::text {
namespace {

const symbol_coder_table& active_coders() noexcept {
#if defined(__x86_64__)
  if (active_isa() == isa::avx512) return avx512::coders;
  if (active_isa() == isa::avx2) return avx2::coders;
#endif
  return scalar::coders;
}

}  // namespace

const symbol_coder& find_coder(int strength, symbol_kind kind, bool network) noexcept {
  const symbol_coder_table& coders = active_coders();
  if (network)
    return coders.with_network[static_cast<std::size_t>(strength - min_network_strength)];
  return coders
      .alone[static_cast<std::size_t>(strength - min_strength)][static_cast<std::size_t>(kind)];
}

}  // namespace lmzip::codec::text
