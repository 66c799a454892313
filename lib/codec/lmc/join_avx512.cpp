// Whatever is no vector code is included first, for the base instruction set, so that a function
// which this file shares with others never holds an instruction that the processor may lack.
#include <immintrin.h>

#include <array>
#include <bit>

#include "codec/lmc/plane_kernels.h"
#include "core/endian.h"

namespace lmzip::codec::lmc::avx512 {
namespace {

struct alignas(64) byte_places {
  std::array<std::uint8_t, 64> of{};
};

template <class Place>
constexpr byte_places make_places(Place place) {
  byte_places made;
  for (unsigned i = 0; i < 64; ++i) made.of[i] = static_cast<std::uint8_t>(place(i));
  return made;
}

// Of two vectors, a byte of each in turn.
constexpr byte_places lower_turns = make_places([](unsigned i) { return i % 2 * 64 + i / 2; });
constexpr byte_places upper_turns = make_places([](unsigned i) { return i % 2 * 64 + 32 + i / 2; });
// Three bytes of every four; byte 3 of each four from the symbols of 16 numbers.
constexpr byte_places threes = make_places([](unsigned i) { return i / 4 * 3 + i % 4; });
constexpr byte_places fourths = make_places([](unsigned i) { return i / 4; });
// The bytes in which 8 numbers of `Bits` bits lie, for each 8.
template <unsigned Bits>
constexpr byte_places packed_bytes = make_places([](unsigned i) {
  return i % 8 < Bits ? i / 8 * Bits + i % 8 : 0;
});
template <unsigned Bits>
constexpr byte_places packed_shifts = make_places([](unsigned i) { return i % 8 * Bits; });

}  // namespace
}  // namespace lmzip::codec::lmc::avx512

#if defined(__clang__)
#pragma clang attribute push(                                                                \
    __attribute__((                                                                          \
        target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")
#endif

#include "codec/lmc/field_loops.h"

namespace lmzip::codec::lmc::avx512 {
namespace {

struct target;

__m512i load(const void* from) { return _mm512_loadu_si512(from); }
__m512i load(const byte_places& places) { return _mm512_load_si512(places.of.data()); }
void store(void* to, __m512i value) { _mm512_storeu_si512(to, value); }

// Writes 64 numbers of two bytes each, turned back.
void store_pairs(std::uint8_t* to, __m512i lower, __m512i upper) {
  const __m512i a = _mm512_permutex2var_epi8(lower, load(lower_turns), upper);
  const __m512i b = _mm512_permutex2var_epi8(lower, load(upper_turns), upper);
  store(to, _mm512_shrdi_epi16(a, a, 1));
  store(to + 64, _mm512_shrdi_epi16(b, b, 1));
}

// 64 numbers of `Bits` bits, a byte each.
template <unsigned Bits>
__m512i unpack(const std::uint8_t* from) {
  constexpr auto used = static_cast<__mmask64>((std::uint64_t{1} << 8 * Bits) - 1);
  const __m512i packed =
      _mm512_permutexvar_epi8(load(packed_bytes<Bits>), _mm512_maskz_loadu_epi8(used, from));
  return _mm512_and_si512(_mm512_multishift_epi64_epi8(load(packed_shifts<Bits>), packed),
                          _mm512_set1_epi8((1 << Bits) - 1));
}

void join_bf16(const plane& part, const std::uint8_t* symbols, const std::uint8_t* bytes,
               const std::uint8_t* bits, std::uint8_t* plain, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 64 <= count; i += 64) store_pairs(plain + 2 * i, load(bytes + i), load(symbols + i));
  field_loops<target, std::uint16_t, 1, 1, 0>::join(part, symbols + i, bytes + i, bits,
                                                    plain + 2 * i, count - i);
}

void join_f16(const plane& part, const std::uint8_t* symbols, const std::uint8_t* bytes,
              const std::uint8_t* bits, std::uint8_t* plain, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    const __m512i above = _mm512_and_si512(_mm512_slli_epi16(load(symbols + i), 2),
                                           _mm512_set1_epi8(static_cast<char>(0xfc)));
    store_pairs(plain + 2 * i, load(bytes + i), _mm512_or_si512(above, unpack<2>(bits + i / 4)));
  }
  field_loops<target, std::uint16_t, 1, 1, 2>::join(part, symbols + i, bytes + i, bits + i / 4,
                                                    plain + 2 * i, count - i);
}

void join_f32(const plane& part, const std::uint8_t* symbols, const std::uint8_t* bytes,
              const std::uint8_t* bits, std::uint8_t* plain, std::size_t count) noexcept {
  constexpr __mmask64 top_bytes = 0x8888888888888888;
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    // The processor's own prefetching does not keep up with three streams.
    _mm_prefetch(reinterpret_cast<const char*>(bytes + 3 * i + 2048), _MM_HINT_T0);
    const __m512i lower = _mm512_permutexvar_epi8(
        load(threes), _mm512_maskz_loadu_epi8(0xffffffffffff, bytes + 3 * i));
    const __m512i upper =
        _mm512_castsi128_si512(_mm_loadu_si128(reinterpret_cast<const __m128i*>(symbols + i)));
    const __m512i number = _mm512_mask_permutexvar_epi8(lower, top_bytes, load(fourths), upper);
    store(plain + 4 * i, _mm512_ror_epi32(number, 1));
  }
  f32_loops<target>::join(part, symbols + i, bytes + 3 * i, bits, plain + 4 * i, count - i);
}

// Numbers of a byte of which the upper five bits are the symbol, once turned by `Turn`.
template <unsigned Turn>
void join_upper5(const plane& part, const std::uint8_t* symbols, const std::uint8_t* bytes,
                 const std::uint8_t* bits, std::uint8_t* plain, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    const __m512i above = _mm512_and_si512(_mm512_slli_epi16(load(symbols + i), 3),
                                           _mm512_set1_epi8(static_cast<char>(0xf8)));
    __m512i number = _mm512_or_si512(above, unpack<3>(bits + i / 8 * 3));
    if constexpr (Turn != 0) {
      const __m512i lowest = _mm512_set1_epi8(1);
      const __m512i down = _mm512_andnot_si512(_mm512_set1_epi8(static_cast<char>(0x80)),
                                               _mm512_srli_epi16(number, 1));
      number = _mm512_or_si512(down, _mm512_slli_epi16(_mm512_and_si512(number, lowest), 7));
    }
    store(plain + i, number);
  }
  field_loops<target, std::uint8_t, Turn, 0, 3>::join(part, symbols + i, bytes, bits + i / 8 * 3,
                                                      plain + i, count - i);
}

}  // namespace

join_function find_join(field kind) noexcept {
  switch (kind) {
    case field::f16:
      return join_f16;
    case field::bf16:
      return join_bf16;
    case field::f32:
      return join_f32;
    case field::upper5:
      return join_upper5<0>;
    case field::e5m2:
    case field::e4m3:
      return join_upper5<1>;
    default:
      return nullptr;
  }
}

}  // namespace lmzip::codec::lmc::avx512

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
