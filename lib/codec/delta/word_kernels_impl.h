#pragma once

// Plain loops, which compilers turn into vector code for the instruction set that is switched on
// where this is included. `Target` keeps apart the functions of those files.

#include "codec/delta/word_kernels.h"

namespace lmzip::codec::delta {

template <class Word, class Target>
struct word_loops {
  static constexpr unsigned top = 8 * sizeof(Word) - 1;
  static constexpr Word sign = static_cast<Word>(Word{1} << top);

  template <bool Floating>
  static Word place_of(Word word) noexcept {
    if constexpr (!Floating) return word;
    return static_cast<Word>(word ^ (static_cast<Word>(0 - (word >> top)) | sign));
  }

  template <bool Floating>
  static Word word_at(Word place) noexcept {
    if constexpr (!Floating) return place;
    return static_cast<Word>(place ^ (static_cast<Word>((place >> top) - 1) | sign));
  }

  template <bool Floating>
  static void find_differences(const Word* words, const Word* base, std::size_t count,
                               number_of<Word>* to) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      const auto difference =
          static_cast<Word>(place_of<Floating>(words[i]) - place_of<Floating>(base[i]));
      to[i] = static_cast<Word>(static_cast<Word>(difference << 1) ^
                                static_cast<Word>(0 - (difference >> top)));
    }
  }

  static void differences(bool floating, const Word* words, const Word* base, std::size_t count,
                          number_of<Word>* to) {
    floating ? find_differences<true>(words, base, count, to)
             : find_differences<false>(words, base, count, to);
  }

  template <bool Floating>
  static void add_differences(const number_of<Word>* differences, const Word* base,
                              std::size_t count, Word* to) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      const auto folded = static_cast<Word>(differences[i]);
      const auto difference =
          static_cast<Word>(static_cast<Word>(folded >> 1) ^ static_cast<Word>(0 - (folded & 1)));
      to[i] = word_at<Floating>(static_cast<Word>(place_of<Floating>(base[i]) + difference));
    }
  }

  static void add(bool floating, const number_of<Word>* differences, const Word* base,
                  std::size_t count, Word* to) {
    floating ? add_differences<true>(differences, base, count, to)
             : add_differences<false>(differences, base, count, to);
  }

  static void keys(key_form form, const Word* words, std::size_t count, std::uint8_t* to) {
    if (form.offset == 0 && form.mask <= 255) {
      for (std::size_t i = 0; i < count; ++i)
        to[i] = static_cast<std::uint8_t>(words[i] >> form.shift & form.mask);
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto field = static_cast<std::int32_t>(words[i] >> form.shift & form.mask);
      const std::int32_t key = field - form.offset;
      to[i] = static_cast<std::uint8_t>(key < 0 ? 0 : key > 255 ? 255 : key);
    }
  }

  static constexpr word_kernels<Word> table = {differences, add, keys};
};

template <class Target>
inline constexpr all_word_kernels all_loops = {
    word_loops<std::uint8_t, Target>::table, word_loops<std::uint16_t, Target>::table,
    word_loops<std::uint32_t, Target>::table, word_loops<std::uint64_t, Target>::table};

}  // namespace lmzip::codec::delta
