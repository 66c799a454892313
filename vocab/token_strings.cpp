#include "vocab/token_strings.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/endian.h"

namespace lmzip::vocab {

void token_strings::add(std::span<const std::uint8_t> bytes) {
  const std::size_t offset = text_.size() - max_token_bytes;
  text_.resize(text_.size() + bytes.size());
  std::copy(bytes.begin(), bytes.end(), text_.begin() + static_cast<std::ptrdiff_t>(offset));
  places_.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes.size())});
}

std::vector<token_id> token_strings::alphabetical() const {
  // The first eight bytes decide nearly always; they compare as one number.
  struct entry {
    std::uint64_t head;
    token_id token;
  };
  const auto before = [this](const entry& a, const entry& b) {
    if (a.head != b.head) return a.head < b.head;
    const auto left = (*this)[a.token];
    const auto right = (*this)[b.token];
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  };
  // They are dealt out by their first byte, which halves the comparisons.
  std::array<std::size_t, 257> start{};
  for (const place& p : places_) ++start[text_[p.offset] + std::size_t{1}];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<entry> entries(size());
  std::array<std::size_t, 257> next = start;
  for (std::size_t t = 0; t < size(); ++t) {
    const auto bytes = (*this)[t];
    // max_token_bytes bytes can be read.
    const std::uint64_t eight = __builtin_bswap64(load_le<std::uint64_t>(bytes.data()));
    const std::uint64_t head =
        bytes.size() < 8 ? eight & ~(~std::uint64_t{0} >> (8 * bytes.size())) : eight;
    entries[next[bytes[0]]++] = {head, static_cast<token_id>(t)};
  }
  const auto at = [&](std::size_t i) { return entries.begin() + static_cast<std::ptrdiff_t>(i); };
  for (std::size_t byte = 0; byte < 256; ++byte)
    std::sort(at(start[byte]), at(start[byte + 1]), before);

  std::vector<token_id> order(size());
  std::transform(entries.begin(), entries.end(), order.begin(),
                 [](const entry& e) { return e.token; });
  return order;
}

}  // namespace lmzip::vocab
