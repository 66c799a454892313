#include "vocab/token_strings.h"

#include <algorithm>

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
  std::vector<entry> entries(size());
  for (std::size_t t = 0; t < size(); ++t) {
    const auto bytes = (*this)[t];
    std::uint64_t head = 0;
    for (std::size_t i = 0; i < 8; ++i) head = head << 8 | (i < bytes.size() ? bytes[i] : 0);
    entries[t] = {head, static_cast<token_id>(t)};
  }
  std::sort(entries.begin(), entries.end(), [this](const entry& a, const entry& b) {
    if (a.head != b.head) return a.head < b.head;
    const auto left = (*this)[a.token];
    const auto right = (*this)[b.token];
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });

  std::vector<token_id> order(size());
  std::transform(entries.begin(), entries.end(), order.begin(),
                 [](const entry& e) { return e.token; });
  return order;
}

}  // namespace lmzip::vocab
