#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "core/endian.h"

namespace lmzip::codec::ratio {

/// 0, -1, 1, -2, … as 0, 1, 2, 3, …, in as many bits as `Word` has.
template <class Word>
constexpr Word fold_sign(Word value) noexcept {
  constexpr unsigned top = 8 * sizeof(Word) - 1;
  return static_cast<Word>((value << 1) ^ static_cast<Word>(0 - (value >> top)));
}

template <class Word>
constexpr Word unfold_sign(Word value) noexcept {
  return static_cast<Word>((value >> 1) ^ static_cast<Word>(0 - (value & 1)));
}

/// Integers as numbers of a magnitude stream, in both directions.
template <class Word>
class integer_source {
 public:
  using number = std::conditional_t<(sizeof(Word) > 4), std::uint64_t, std::uint32_t>;

  integer_source(const std::byte* from, bool with_sign) : from_(from), with_sign_(with_sign) {}

  void numbers(std::size_t first, std::size_t count, number* to) const noexcept {
    const std::byte* const from = from_ + first * sizeof(Word);
    if (with_sign_)
      for (std::size_t i = 0; i < count; ++i)
        to[i] = fold_sign(load_le<Word>(from + i * sizeof(Word)));
    else
      for (std::size_t i = 0; i < count; ++i) to[i] = load_le<Word>(from + i * sizeof(Word));
  }
  void keys(std::size_t, std::size_t count, std::uint8_t* to) const noexcept {
    std::memset(to, 0, count);
  }

 private:
  const std::byte* from_;
  bool with_sign_;
};

template <class Word>
class integer_sink {
 public:
  using number = typename integer_source<Word>::number;

  integer_sink(std::byte* to, bool with_sign) : to_(to), with_sign_(with_sign) {}

  void keys(std::size_t, std::size_t count, std::uint8_t* to) const noexcept {
    std::memset(to, 0, count);
  }
  void put(std::size_t first, std::size_t count, const number* from) const noexcept {
    std::byte* const to = to_ + first * sizeof(Word);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = static_cast<Word>(from[i]);
      store_le(to + i * sizeof(Word), with_sign_ ? unfold_sign(value) : value);
    }
  }

 private:
  std::byte* to_;
  bool with_sign_;
};

}  // namespace lmzip::codec::ratio
