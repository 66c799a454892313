#include "entropy/arithmetic_coder.h"

namespace lmzip {

std::vector<std::byte> arithmetic_encoder::finish() {
  // The shortest byte string whose continuation by zeros lies in [low, high].
  for (int bytes = 1; bytes <= 4; ++bytes) {
    const std::uint32_t unit = std::uint32_t{1} << (32 - 8 * bytes);
    const std::uint64_t code = (std::uint64_t{low_} + unit - 1) & ~std::uint64_t{unit - 1};
    if (low_ == 0) break;
    if (code > high_) continue;
    for (int i = 0; i < bytes; ++i)
      bytes_.push_back(static_cast<std::byte>(code >> (24 - 8 * i) & 255));
    break;
  }
  return std::move(bytes_);
}

}  // namespace lmzip
