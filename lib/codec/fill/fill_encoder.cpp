#include <algorithm>
#include <cstring>

#include "codec/fill/fill.h"

namespace lmzip::codec {
namespace {

bool has_period(std::span<const std::byte> bytes, std::size_t period) noexcept {
  return std::memcmp(bytes.data(), bytes.data() + period, bytes.size() - period) == 0;
}

}  // namespace

std::size_t find_period(std::span<const std::byte> plain) noexcept {
  if (plain.empty()) return 0;
  // The smallest period p of the first 128 bytes is the only candidate: a period q <= 64 of the
  // whole is one of the prefix too, so p divides q (Fine and Wilf, p + q <= 128), and then p is a
  // period of the whole as well.
  const auto prefix = plain.first(std::min(plain.size(), 2 * max_fill_period));
  const std::size_t longest = std::max<std::size_t>(1, prefix.size() / 2);
  for (std::size_t period = 1; period <= longest; ++period)
    if (has_period(prefix, period)) return has_period(plain, period) ? period : 0;
  return 0;
}

std::optional<encoded> fill_block(std::span<const std::byte> plain) {
  const std::size_t period = find_period(plain);
  if (period == 0) return std::nullopt;
  const auto once = plain.first(period);
  return encoded{{codec_id::fill, 0, 0}, {once.begin(), once.end()}};
}

}  // namespace lmzip::codec
