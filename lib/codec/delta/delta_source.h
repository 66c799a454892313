#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "codec/delta/cast.h"
#include "codec/delta/delta_codec.h"
#include "codec/delta/word_kernels.h"
#include "codec/ratio/lane_stream.h"
#include "core/endian.h"

namespace lmzip::codec::delta {

/// What the coder knows of a type.
struct element_form {
  unsigned bytes;  ///< of a word; complex numbers are two
  bool floating;
  key_form key;
};

element_form form_of(dtype type) noexcept;

/// Reads `count` words, little-endian at `from`.
template <class Word>
void load_words(const std::byte* from, std::size_t count, Word* to) noexcept {
  if constexpr (std::endian::native == std::endian::little)
    std::memcpy(to, from, count * sizeof(Word));
  else
    for (std::size_t i = 0; i < count; ++i) to[i] = load_le<Word>(from + i * sizeof(Word));
}

/// The inverse.
template <class Word>
void store_words(const Word* from, std::size_t count, std::byte* to) noexcept {
  if constexpr (std::endian::native == std::endian::little)
    std::memcpy(to, from, count * sizeof(Word));
  else
    for (std::size_t i = 0; i < count; ++i) store_le(to + i * sizeof(Word), from[i]);
}

/// Words of the base, cast to the type of the tensor.
template <class Word>
class base_reader {
 public:
  base_reader(dtype type, const base_numbers& base)
      : type_(type),
        base_(base),
        step_(type == base.type ? sizeof(Word) : bits_of(base.type) / 8) {}

  void words(std::size_t first, std::size_t count, Word* to) const noexcept {
    const std::byte* const from = base_.bytes.data() + first * step_;
    if (type_ == base_.type) {
      load_words(from, count, to);
    } else {
      std::byte numbers[ratio::block_elements * sizeof(Word)];
      cast(base_.type, from, count, type_, numbers);
      load_words(numbers, count, to);
    }
  }

 private:
  dtype type_;
  base_numbers base_;
  std::size_t step_;
};

/// Differences as numbers of a magnitude stream (codec/ratio/magnitude_stream.h).
template <class Word>
class delta_source {
 public:
  using number = number_of<Word>;

  delta_source(dtype type, const base_numbers& base, const std::byte* plain)
      : form_(form_of(type)), base_(type, base), plain_(plain) {}

  /// Leaves the base's words of these elements for keys().
  void numbers(std::size_t first, std::size_t count, number* to) noexcept {
    load_words(plain_ + first * sizeof(Word), count, words_);
    base_.words(first, count, base_words_);
    active_word_kernels<Word>().differences(form_.floating, words_, base_words_, count, to);
  }

  /// Of the elements of the last call of numbers().
  void keys(std::size_t, std::size_t count, std::uint8_t* to) const noexcept {
    active_word_kernels<Word>().keys(form_.key, base_words_, count, to);
  }

 private:
  element_form form_;
  base_reader<Word> base_;
  const std::byte* plain_;
  Word words_[ratio::block_elements];
  Word base_words_[ratio::block_elements];
};

/// Puts differences and base together (codec/ratio/magnitude_decoder.h).
template <class Word>
class delta_sink {
 public:
  using number = number_of<Word>;

  delta_sink(dtype type, const base_numbers& base, std::byte* plain)
      : form_(form_of(type)), base_(type, base), plain_(plain) {}

  void keys(std::size_t first, std::size_t count, std::uint8_t* to) noexcept {
    base_.words(first, count, base_words_);
    loaded_ = first;
    active_word_kernels<Word>().keys(form_.key, base_words_, count, to);
  }

  void put(std::size_t first, std::size_t count, const number* from) noexcept {
    if (loaded_ != first) base_.words(first, count, base_words_);
    active_word_kernels<Word>().add(form_.floating, from, base_words_, count, words_);
    store_words(words_, count, plain_ + first * sizeof(Word));
  }

 private:
  element_form form_;
  base_reader<Word> base_;
  std::byte* plain_;
  std::size_t loaded_ = ~std::size_t{0};  ///< whose words base_words_ holds
  Word words_[ratio::block_elements];
  Word base_words_[ratio::block_elements];
};

}  // namespace lmzip::codec::delta
