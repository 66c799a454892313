#include "codec/brevis/row_index.h"

#include <algorithm>
#include <cstring>

#include "core/hash.h"

namespace lmzip::codec::brevis {
namespace {

// Of rows that begin alike, so many are kept.
constexpr std::size_t most_alike = 8;

constexpr unsigned looks = 8;

}  // namespace

bool row_index::is_usable(const tensor_view& x) noexcept {
  return x.shape.size() >= 2 && x.rows() >= 2 && x.columns() * x.element_bytes() >= prefix_bytes;
}

std::optional<std::uint64_t> row_index::key_of(const tensor_view& x, std::size_t row) noexcept {
  const auto prefix = std::span(x.at(row * x.columns()), prefix_bytes);
  // Rows that begin with the same number many times are alike without being related.
  if (std::memcmp(prefix.data(), prefix.data() + 8, 8) == 0) return std::nullopt;
  return xxh3_64(prefix) ^ x.element_bytes();
}

void row_index::add(std::size_t number, const tensor_view& x) {
  if (!is_usable(x) || rows_.size() + x.rows() > most_rows) return;
  for (std::size_t row = 0; row < x.rows(); ++row)
    if (const auto key = key_of(x, row); key && rows_.count(*key) < most_alike)
      rows_.emplace(*key, row_match::place{number, row});
}

std::optional<row_match::place> row_index::look_up(const tensor_view& x, std::size_t row,
                                                   const row_match::place* before,
                                                   std::span<const tensor_view> tensors) const {
  const std::size_t bytes = x.columns() * x.element_bytes();
  const auto stands_at = [&](const row_match::place& at) {
    const tensor_view& other = tensors[at.source];
    return other.type == x.type && other.columns() >= x.columns() && at.row < other.rows() &&
           std::memcmp(other.at(at.row * other.columns()), x.at(row * x.columns()), bytes) == 0;
  };
  // The row after, or before, the last one found is likely.
  if (before != nullptr)
    for (const std::size_t next : {before->row + 1, before->row - 1})
      if (const row_match::place at{before->source, next}; stands_at(at)) return at;
  const auto key = key_of(x, row);
  if (!key) return std::nullopt;
  const auto [begin, end] = rows_.equal_range(*key);
  std::optional<row_match::place> best;
  for (auto it = begin; it != end; ++it)
    if (stands_at(it->second) && (!best || std::pair(it->second.source, it->second.row) <
                                               std::pair(best->source, best->row)))
      best = it->second;
  return best;
}

std::optional<row_match> row_index::find(const tensor_view& x,
                                         std::span<const tensor_view> tensors) const {
  if (rows_.empty() || !is_usable(x)) return std::nullopt;
  sample_places places(x.rows(), 41);
  for (unsigned i = 0; i < looks; ++i)
    if (!look_up(x, places.next(), nullptr, tensors)) return std::nullopt;
  row_match match;
  for (std::size_t row = 0; row < x.rows(); ++row) {
    const auto place =
        look_up(x, row, match.places.empty() ? nullptr : &match.places.back(), tensors);
    if (!place) return std::nullopt;
    match.places.push_back(*place);
  }
  return match;
}

}  // namespace lmzip::codec::brevis
