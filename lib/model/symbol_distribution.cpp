#include "model/symbol_distribution.h"

#include <algorithm>

#include "model/fixed_log.h"
#include "model/logistic.h"

namespace lmzip::model {

int stretch_of_masses(std::uint64_t in_favour, std::uint64_t against) noexcept {
  // ln(a / b) * 256 = (log2 a - log2 b) * 256 ln 2; 11629080 = round(256 ln 2 * 2^16).
  const std::int64_t log_ratio = std::int64_t{log2_fixed(in_favour + 1)} - log2_fixed(against + 1);
  const std::int64_t stretched = (log_ratio * 11629080 + (std::int64_t{1} << 31)) >> 32;
  return static_cast<int>(std::clamp<std::int64_t>(stretched, -max_stretch, max_stretch));
}

}  // namespace lmzip::model
