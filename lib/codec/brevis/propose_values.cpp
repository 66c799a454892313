#include <algorithm>
#include <cstring>

#include "codec/brevis/detect_grid.h"
#include "codec/brevis/detect_layout.h"
#include "codec/brevis/detect_values.h"
#include "codec/brevis/proposals.h"
#include "codec/delta/cast.h"

namespace lmzip::codec::brevis {
namespace {

// Of an operator and its literals, about.
constexpr std::uint64_t node_bytes = 3;

using proposals = std::vector<proposal>;

proposals constants(const target& wanted) {
  const auto value = find_constant(wanted.view());
  if (!value) return {};
  return {{production::constant, node_bytes, 0, {}, [type = wanted.type, bits = *value](auto) {
             return constant(type, bits);
           }}};
}

proposals ramps(const target& wanted) {
  const auto found = find_integer_progression(wanted.view());
  if (!found) return {};
  const unsigned unused = 64 - bits_of(wanted.type.type);
  const auto extended = [&](std::uint64_t bits) {
    return static_cast<std::int64_t>(bits << unused) >> unused;
  };
  return {{production::ramp,
           node_bytes + 2,
           0,
           {},
           [type = wanted.type, first = extended(found->first),
            step = extended(found->step)](auto) { return ramp(type, first, step); }}};
}

std::vector<std::byte> cast_integers(const tensor_view& x, dtype narrow) {
  const std::size_t bytes = bits_of(narrow) / 8;
  std::vector<std::byte> result(x.elements() * bytes);
  for (std::size_t i = 0; i < x.elements(); ++i) std::memcpy(&result[i * bytes], x.at(i), bytes);
  return result;
}

proposals narrow_types(const target& wanted) {
  const tensor_view x = wanted.view();
  const auto narrow = find_narrow_type(x);
  if (!narrow) return {};
  std::vector<std::byte> numbers;
  if (holds_integers(x.type)) {
    numbers = cast_integers(x, *narrow);
  } else {
    numbers.resize(x.elements() * bits_of(*narrow) / 8);
    delta::cast(x.type, x.bytes.data(), x.elements(), *narrow, numbers.data());
  }
  return {{production::narrow,
           node_bytes,
           0,
           {make_target({*narrow, wanted.type.shape}, std::move(numbers))},
           [type = x.type](std::vector<node> parts) { return cast(type, std::move(parts[0])); }}};
}

proposals palettes(const target& wanted) {
  const tensor_view x = wanted.view();
  const auto values = find_few_values(x, x.element_bytes() == 1 ? 16 : 256);
  if (values.size() < 2) return {};
  const std::size_t width = x.element_bytes();
  std::vector<std::byte> bytes(values.size() * width), indices(x.elements());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::byte all[8];
    store_le(all, values[i]);
    std::memcpy(&bytes[i * width], all, width);
  }
  std::uint64_t last = values[0];
  std::size_t index = 0;
  for (std::size_t i = 0; i < x.elements(); ++i) {
    if (const std::uint64_t value = x.bits(i); value != last) {
      last = value;
      index = static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) -
                                       values.begin());
    }
    indices[i] = static_cast<std::byte>(index);
  }
  return {
      {production::palette,
       node_bytes + 1,
       0,
       {make_target(vector_of(x.type, values.size()), std::move(bytes)),
        make_target({dtype::u8, wanted.type.shape}, std::move(indices))},
       [](std::vector<node> parts) { return palette(std::move(parts[0]), std::move(parts[1])); }}};
}

proposals sparse_numbers(const target& wanted) {
  constexpr std::size_t least = 64;
  const tensor_view x = wanted.view();
  const std::size_t zeros = x.elements() < least ? 0 : count_zeros(x);
  // Below, the bitmap costs more than the zeros do in a coder's statistics.
  if (zeros == 0 || zeros < x.elements() / 16 || zeros == x.elements()) return {};
  std::vector<std::byte> bitmap((x.elements() + 7) / 8), values;
  values.reserve((x.elements() - zeros) * x.element_bytes());
  for (std::size_t i = 0; i < x.elements(); ++i) {
    if (x.bits(i) == 0) continue;
    bitmap[i / 8] |= static_cast<std::byte>(1U << i % 8);
    values.insert(values.end(), x.at(i), x.at(i) + x.element_bytes());
  }
  const std::size_t bits = bitmap.size();
  return {{production::sparse,
           node_bytes + 2,
           0,
           {make_target(vector_of(dtype::u8, bits), std::move(bitmap)),
            make_target(vector_of(x.type, x.elements() - zeros), std::move(values))},
           [type = wanted.type](std::vector<node> parts) {
             return sparse(type, std::move(parts[0]), std::move(parts[1]));
           }}};
}

proposals grids(const target& wanted) {
  auto found = find_grid(wanted.view());
  if (!found) return {};
  std::vector<std::byte> steps(found->steps.size());
  std::memcpy(steps.data(), found->steps.data(), steps.size());
  const std::size_t count = found->steps.size() / found->inner;
  return {{production::grid,
           node_bytes + 3,
           0,
           {make_target(vector_of(wanted.type.type, count), std::move(found->scales)),
            make_target({dtype::i8, wanted.type.shape}, std::move(steps))},
           [inner = found->inner](std::vector<node> parts) {
             return grid(std::move(parts[0]), std::move(parts[1]), inner);
           }}};
}

proposals bands(const target& wanted) {
  const auto found = find_band(wanted.view());
  if (!found) return {};
  const auto& shape = wanted.type.shape;
  return {{production::band,
           node_bytes + 6,
           0,
           {},
           [type = wanted.type.type, rows = shape[shape.size() - 2], columns = shape.back(),
            b = *found](auto) {
             return band(type, rows, columns, b.first, b.last, b.inside, b.outside);
           }}};
}

target part_of(const target& wanted, std::vector<std::uint64_t> shape,
               std::vector<std::byte> bytes) {
  return make_target({wanted.type.type, std::move(shape)}, std::move(bytes));
}

proposals tiles(const target& wanted) {
  const tensor_view x = wanted.view();
  const std::size_t period = find_period(x);
  if (period == 0) return {};
  // The axes that the period is made of keep their meaning.
  std::vector<std::uint64_t> shape;
  std::uint64_t product = 1;
  for (std::size_t axis = x.shape.size(); axis-- > 0 && product < period;) {
    product *= x.shape[axis];
    shape.insert(shape.begin(), x.shape[axis]);
  }
  if (product != period) shape = {period};
  std::vector<std::byte> once(
      x.bytes.begin(), x.bytes.begin() + static_cast<std::ptrdiff_t>(period * x.element_bytes()));
  return {{production::tile,
           node_bytes,
           0,
           {part_of(wanted, std::move(shape), std::move(once))},
           [n = x.elements() / period](std::vector<node> parts) {
             return tile(std::move(parts[0]), n);
           }}};
}

proposals broadcasts(const target& wanted) {
  const tensor_view x = wanted.view();
  const repeated_axis found = find_repeated_axis(x);
  if (found.count == 0) return {};
  std::vector<std::uint64_t> shape(x.shape.begin(), x.shape.end());
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(found.axis));
  const std::size_t run = found.inner * x.element_bytes(), step = run * found.count;
  std::vector<std::byte> once;
  once.reserve(x.bytes.size() / found.count);
  for (std::size_t at = 0; at < x.bytes.size(); at += step) {
    const auto part = x.bytes.subspan(at, run);
    once.insert(once.end(), part.begin(), part.end());
  }
  return {{production::broadcast,
           node_bytes + 1,
           0,
           {part_of(wanted, std::move(shape), std::move(once))},
           [n = found.count, inner = found.inner](std::vector<node> parts) {
             return broadcast(std::move(parts[0]), n, inner);
           }}};
}

}  // namespace

std::vector<proposal> propose_values(production what, const target& wanted) {
  switch (what) {
    case production::constant:
      return constants(wanted);
    case production::ramp:
      return ramps(wanted);
    case production::narrow:
      return narrow_types(wanted);
    case production::palette:
      return palettes(wanted);
    case production::sparse:
      return sparse_numbers(wanted);
    case production::grid:
      return grids(wanted);
    default:
      return {};
  }
}

std::vector<proposal> propose_repeats(production what, const target& wanted) {
  switch (what) {
    case production::band:
      return bands(wanted);
    case production::tile:
      return tiles(wanted);
    case production::broadcast:
      return broadcasts(wanted);
    default:
      return {};
  }
}

}  // namespace lmzip::codec::brevis
