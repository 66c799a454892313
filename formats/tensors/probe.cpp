#include "formats/tensors/probe.h"

#include <algorithm>

namespace lmzip::tensors {

std::optional<std::uint64_t> larger_prefix(const beginning& from, std::uint64_t limit) noexcept {
  constexpr std::uint64_t least = 4096;
  if (from.is_all()) return std::nullopt;
  const std::uint64_t have = from.bytes.size();
  const std::uint64_t wanted = std::min(std::max(least, 2 * have), limit);
  if (wanted <= have) return std::nullopt;
  return wanted;
}

}  // namespace lmzip::tensors
