#pragma once

// Plain loops with fixed trip counts, which compilers turn into vector code for the instruction set
// that is switched on where this is included. `Target` keeps apart the functions of those files.

#include <bit>
#include <cstring>

#include "codec/ratio/element_kernels.h"
#include "core/endian.h"

namespace lmzip::codec::ratio {

template <class Target>
struct element_loops {
  // Little-endian words by single loads and stores, which vector code can be made of.
  template <class Word>
  static Word load_word(const void* at) noexcept {
    if constexpr (std::endian::native == std::endian::big) return load_le<Word>(at);
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
  }
  template <class Word>
  static void store_word(void* at, Word word) noexcept {
    if constexpr (std::endian::native == std::endian::big)
      store_le(at, word);
    else
      std::memcpy(at, &word, sizeof word);
  }

  static void take_tops(unsigned element_bytes, const std::byte* plain, std::size_t count,
                        std::uint16_t* tops) {
    if (element_bytes == 2)
      for (std::size_t i = 0; i < count; ++i) tops[i] = load_word<std::uint16_t>(plain + 2 * i);
    else if (element_bytes == 4)
      for (std::size_t i = 0; i < count; ++i)
        tops[i] = static_cast<std::uint16_t>(load_word<std::uint32_t>(plain + 4 * i) >> 16);
    else
      for (std::size_t i = 0; i < count; ++i)
        tops[i] = static_cast<std::uint16_t>(load_word<std::uint64_t>(plain + 8 * i) >> 48);
  }

  static void take_lows(unsigned element_bytes, const std::byte* plain, std::size_t count,
                        std::byte* lows) {
    if (element_bytes == 4)
      for (std::size_t i = 0; i < count; ++i)
        store_word(lows + 2 * i,
                   static_cast<std::uint16_t>(load_word<std::uint32_t>(plain + 4 * i)));
    else if (element_bytes == 8)
      for (std::size_t i = 0; i < count; ++i) std::memcpy(lows + 6 * i, plain + 8 * i, 6);
  }

  static void put_elements(unsigned element_bytes, const std::uint16_t* tops, const std::byte* lows,
                           std::size_t count, std::byte* plain) {
    if (element_bytes == 2) {
      for (std::size_t i = 0; i < count; ++i) store_word(plain + 2 * i, tops[i]);
    } else if (element_bytes == 4) {
      for (std::size_t i = 0; i < count; ++i)
        store_word(plain + 4 * i,
                   std::uint32_t{tops[i]} << 16 | load_word<std::uint16_t>(lows + 2 * i));
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(plain + 8 * i, lows + 6 * i, 6);
        store_word(plain + 8 * i + 6, tops[i]);
      }
    }
  }

  static void split_halves(const std::byte* plain, std::size_t count, std::uint8_t* symbols,
                           std::byte* lows) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto half = load_word<std::uint16_t>(plain + 2 * i);
      symbols[i] = static_cast<std::uint8_t>(half >> 7);
      lows[i] = static_cast<std::byte>(static_cast<std::uint8_t>(half << 1 | half >> 15));
    }
  }

  static void join_halves(const std::uint8_t* symbols, const std::byte* lows, std::size_t count,
                          std::byte* plain) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto low = static_cast<std::uint16_t>(lows[i]);
      const std::uint16_t symbol = symbols[i];
      store_word(plain + 2 * i, static_cast<std::uint16_t>(symbol << 7 | low >> 1 | low << 15));
    }
  }

  template <bool Offsets>
  static void split_levels(float_split how, const std::uint16_t* tops, const std::int16_t* offsets,
                           std::int16_t base, std::size_t count, std::uint8_t* symbols,
                           std::uint8_t* rests) noexcept {
    const unsigned shift = how.rest_bits;
    const std::uint16_t level_mask = how.level_mask();
    const auto rest_mask = static_cast<std::uint16_t>((1U << shift) - 1);
    for (std::size_t at = 0; at < count; at += kernel_step) {
      for (std::size_t i = at; i < at + kernel_step; ++i) {
        const std::uint16_t top = tops[i];
        const auto level = static_cast<std::uint16_t>(top >> shift & level_mask);
        const auto offset = static_cast<std::uint16_t>(Offsets ? offsets[i] + base : base);
        const auto away = static_cast<std::uint16_t>(level - offset);
        const bool inside =
            static_cast<std::uint16_t>(away - least_level) <= greatest_symbol - least_level;
        const std::uint16_t told = inside ? away : std::uint16_t{escaped_level};
        symbols[i] = static_cast<std::uint8_t>(level < least_level ? level : told);
        rests[i] = static_cast<std::uint8_t>((top & rest_mask) | (top >> 15 << shift));
      }
    }
  }

  static void split(float_split how, const std::uint16_t* tops, const std::int16_t* offsets,
                    std::int16_t base, std::size_t count, std::uint8_t* symbols,
                    std::uint8_t* rests) {
    if (offsets)
      split_levels<true>(how, tops, offsets, base, count, symbols, rests);
    else
      split_levels<false>(how, tops, offsets, base, count, symbols, rests);
  }

  template <bool Offsets>
  static void join_levels(float_split how, const std::uint8_t* symbols, const std::uint8_t* rests,
                          const std::int16_t* offsets, std::int16_t base, std::size_t count,
                          std::uint16_t* tops) noexcept {
    const unsigned shift = how.rest_bits;
    const std::uint16_t level_mask = how.level_mask();
    const auto rest_mask = static_cast<std::uint16_t>((1U << shift) - 1);
    for (std::size_t at = 0; at < count; at += kernel_step) {
      for (std::size_t i = at; i < at + kernel_step; ++i) {
        const std::uint16_t symbol = symbols[i], rest = rests[i];
        const auto offset = static_cast<std::uint16_t>(Offsets ? offsets[i] + base : base);
        const auto moved = static_cast<std::uint16_t>((symbol + offset) & level_mask);
        const std::uint16_t level = symbol < least_level ? symbol : moved;
        tops[i] =
            static_cast<std::uint16_t>((rest >> shift << 15) | level << shift | (rest & rest_mask));
      }
    }
  }

  static void join(float_split how, const std::uint8_t* symbols, const std::uint8_t* rests,
                   const std::int16_t* offsets, std::int16_t base, std::size_t count,
                   std::uint16_t* tops) {
    if (offsets)
      join_levels<true>(how, symbols, rests, offsets, base, count, tops);
    else
      join_levels<false>(how, symbols, rests, offsets, base, count, tops);
  }

  static void predict(std::int16_t row, const std::int8_t* columns, std::size_t count,
                      std::int16_t* offsets, std::uint8_t* contexts) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto prediction = static_cast<std::int16_t>(row + columns[i]);
      offsets[i] = static_cast<std::int16_t>(prediction >> 1);
      contexts[i] = static_cast<std::uint8_t>(prediction & 7);
    }
  }

  static void tell_magnitudes(const std::uint32_t* numbers, std::size_t count,
                              std::uint8_t* symbols, std::uint16_t* raw) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t number = numbers[i];
      const auto bits = static_cast<std::uint32_t>(std::bit_width(number | 4));
      const std::uint32_t shift = bits - 3;
      const bool escaped = number >= first_escaped_magnitude;
      symbols[i] =
          static_cast<std::uint8_t>(escaped ? escaped_magnitude : 4 * shift + (number >> shift));
      raw[i] = static_cast<std::uint16_t>(number & ((std::uint32_t{1} << shift) - 1));
    }
  }

  static void join_magnitudes(const std::uint8_t* symbols, const std::uint16_t* raw,
                              std::size_t count, std::uint32_t* numbers) {
    for (std::size_t at = 0; at < count; at += kernel_step) {
      for (std::size_t i = at; i < at + kernel_step; ++i) {
        const std::uint32_t symbol = symbols[i];
        // What follows the last element may be no symbol at all.
        const std::uint32_t shift = symbol < 8 ? 0 : (symbol / 4 - 1) & 31;
        numbers[i] = (symbol - 4 * shift) << shift | raw[i];
      }
    }
  }

  static void find_intervals(const std::uint8_t* firsts, std::size_t interval_count,
                             const std::uint8_t* keys, std::size_t count, std::uint8_t* intervals) {
    for (std::size_t at = 0; at < count; at += kernel_step) {
      std::uint8_t found[kernel_step] = {};
      for (std::size_t j = 0; j < interval_count; ++j)
        for (std::size_t i = 0; i < kernel_step; ++i)
          found[i] = static_cast<std::uint8_t>(found[i] + (keys[at + i] >= firsts[j] ? 1 : 0));
      for (std::size_t i = 0; i < kernel_step; ++i) intervals[at + i] = found[i];
    }
  }

  /// The lower Power bits of each byte of eight.
  template <unsigned Power>
  static constexpr std::uint64_t low_bits_of_bytes = (~std::uint64_t{0} / 255) *
                                                     ((1U << Power) - 1);

  /// `Power` bits above `shift` of 64 numbers to 8 * Power bytes, eight bytes at once.
  template <unsigned Power>
  static void pack_power(unsigned shift, const std::uint8_t* numbers, std::byte* packed) noexcept {
    constexpr std::size_t bytes = 8 * Power;
    for (std::size_t at = 0; at < bytes; at += 8) {
      std::uint64_t sum = 0;
      for (unsigned part = 0; part < 8 / Power; ++part)
        sum |= (load_word<std::uint64_t>(numbers + part * bytes + at) >> shift &
                low_bits_of_bytes<Power>)
               << (part * Power);
      store_word(packed + at, sum);
    }
  }

  template <unsigned Power>
  static void unpack_power(unsigned shift, const std::byte* packed,
                           std::uint8_t* numbers) noexcept {
    constexpr std::size_t bytes = 8 * Power;
    for (std::size_t at = 0; at < bytes; at += 8) {
      const auto sum = load_word<std::uint64_t>(packed + at);
      for (unsigned part = 0; part < 8 / Power; ++part) {
        std::uint8_t* const to = numbers + part * bytes + at;
        store_word(to, load_word<std::uint64_t>(to) |
                           (sum >> (part * Power) & low_bits_of_bytes<Power>) << shift);
      }
    }
  }

  static void pack(unsigned bits, const std::uint8_t* numbers, std::size_t count,
                   std::byte* packed) {
    for (std::size_t at = 0; at < count; at += kernel_step, numbers += kernel_step) {
      unsigned shift = 0;
      const auto put = [&]<unsigned Power>() {
        if ((bits & Power) == 0) return;
        pack_power<Power>(shift, numbers, packed);
        packed += 8 * Power;
        shift += Power;
      };
      put.template operator()<8>();
      put.template operator()<4>();
      put.template operator()<2>();
      put.template operator()<1>();
    }
  }

  static void unpack(unsigned bits, const std::byte* packed, std::size_t count,
                     std::uint8_t* numbers) {
    for (std::size_t at = 0; at < count; at += kernel_step, numbers += kernel_step) {
      for (std::size_t i = 0; i < kernel_step; ++i) numbers[i] = 0;
      unsigned shift = 0;
      const auto take = [&]<unsigned Power>() {
        if ((bits & Power) == 0) return;
        unpack_power<Power>(shift, packed, numbers);
        packed += 8 * Power;
        shift += Power;
      };
      take.template operator()<8>();
      take.template operator()<4>();
      take.template operator()<2>();
      take.template operator()<1>();
    }
  }

  static constexpr element_kernels table = {
      take_tops, take_lows,       put_elements,    split_halves,   join_halves, split, join,
      predict,   tell_magnitudes, join_magnitudes, find_intervals, pack,        unpack};
};

}  // namespace lmzip::codec::ratio
