#include <algorithm>
#include <bit>
#include <cstring>

#include "codec/brevis/numbers.h"
#include "codec/brevis/operand.h"
#include "core/endian.h"
#include "lmzip/error.h"

namespace lmzip::codec::brevis {
namespace {

std::size_t size_of(std::uint64_t count) noexcept { return static_cast<std::size_t>(count); }

/// Calls `visit` with the width of the type's numbers as a constant.
template <class Visit>
void with_width(dtype type, Visit visit) {
  switch (bytes_of(type)) {
    case 1:
      return visit.template operator()<1>();
    case 2:
      return visit.template operator()<2>();
    case 4:
      return visit.template operator()<4>();
    case 8:
      return visit.template operator()<8>();
    default:
      return visit.template operator()<16>();
  }
}

struct number_bytes {
  explicit number_bytes(std::uint64_t bits) noexcept { store_le(bytes, bits); }
  std::byte bytes[8];
};

/// The same number, of at most 8 bytes, `count` times.
void fill(dtype type, std::uint64_t bits, std::byte* to, std::size_t count) noexcept {
  const number_bytes number(bits);
  if (bytes_of(type) == 1) {
    std::memset(to, std::to_integer<int>(number.bytes[0]), count);
    return;
  }
  with_width(type, [&]<std::size_t Width>() {
    if constexpr (Width <= 8)
      for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * Width, number.bytes, Width);
  });
}

/// row + offset as a column, within 0 … columns.
std::size_t column_at(std::size_t row, std::uint64_t offset, std::size_t columns) noexcept {
  constexpr auto most = static_cast<std::int64_t>(8 * max_tensor_bytes);
  const std::int64_t near = std::clamp(static_cast<std::int64_t>(offset), -most, most);
  return static_cast<std::size_t>(std::clamp(static_cast<std::int64_t>(row) + near, std::int64_t{0},
                                             static_cast<std::int64_t>(columns)));
}

void band(const node& whole, std::span<std::byte> out) {
  const auto& literals = whole.literals;
  const dtype type = whole.result.type;
  const std::size_t columns = size_of(literals[0]), width = bytes_of(type);
  // The last column inside is `high` behind the row; columns are counted to the one behind it.
  const auto high = static_cast<std::int64_t>(literals[2]);
  const auto behind = static_cast<std::uint64_t>(high == INT64_MAX ? high : high + 1);
  std::byte* to = out.data();
  for (std::size_t row = 0; to != out.data() + out.size(); ++row, to += columns * width) {
    const std::size_t begin = column_at(row, literals[1], columns);
    const std::size_t end = std::max(begin, column_at(row, behind, columns));
    fill(type, literals[4], to, begin);
    fill(type, literals[3], to + begin * width, end - begin);
    fill(type, literals[4], to + end * width, columns - end);
  }
}

void rows(const node& whole, environment& known, std::span<std::byte> out) {
  const auto from = referred_bytes(whole, known);
  const operand which(whole.parts[0], known);
  const dtype type = whole.parts[0].result.type;
  const std::size_t row = size_of(whole.literals[1]) * bytes_of(whole.result.type);
  const std::size_t count = size_of(whole.parts[0].result.elements());
  const std::size_t all_rows = from.size() / row;
  std::uint64_t numbers[number_block];
  std::byte* to = out.data();
  for (std::size_t first = 0; first < count; first += number_block) {
    const std::size_t some = std::min(number_block, count - first);
    load_integers(type, which.data() + first * bytes_of(type), some, numbers);
    for (std::size_t i = 0; i < some; ++i, to += row) {
      if (numbers[i] >= all_rows) throw error(errc::damaged, "a program takes a row that is not there");
      std::memcpy(to, from.data() + size_of(numbers[i]) * row, row);
    }
  }
}

void block(const node& whole, const environment& known, std::span<std::byte> out) {
  const auto& literals = whole.literals;
  const std::size_t width = bytes_of(whole.result.type);
  const std::size_t step = size_of(literals[1]) * width, run = size_of(literals[4]) * width;
  const std::byte* from = referred_bytes(whole, known).data() + size_of(literals[2]) * step +
                          size_of(literals[3]) * width;
  for (std::size_t at = 0; at < out.size(); at += run, from += step)
    std::memcpy(out.data() + at, from, run);
}

void palette(const node& whole, environment& known, std::span<std::byte> out) {
  const operand values(whole.parts[0], known), indices(whole.parts[1], known);
  const dtype type = whole.parts[1].result.type;
  const std::size_t count = size_of(whole.result.elements());
  const std::uint64_t value_count = whole.literals[0];
  std::uint64_t numbers[number_block];
  for (std::size_t first = 0; first < count; first += number_block) {
    const std::size_t some = std::min(number_block, count - first);
    load_integers(type, indices.data() + first * bytes_of(type), some, numbers);
    for (std::size_t i = 0; i < some; ++i)
      if (numbers[i] >= value_count)
        throw error(errc::damaged, "a program takes a value that is not there");
    with_width(whole.result.type, [&]<std::size_t Width>() {
      for (std::size_t i = 0; i < some; ++i)
        std::memcpy(out.data() + (first + i) * Width, values.data() + size_of(numbers[i]) * Width,
                    Width);
    });
  }
}

/// Bits that are set among the first `count`; those behind them must not be.
std::uint64_t count_bits(std::span<const std::byte> bitmap, std::uint64_t count) {
  std::uint64_t set = 0;
  for (const std::byte bits : bitmap)
    set += static_cast<unsigned>(std::popcount(std::to_integer<unsigned>(bits)));
  if (count % 8 != 0 && std::to_integer<unsigned>(bitmap.back()) >> count % 8 != 0)
    throw error(errc::damaged, "a bitmap has bits behind its end");
  return set;
}

void sparse(const node& whole, environment& known, std::span<std::byte> out) {
  const operand bitmap(whole.parts[0], known), values(whole.parts[1], known);
  const std::size_t count = size_of(whole.result.elements());
  if (count_bits(bitmap.bytes(), count) != whole.literals[0])
    throw error(errc::damaged, "a bitmap has another count of bits than there are values");
  fill(whole.result.type, whole.literals[1], out.data(), count);
  with_width(whole.result.type, [&]<std::size_t Width>() {
    const std::byte* from = values.data();
    for (std::size_t i = 0; i < bitmap.bytes().size(); ++i)
      for (auto bits = std::to_integer<unsigned>(bitmap.bytes()[i]); bits != 0; bits &= bits - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
        std::memcpy(out.data() + (8 * i + bit) * Width, from, Width);
        from += Width;
      }
  });
}

}  // namespace

void evaluate_choices(const node& whole, environment& known, std::span<std::byte> out) {
  if (out.empty()) return;
  switch (whole.what) {
    case op::constant:
      return fill(whole.result.type, whole.literals[0], out.data(),
                  size_of(whole.result.elements()));
    case op::band:
      return band(whole, out);
    case op::rows:
      return rows(whole, known, out);
    case op::block:
      return block(whole, known, out);
    case op::palette:
      return palette(whole, known, out);
    default:
      return sparse(whole, known, out);
  }
}

}  // namespace lmzip::codec::brevis
