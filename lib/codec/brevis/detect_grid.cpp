#include "codec/brevis/detect_grid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "codec/delta/cast.h"

namespace lmzip::codec::brevis {
namespace {

// Numbers of a group that are looked at before all of them are.
constexpr std::size_t looked_at = 256;

// The smallest number that is not zero may be so many steps.
constexpr int most_first_steps = 8;

constexpr int most_steps = 127;

float f32_of(dtype type, const std::byte* at) {
  std::array<std::byte, 4> wide;
  delta::cast(type, at, 1, dtype::f32, wide.data());
  return std::bit_cast<float>(load_le<std::uint32_t>(wide.data()));
}

/// The scale's bits in the type of the tensor, and its value.
struct scale {
  std::array<std::byte, 4> bits{};
  double value = 0;
};

scale scale_near(dtype type, double wanted, int away) {
  scale result;
  std::array<std::byte, 8> wide;
  store_le(wide.data(), std::bit_cast<std::uint64_t>(wanted));
  delta::cast(dtype::f64, wide.data(), 1, type, result.bits.data());
  if (bits_of(type) == 16) {
    const auto bits = load_le<std::uint16_t>(result.bits.data());
    store_le(result.bits.data(), static_cast<std::uint16_t>(bits + away));
  } else {
    const auto bits = load_le<std::uint32_t>(result.bits.data());
    store_le(result.bits.data(), bits + static_cast<std::uint32_t>(away));
  }
  result.value = f32_of(type, result.bits.data());
  return result;
}

/// The group's numbers, with what bounds its scale.
class group {
 public:
  group(const tensor_view& x, std::size_t first, std::size_t count)
      : x_(x), first_(first), count_(count) {
    for (std::size_t i = 0; i < count_; ++i) {
      const double size = std::fabs(double{f32_of(x_.type, x_.at(first_ + i))});
      if (!(size < 1e30)) {
        usable_ = false;
        return;
      }
      if (size > 0 && (least_ == 0 || size < least_)) least_ = size;
      greatest_ = std::max(greatest_, size);
    }
    usable_ = greatest_ <= least_ * (most_steps + 1);
  }

  /// The scale that gives every number; its steps are appended to `steps` if that is not null.
  std::optional<scale> find(std::vector<std::int8_t>* steps) const {
    if (!usable_) return std::nullopt;
    if (greatest_ == 0) return zero(steps);
    for (int first = 1; first <= most_first_steps; ++first) {
      const double rough = least_ / first;
      const double most = std::floor(greatest_ / rough + 0.5);
      if (most < 1 || most > most_steps) continue;
      for (const double wanted : {greatest_ / most, rough})
        for (const int away : {0, -1, 1}) {
          const scale tried = scale_near(x_.type, wanted, away);
          if (gives_all(tried, steps)) return tried;
        }
    }
    return std::nullopt;
  }

 private:
  std::optional<scale> zero(std::vector<std::int8_t>* steps) const {
    const scale none{};
    return gives_all(none, steps) ? std::optional(none) : std::nullopt;
  }

  bool gives_all(const scale& tried, std::vector<std::int8_t>* steps) const {
    const std::size_t before = steps ? steps->size() : 0;
    const std::size_t bytes = x_.element_bytes();
    for (std::size_t i = 0; i < count_; ++i) {
      const double value = f32_of(x_.type, x_.at(first_ + i));
      const double step = tried.value > 0 ? std::floor(value / tried.value + 0.5) : 0;
      std::array<std::byte, 8> product, rounded;
      store_le(product.data(), std::bit_cast<std::uint64_t>(tried.value * step));
      delta::cast(dtype::f64, product.data(), 1, x_.type, rounded.data());
      const bool equal =
          std::fabs(step) <= most_steps &&
          std::equal(rounded.begin(), rounded.begin() + static_cast<int>(bytes), x_.at(first_ + i));
      if (!equal) {
        if (steps) steps->resize(before);
        return false;
      }
      if (steps) steps->push_back(static_cast<std::int8_t>(step));
    }
    return true;
  }

  const tensor_view& x_;
  std::size_t first_, count_;
  double least_ = 0, greatest_ = 0;
  bool usable_ = true;
};

bool sample_agrees(const tensor_view& x, std::size_t inner) {
  sample_places groups(x.elements() / inner, 13);
  for (int i = 0; i < 2; ++i) {
    const std::size_t first = groups.next() * inner;
    if (!group(x, first, std::min(inner, looked_at)).find(nullptr)) return false;
  }
  return true;
}

std::optional<integer_grid> grid_of(const tensor_view& x, std::size_t inner) {
  integer_grid grid{inner, {}, {}};
  grid.steps.reserve(x.elements());
  for (std::size_t first = 0; first < x.elements(); first += inner) {
    const auto found = group(x, first, inner).find(&grid.steps);
    if (!found) return std::nullopt;
    grid.scales.insert(grid.scales.end(), found->bits.begin(),
                       found->bits.begin() + static_cast<int>(x.element_bytes()));
  }
  return grid;
}

}  // namespace

std::optional<integer_grid> find_grid(const tensor_view& x) {
  constexpr std::size_t least_inner = 16;
  if (!holds_floats(x.type) || x.type == dtype::f64) return std::nullopt;
  const std::size_t count = x.elements();
  std::size_t before = 0;
  for (const std::size_t inner :
       {count, x.columns(), std::size_t{128}, std::size_t{64}, std::size_t{32}}) {
    if (inner < least_inner || inner > count || count % inner != 0 || inner == before) continue;
    before = inner;
    if (!sample_agrees(x, inner)) continue;
    if (auto grid = grid_of(x, inner)) return grid;
  }
  return std::nullopt;
}

}  // namespace lmzip::codec::brevis
