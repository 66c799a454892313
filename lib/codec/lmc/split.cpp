#include "codec/lmc/field_loops.h"
#include "codec/lmc/plane_kernels.h"
#include "core/cpu.h"

namespace lmzip::codec::lmc {

namespace scalar {

struct target;

split_function find_split(field kind) noexcept {
  switch (kind) {
    case field::byte:
      return field_loops<target, std::uint8_t, 0, 0, 0>::split;
    case field::upper5:
      return field_loops<target, std::uint8_t, 0, 0, 3>::split;
    case field::e5m2:
      return field_loops<target, std::uint8_t, 1, 0, 3>::split;
    case field::e4m3:
      return field_loops<target, std::uint8_t, 1, 0, 3>::split;
    case field::sixbit:
      return small_loops<target>::split_sixbit;
    case field::fourbit:
      return small_loops<target>::split_fourbit;
    case field::f16:
      return field_loops<target, std::uint16_t, 1, 1, 2>::split;
    case field::bf16:
      return field_loops<target, std::uint16_t, 1, 1, 0>::split;
    case field::f32:
      return f32_loops<target>::split;
    case field::f64_range:
      return f64_loops<target>::split_range;
    case field::f64:
      return f64_loops<target>::split;
    case field::integer:
      return integer_loops<target>::split;
  }
  return nullptr;
}

}  // namespace scalar

split_function find_split(field kind) noexcept {
#if defined(__x86_64__)
  if (active_has_byte_permutes())
    if (const auto found = avx512::find_split(kind)) return found;
  if (active_isa() >= isa::avx2)
    if (const auto found = avx2::find_split(kind)) return found;
#endif
  return scalar::find_split(kind);
}

}  // namespace lmzip::codec::lmc
