#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lmzip::codec::delta {

/// Differences fit a number of this type.
template <class Word>
using number_of = std::conditional_t<(sizeof(Word) > 4), std::uint64_t, std::uint32_t>;

/// How keys are taken from words: ((word >> shift) & mask) - offset, moved into 0 … 255.
struct key_form {
  unsigned shift;
  std::uint32_t mask;
  std::int32_t offset;
};

/// Loops over words of elements, on the instruction sets: all give equal results.
///
/// The place of a floating-point number is that of its bits among all, in the order of the numbers:
/// sign and magnitude become one unsigned integer. The place of an integer is itself. A difference
/// is that of two places in the bits of a word, its sign folded into the lowest bit.
template <class Word>
struct word_kernels {
  void (*differences)(bool floating, const Word* words, const Word* base, std::size_t count,
                      number_of<Word>* to);
  void (*add)(bool floating, const number_of<Word>* differences, const Word* base,
              std::size_t count, Word* to);
  void (*keys)(key_form form, const Word* words, std::size_t count, std::uint8_t* to);
};

/// Those for words of 8, 16, 32 and 64 bits.
struct all_word_kernels : word_kernels<std::uint8_t>,
                          word_kernels<std::uint16_t>,
                          word_kernels<std::uint32_t>,
                          word_kernels<std::uint64_t> {};

/// The kernels on the active instruction set (core/cpu.h).
const all_word_kernels& active_kernels() noexcept;

template <class Word>
const word_kernels<Word>& active_word_kernels() noexcept {
  return active_kernels();
}

namespace scalar {
extern const all_word_kernels kernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const all_word_kernels kernels;
}
#endif

}  // namespace lmzip::codec::delta
