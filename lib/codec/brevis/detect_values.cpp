#include "codec/brevis/detect_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codec/delta/cast.h"

namespace lmzip::codec::brevis {
namespace {

constexpr unsigned looks = 24;

/// Calls visit<Word>() for the unsigned type of an element.
template <class Visit>
auto for_word(const tensor_view& x, Visit visit) {
  switch (x.element_bytes()) {
    case 1:
      return visit.template operator()<std::uint8_t>();
    case 2:
      return visit.template operator()<std::uint16_t>();
    case 4:
      return visit.template operator()<std::uint32_t>();
    default:
      return visit.template operator()<std::uint64_t>();
  }
}

template <class Word>
Word word_at(const tensor_view& x, std::size_t i) noexcept {
  return load_le<Word>(x.bytes.data() + i * sizeof(Word));
}

// An open table of values; slots hold values whose places are marked.
class value_table {
 public:
  explicit value_table(std::size_t most) : most_(most) { values_.reserve(most + 1); }

  /// False when there are too many.
  bool add(std::uint64_t value) {
    std::size_t slot = static_cast<std::size_t>(value * 0x9e3779b97f4a7c15U >> 54);
    for (; places_[slot] != 0; slot = (slot + 1) % places_.size())
      if (values_[places_[slot] - 1U] == value) return true;
    if (values_.size() == most_) return false;
    values_.push_back(value);
    places_[slot] = static_cast<std::uint16_t>(values_.size());
    return true;
  }

  std::vector<std::uint64_t> sorted() {
    std::sort(values_.begin(), values_.end());
    return std::move(values_);
  }

  std::size_t size() const noexcept { return values_.size(); }

 private:
  std::size_t most_;
  std::array<std::uint16_t, 1024> places_{};
  std::vector<std::uint64_t> values_;
};

bool survives(dtype wide, const std::byte* numbers, std::size_t count, dtype narrow) {
  constexpr std::size_t step = 256;
  std::array<std::byte, step * 8> cast, again;
  const std::size_t bytes = bits_of(wide) / 8;
  for (std::size_t i = 0; i < count; i += step) {
    const std::size_t some = std::min(step, count - i);
    delta::cast(wide, numbers + i * bytes, some, narrow, cast.data());
    delta::cast(narrow, cast.data(), some, wide, again.data());
    if (std::memcmp(again.data(), numbers + i * bytes, some * bytes) != 0) return false;
  }
  return true;
}

bool survives(const tensor_view& x, dtype narrow) {
  sample_places places(x.elements(), 11);
  for (unsigned i = 0; i < looks; ++i)
    if (!survives(x.type, x.at(places.next()), 1, narrow)) return false;
  return survives(x.type, x.bytes.data(), x.elements(), narrow);
}

std::optional<dtype> narrow_float(const tensor_view& x) {
  for (const dtype narrow : {dtype::bf16, dtype::f16, dtype::f32})
    if (bits_of(narrow) < bits_of(x.type) && survives(x, narrow)) return narrow;
  return std::nullopt;
}

// Bits that a value needs: with a sign if some value is below zero.
struct width {
  unsigned bits = 0;
  bool negative = false;
};

template <class Word>
std::optional<dtype> narrow_integer(const tensor_view& x) {
  constexpr unsigned all = 8 * sizeof(Word);
  const bool with_sign = holds_signed(x.type);
  Word any = 0, negative = 0;
  const auto look = [&](std::size_t i) {
    const Word value = word_at<Word>(x, i);
    const auto sign = static_cast<Word>(with_sign ? 0 - (value >> (all - 1)) : 0);
    any = static_cast<Word>(any | (value ^ sign));
    negative = static_cast<Word>(negative | sign);
  };
  const auto fitting = [&]() -> std::optional<dtype> {
    const auto bits = static_cast<unsigned>(std::bit_width(any));
    for (const dtype narrow : {dtype::u8, dtype::u16, dtype::u32})
      if (negative == 0 && bits_of(narrow) < all && bits <= bits_of(narrow)) return narrow;
    for (const dtype narrow : {dtype::i8, dtype::i16, dtype::i32})
      if (negative != 0 && bits_of(narrow) < all && bits < bits_of(narrow)) return narrow;
    return std::nullopt;
  };
  sample_places places(x.elements(), 5);
  for (unsigned i = 0; i < looks; ++i) look(places.next());
  if (!fitting()) return std::nullopt;
  for (std::size_t i = 0; i < x.elements(); ++i) look(i);
  return fitting();
}

}  // namespace

std::optional<std::uint64_t> find_constant(const tensor_view& x) {
  const std::size_t count = x.elements();
  if (count == 0) return std::nullopt;
  const std::uint64_t first = x.bits(0);
  sample_places places(count);
  for (unsigned i = 0; i < looks; ++i)
    if (x.bits(places.next()) != first) return std::nullopt;
  const std::size_t step = x.element_bytes();
  if (std::memcmp(x.bytes.data(), x.bytes.data() + step, (count - 1) * step) != 0)
    return std::nullopt;
  return first;
}

std::optional<integer_progression> find_integer_progression(const tensor_view& x) {
  const std::size_t count = x.elements();
  if (!holds_integers(x.type) || x.type == dtype::boolean || count < 3) return std::nullopt;
  return for_word(x, [&]<class Word>() -> std::optional<integer_progression> {
    const Word first = word_at<Word>(x, 0);
    const auto step = static_cast<Word>(word_at<Word>(x, 1) - first);
    if (step == 0) return std::nullopt;
    const auto holds = [&](std::size_t i) {
      return word_at<Word>(x, i) == static_cast<Word>(first + static_cast<Word>(i) * step);
    };
    sample_places places(count, 7);
    for (unsigned i = 0; i < looks; ++i)
      if (!holds(places.next())) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i)
      if (!holds(i)) return std::nullopt;
    return integer_progression{first, step};
  });
}

std::vector<std::uint64_t> find_few_values(const tensor_view& x, std::size_t most) {
  constexpr std::size_t more_looks = 512;
  const std::size_t count = x.elements();
  most = std::min({most, count / 4, std::size_t{256}});
  if (most < 2) return {};
  value_table few(std::min<std::size_t>(most, looks - 1)), some(most);
  sample_places places(count, 9);
  // All different: more than 256 values in all but one of three cases.
  for (unsigned i = 0; i < looks; ++i)
    if (!few.add(x.bits(places.next()))) return {};
  for (std::size_t i = 0; i < std::min(count, more_looks); ++i)
    if (!some.add(x.bits(places.next()))) return {};
  const bool all_found = for_word(x, [&]<class Word>() {
    Word last = word_at<Word>(x, 0);
    if (!some.add(last)) return false;
    for (std::size_t i = 1; i < count; ++i) {
      const Word value = word_at<Word>(x, i);
      if (value != last && !some.add(value)) return false;
      last = value;
    }
    return true;
  });
  return all_found ? some.sorted() : std::vector<std::uint64_t>{};
}

std::optional<dtype> find_narrow_type(const tensor_view& x) {
  if (x.elements() == 0 || x.element_bytes() == 1) return std::nullopt;
  if (holds_floats(x.type)) return bits_of(x.type) > 16 ? narrow_float(x) : std::nullopt;
  if (!holds_integers(x.type)) return std::nullopt;
  return for_word(x, [&]<class Word>() { return narrow_integer<Word>(x); });
}

std::size_t count_zeros(const tensor_view& x) {
  const std::size_t count = x.elements();
  if (count == 0) return 0;
  sample_places places(count, 3);
  bool some = false;
  for (unsigned i = 0; i < looks && !some; ++i) some = x.bits(places.next()) == 0;
  if (!some) return 0;
  return for_word(x, [&]<class Word>() {
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < count; ++i) zeros += word_at<Word>(x, i) == 0 ? 1 : 0;
    return zeros;
  });
}

}  // namespace lmzip::codec::brevis
