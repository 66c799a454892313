#include "model/ngram_table.h"

#include <bit>

namespace lmzip::model {

std::uint32_t ngram_table::position(const row& history, std::uint32_t choice) const noexcept {
  const std::uint16_t* first = choices_.data() + history.first;
  const std::uint16_t* at = first;
  std::uint32_t count = history.count;
  while (count > 1) {  // without branches that could be mispredicted
    const std::uint32_t half = count / 2;
    at += at[half - 1] < choice ? half : 0;
    count -= half;
  }
  return static_cast<std::uint32_t>(at - first) + (count == 1 && *at < choice ? 1 : 0);
}

const ngram_table::row* ngram_table::row_of(std::uint32_t before_last,
                                            std::uint32_t last) const noexcept {
  const row& first = rows_[before_last];
  const std::uint32_t at = position(first, last);
  if (at == first.count || choices_[first.first + at] != last) return nullptr;
  const std::uint32_t entry = first.first + at;
  const std::uint64_t word = has_row_[entry / 64];
  const std::uint64_t bit = std::uint64_t{1} << (entry % 64);
  if ((word & bit) == 0) return nullptr;
  return &rows_[symbols() + rows_before_[entry / 64] +
                static_cast<std::uint32_t>(std::popcount(word & (bit - 1)))];
}

void ngram_table::prefetch(const row& history) const noexcept {
  __builtin_prefetch(choices_.data() + history.first + history.count / 2);
  __builtin_prefetch(sums_.data() + history.first + history.count / 2);
}

std::uint64_t ngram_distribution::mass_below(std::uint32_t leaf) const {
  std::uint32_t mass = table_->mass_below(leaf);
  if (one_ == nullptr) return mass;
  const std::uint32_t position = table_->position(*one_, leaf);
  mass = table_->mass_below(*one_, position, mass);
  if (two_ == nullptr) return mass;
  return table_->mass_below(*two_, table_->position(*two_, position), mass);
}

void ngram_distribution::advance(std::uint32_t leaf) {
  two_ = last_ == none ? nullptr : table_->row_of(last_, leaf);
  one_ = &table_->row_of(leaf);
  last_ = leaf;
  table_->prefetch(*one_);
  if (two_ != nullptr) table_->prefetch(*two_);
}

}  // namespace lmzip::model
