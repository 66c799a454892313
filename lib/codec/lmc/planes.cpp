#include "codec/lmc/planes.h"

#include <array>

namespace lmzip::codec::lmc {
namespace {

template <std::size_t Width, bool Signed>
constexpr auto integer_planes() {
  std::array<plane, Width> planes{};
  for (std::size_t i = 0; i < Width; ++i)
    planes[i] = {field::integer, 8, 0, 0, Width, static_cast<std::uint8_t>(Width - 1 - i), Signed};
  return planes;
}

constexpr std::array byte_planes{plane{field::byte, 8, 0, 0}};
constexpr std::array upper5_planes{plane{field::upper5, 5, 0, 3}};
constexpr std::array e5m2_planes{plane{field::e5m2, 5, 0, 3}};
constexpr std::array e4m3_planes{plane{field::e4m3, 5, 0, 3}};
constexpr std::array sixbit_planes{plane{field::sixbit, 5, 0, 1}};
constexpr std::array fourbit_planes{plane{field::fourbit, 4, 0, 0}};
constexpr std::array f16_planes{plane{field::f16, 6, 1, 2}};
constexpr std::array bf16_planes{plane{field::bf16, 8, 1, 0}};
constexpr std::array f32_planes{plane{field::f32, 8, 3, 0}};
constexpr std::array f64_planes{plane{field::f64_range, 3, 0, 0}, plane{field::f64, 8, 6, 5}};
constexpr auto u16_planes = integer_planes<2, false>();
constexpr auto i16_planes = integer_planes<2, true>();
constexpr auto u32_planes = integer_planes<4, false>();
constexpr auto i32_planes = integer_planes<4, true>();
constexpr auto u64_planes = integer_planes<8, false>();
constexpr auto i64_planes = integer_planes<8, true>();

// By dtype.
constexpr std::array<layout, dtype_count> layouts = {{
    {1, 1, upper5_planes},   // bytes
    {1, 1, byte_planes},     // boolean
    {1, 1, upper5_planes},   // u8
    {1, 1, upper5_planes},   // i8
    {2, 1, u16_planes},      // u16
    {2, 1, i16_planes},      // i16
    {4, 1, u32_planes},      // u32
    {4, 1, i32_planes},      // i32
    {8, 1, u64_planes},      // u64
    {8, 1, i64_planes},      // i64
    {2, 1, f16_planes},      // f16
    {2, 1, bf16_planes},     // bf16
    {4, 1, f32_planes},      // f32
    {8, 1, f64_planes},      // f64
    {4, 1, f32_planes},      // c64
    {8, 1, f64_planes},      // c128
    {1, 1, e5m2_planes},     // f8_e5m2
    {1, 1, e4m3_planes},     // f8_e4m3
    {1, 1, e5m2_planes},     // f8_e5m2fnuz
    {1, 1, e4m3_planes},     // f8_e4m3fnuz
    {1, 1, byte_planes},     // f8_e8m0
    {3, 4, sixbit_planes},   // f6_e2m3
    {3, 4, sixbit_planes},   // f6_e3m2
    {1, 2, fourbit_planes},  // f4
}};

}  // namespace

const layout& layout_of(dtype type) noexcept { return layouts[static_cast<unsigned>(type)]; }

}  // namespace lmzip::codec::lmc
