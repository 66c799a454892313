#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/endian.h"

namespace lmzip::vocab {

/// Longest piece in bytes.
inline constexpr std::size_t max_piece_bytes = 40;

/// What pieces are made of. Every byte of a multi-byte UTF-8 character counts as a letter.
enum class byte_class : std::uint8_t { letter, digit, punctuation, space, line, control };

inline constexpr std::array<byte_class, 256> byte_classes = [] {
  std::array<byte_class, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 128;
    if (is_letter) {
      classes[c] = byte_class::letter;
    } else if (c >= '0' && c <= '9') {
      classes[c] = byte_class::digit;
    } else if (c == ' ') {
      classes[c] = byte_class::space;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      classes[c] = byte_class::line;
    } else if (c < 32 || c == 127) {
      classes[c] = byte_class::control;
    } else {
      classes[c] = byte_class::punctuation;
    }
  }
  return classes;
}();

/// How many of eight bytes in a row, the first being the lowest of `bytes`, are letters up to the
/// first that is not. Same answer as byte_classes, without a branch a byte.
constexpr std::size_t leading_letters(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t each = 0x0101010101010101u;
  constexpr std::uint64_t tops = 0x80 * each;
  // In bytes below 128 the sums reach the top bit from 'a' and from past 'z' on, and carry nothing.
  const std::uint64_t lower = (bytes | 0x20 * each) & ~tops;
  const std::uint64_t from_a = lower + (0x80 - 'a') * each;
  const std::uint64_t past_z = lower + (0x80 - 'z' - 1) * each;
  const std::uint64_t others = ~((from_a & ~past_z) | bytes) & tops;
  return static_cast<std::size_t>(std::countr_zero(others)) / 8;
}

/// Length of the run of letters at the start of `text`.
inline std::size_t letter_run(const std::uint8_t* text, std::size_t size) noexcept {
  std::size_t end = 0;
  for (; size - end >= 8; end += 8) {
    const std::size_t letters = leading_letters(load_le<std::uint64_t>(text + end));
    if (letters < 8) return end + letters;
  }
  while (end < size && byte_classes[text[end]] == byte_class::letter) ++end;
  return end;
}

/// Where to cut a run of letters that goes on past `text[limit]`: there, or up to three bytes
/// earlier if that is where a UTF-8 character starts.
inline std::size_t character_cut(const std::uint8_t* text, std::size_t limit) noexcept {
  for (std::size_t back = 0; back < 4; ++back) {
    if ((text[limit - back] & 0xc0) != 0x80) return limit - back;
  }
  return limit;
}

/// Length of the piece at the start of `text`, 1 ... max_piece_bytes; `size` must not be 0.
///
/// Tokens never cross the border of two pieces. A piece is, as in the byte-level tokenisers of the
/// GPT family, an optional space and a run of letters, of punctuation or of one to three digits; or
/// a run of spaces, tabs and line ends without the space that belongs to the word after it; or a
/// run of one control character. SPEC.md, "Pieces", defines it; trainer and tokenizer share it.
inline std::size_t piece_length(const std::uint8_t* text, std::size_t size) noexcept {
  const auto class_at = [text](std::size_t at) { return byte_classes[text[at]]; };
  const auto is_blank = [](byte_class c) {
    return c == byte_class::space || c == byte_class::line;
  };
  const auto is_word = [](byte_class c) { return c < byte_class::space; };

  std::size_t end = 0;
  byte_class kind = class_at(0);
  if (kind == byte_class::space && size > 1 && is_word(class_at(1))) kind = class_at(++end);

  const std::size_t limit = size < max_piece_bytes ? size : max_piece_bytes;
  switch (kind) {
    case byte_class::letter:
      end += letter_run(text + end, limit - end);
      if (end == max_piece_bytes && end < size) end = character_cut(text, end);
      return end;
    case byte_class::punctuation:
      while (end < limit && class_at(end) == kind) ++end;
      return end;
    case byte_class::digit: {
      const std::size_t digit_limit = end + 3 < size ? end + 3 : size;
      while (end < digit_limit && class_at(end) == kind) ++end;
      return end;
    }
    case byte_class::control:
      while (end < limit && text[end] == text[0]) ++end;
      return end;
    case byte_class::space:
    case byte_class::line:
      break;
  }
  while (end < limit && is_blank(class_at(end))) ++end;
  if (end < size && end > 1 && text[end - 1] == ' ' && is_word(class_at(end))) --end;
  return end;
}

}  // namespace lmzip::vocab
