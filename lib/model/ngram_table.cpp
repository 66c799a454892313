#include "model/ngram_table.h"

#include <bit>

namespace lmzip::model {

void ngram_table::reserve(std::size_t entries, std::size_t rows) {
  memory_ =
      std::make_unique<io::zeroed_memory>(rows * sizeof(row) + entries * sizeof(stored_entry));
  rows_ = reinterpret_cast<row*>(memory_->data());
  entries_ = reinterpret_cast<stored_entry*>(rows_ + rows);
}

const ngram_table::row* ngram_table::row_of(std::uint32_t before_last,
                                            std::uint32_t last) const noexcept {
  const row& first = rows_[before_last];
  const std::uint32_t at = position(first, last, 0, first.count);
  if (at == first.count || entries_[first.first + at].choice != last) return nullptr;
  const std::uint32_t entry = first.first + at;
  const std::uint64_t word = has_row_[entry / 64];
  const std::uint64_t bit = std::uint64_t{1} << (entry % 64);
  if ((word & bit) == 0) return nullptr;
  return &rows_[symbols() + rows_before_[entry / 64] +
                static_cast<std::uint32_t>(std::popcount(word & (bit - 1)))];
}

void ngram_table::prefetch(const row& history) const noexcept {
  __builtin_prefetch(entries_ + history.first + history.count / 2);
}

void ngram_distribution::level::reset(const ngram_table::row* to) noexcept {
  row = to == nullptr || to->count == 0 ? nullptr : to;
  first = 0;
  last = row == nullptr ? 0 : row->count;
}

std::uint64_t ngram_distribution::mass_below(std::uint32_t leaf) {
  std::uint32_t mass = table_->mass_below(leaf);
  if (one_.row == nullptr) return mass;
  one_.at = table_->position(*one_.row, leaf, one_.first, one_.last);
  mass = table_->mass_below(*one_.row, one_.at, mass);
  if (two_.row == nullptr) return mass;
  two_.at = table_->position(*two_.row, one_.at, two_.first, two_.last);
  return table_->mass_below(*two_.row, two_.at, mass);
}

void ngram_distribution::keep(bool above) {
  one_.keep(above);
  two_.keep(above);
}

void ngram_distribution::advance(std::uint32_t leaf) {
  two_.reset(last_ == none ? nullptr : table_->row_of(last_, leaf));
  one_.reset(&table_->row_of(leaf));
  last_ = leaf;
  if (one_.row != nullptr) table_->prefetch(*one_.row);
  if (two_.row != nullptr) table_->prefetch(*two_.row);
}

}  // namespace lmzip::model
