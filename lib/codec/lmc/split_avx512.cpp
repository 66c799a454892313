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

// Every second byte of two vectors.
constexpr byte_places evens = make_places([](unsigned i) { return 2 * i; });
constexpr byte_places odds = make_places([](unsigned i) { return 2 * i + 1; });
// The lower three of every four bytes; the upper one.
constexpr byte_places threes =
    make_places([](unsigned i) { return i < 48 ? i / 3 * 4 + i % 3 : 0; });
constexpr byte_places fourths = make_places([](unsigned i) { return (4 * i + 3) % 64; });
// The lower `Bits` bytes of every eight.
template <unsigned Bits>
constexpr byte_places packed_bytes = make_places([](unsigned i) {
  return i < 8 * Bits ? i / Bits * 8 + i % Bits : 0;
});

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

// Loops run backwards, as the batches of the encoder do: the processor then sees one stream and
// fetches ahead.

struct target;

__m512i load(const void* from) { return _mm512_loadu_si512(from); }
__m512i load(const byte_places& places) { return _mm512_load_si512(places.of.data()); }
void store(void* to, __m512i value) { _mm512_storeu_si512(to, value); }

// Reads 64 numbers of two bytes, turns them, and sets their lower and upper bytes.
void load_pairs(const std::uint8_t* from, __m512i& lower, __m512i& upper) {
  __m512i a = load(from);
  __m512i b = load(from + 64);
  a = _mm512_shldi_epi16(a, a, 1);
  b = _mm512_shldi_epi16(b, b, 1);
  lower = _mm512_permutex2var_epi8(a, load(evens), b);
  upper = _mm512_permutex2var_epi8(a, load(odds), b);
}

// The lower `Bits` bits of 64 bytes, 2 or 3, without gaps.
template <unsigned Bits>
void pack(std::uint8_t* to, __m512i values) {
  const __m512i one = _mm512_and_si512(values, _mm512_set1_epi8((1 << Bits) - 1));
  const __m512i two = _mm512_maddubs_epi16(one, _mm512_set1_epi16((1 << Bits) << 8 | 1));
  const __m512i four = _mm512_madd_epi16(two, _mm512_set1_epi32((1 << 2 * Bits) << 16 | 1));
  const __m512i eight = _mm512_or_si512(four, _mm512_srli_epi64(four, 32 - 4 * Bits));
  const __m512i packed = _mm512_permutexvar_epi8(load(packed_bytes<Bits>), eight);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_castsi512_si128(packed));
  if constexpr (Bits == 3)
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to + 16), _mm512_extracti32x4_epi32(packed, 1));
}

void split_bf16(const plane& part, const std::uint8_t* plain, std::uint8_t* symbols,
                std::uint8_t* bytes, std::uint8_t* bits, std::size_t count) noexcept {
  std::size_t i = count / 64 * 64;
  field_loops<target, std::uint16_t, 1, 1, 0>::split(part, plain + 2 * i, symbols + i, bytes + i,
                                                     bits, count - i);
  while (i > 0) {
    i -= 64;
    __m512i lower;
    __m512i upper;
    load_pairs(plain + 2 * i, lower, upper);
    store(bytes + i, lower);
    store(symbols + i, upper);
  }
}

void split_f16(const plane& part, const std::uint8_t* plain, std::uint8_t* symbols,
               std::uint8_t* bytes, std::uint8_t* bits, std::size_t count) noexcept {
  std::size_t i = count / 64 * 64;
  field_loops<target, std::uint16_t, 1, 1, 2>::split(part, plain + 2 * i, symbols + i, bytes + i,
                                                     bits + i / 4, count - i);
  while (i > 0) {
    i -= 64;
    __m512i lower;
    __m512i upper;
    load_pairs(plain + 2 * i, lower, upper);
    store(bytes + i, lower);
    store(symbols + i, _mm512_and_si512(_mm512_srli_epi16(upper, 2), _mm512_set1_epi8(63)));
    pack<2>(bits + i / 4, upper);
  }
}

void split_f32(const plane& part, const std::uint8_t* plain, std::uint8_t* symbols,
               std::uint8_t* bytes, std::uint8_t* bits, std::size_t count) noexcept {
  std::size_t i = count / 16 * 16;
  f32_loops<target>::split(part, plain + 4 * i, symbols + i, bytes + 3 * i, bits, count - i);
  while (i > 0) {
    i -= 16;
    const __m512i number = _mm512_rol_epi32(load(plain + 4 * i), 1);
    const __m512i upper = _mm512_permutexvar_epi8(load(fourths), number);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(symbols + i), _mm512_castsi512_si128(upper));
    const __m512i lower = _mm512_permutexvar_epi8(load(threes), number);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(bytes + 3 * i), _mm512_castsi512_si256(lower));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes + 3 * i + 32),
                     _mm512_extracti32x4_epi32(lower, 2));
  }
}

// Numbers of a byte of which the upper five bits are the symbol, once turned by `Turn`.
template <unsigned Turn>
void split_upper5(const plane& part, const std::uint8_t* plain, std::uint8_t* symbols,
                  std::uint8_t* bytes, std::uint8_t* bits, std::size_t count) noexcept {
  std::size_t i = count / 64 * 64;
  field_loops<target, std::uint8_t, Turn, 0, 3>::split(part, plain + i, symbols + i, bytes,
                                                       bits + i / 8 * 3, count - i);
  while (i > 0) {
    i -= 64;
    __m512i number = load(plain + i);
    if constexpr (Turn != 0)
      number = _mm512_or_si512(_mm512_add_epi8(number, number),
                               _mm512_and_si512(_mm512_srli_epi16(number, 7), _mm512_set1_epi8(1)));
    store(symbols + i, _mm512_and_si512(_mm512_srli_epi16(number, 3), _mm512_set1_epi8(31)));
    pack<3>(bits + i / 8 * 3, number);
  }
}

}  // namespace

split_function find_split(field kind) noexcept {
  switch (kind) {
    case field::f16:
      return split_f16;
    case field::bf16:
      return split_bf16;
    case field::f32:
      return split_f32;
    case field::upper5:
      return split_upper5<0>;
    case field::e5m2:
    case field::e4m3:
      return split_upper5<1>;
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
