#include "model/ngram_table.h"

#include <bit>

namespace lmzip::model {

void ngram_table::reserve(std::size_t entries, std::size_t rows) {
  memory_ =
      std::make_unique<io::zeroed_memory>(rows * sizeof(row) + entries * sizeof(stored_entry));
  rows_ = reinterpret_cast<row*>(memory_->data());
  entries_ = reinterpret_cast<stored_entry*>(rows_ + rows);
}

const ngram_table::row* ngram_table::row_at(const row& before_last, std::uint32_t last,
                                            std::uint32_t at) const noexcept {
  const std::uint32_t entry = before_last.first + at;
  if (at == before_last.count || entries_[entry].choice != last) return nullptr;
  const std::uint64_t word = has_row_[entry / 64];
  const std::uint64_t bit = std::uint64_t{1} << (entry % 64);
  if ((word & bit) == 0) return nullptr;
  return &rows_[symbols() + rows_before_[entry / 64] +
                static_cast<std::uint32_t>(std::popcount(word & (bit - 1)))];
}

void ngram_table::prefetch(const row& history) const noexcept {
  // All of a short row; of a long one the places where the first three steps of a search lead.
  const stored_entry* const entries = entries_ + history.first;
  for (std::uint32_t i = 0; i < 8; ++i) __builtin_prefetch(entries + history.count * i / 8);
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
  const ngram_table::row* both = nullptr;
  if (one_.row != nullptr)
    both =
        table_->row_at(*one_.row, leaf, table_->position(*one_.row, leaf, one_.first, one_.last));
  two_.reset(both);
  one_.reset(&table_->row_of(leaf));
  if (one_.row != nullptr) table_->prefetch(*one_.row);
  if (two_.row != nullptr) table_->prefetch(*two_.row);
}

}  // namespace lmzip::model
