#include "model/ngram_candidates.h"

#include <algorithm>
#include <array>

namespace lmzip::model {
namespace {

/// Masses of 2^-16 from which on a candidate has level 1, 2 and 3.
constexpr std::array<std::uint32_t, 3> level_from{4096, 12288, 40960};

/// Keeps the heaviest candidates in order, of equal ones those that come first.
class heaviest {
 public:
  void add(std::uint32_t leaf, std::uint32_t mass) noexcept {
    const std::uint16_t code = candidate_code(leaf);
    if (code == 0) return;
    if (count_ == candidate_line::size && mass <= mass_[count_ - 1]) return;
    std::size_t at = std::min<std::size_t>(count_, candidate_line::size - 1);
    for (; at > 0 && mass_[at - 1] < mass; --at) {
      mass_[at] = mass_[at - 1];
      code_[at] = code_[at - 1];
    }
    mass_[at] = mass;
    code_[at] = code;
    if (count_ < candidate_line::size) ++count_;
  }

  candidate_line line(std::uint16_t check) const noexcept {
    candidate_line line{.check = check, .entry = {}};
    for (std::size_t i = 0; i < count_; ++i) {
      const auto level =
          std::upper_bound(level_from.begin(), level_from.end(), mass_[i]) - level_from.begin();
      line.entry[i] = static_cast<std::uint16_t>(code_[i] << 2 | level);
    }
    return line;
  }

 private:
  std::array<std::uint32_t, candidate_line::size> mass_{};
  std::array<std::uint16_t, candidate_line::size> code_{};
  std::size_t count_ = 0;
};

}  // namespace

void ngram_candidates::make(candidate_line& line, std::uint32_t last) const noexcept {
  heaviest best;
  table_->for_each_entry(table_->row_of(last), [&](const ngram_table::entry& entry) {
    best.add(entry.choice, entry.mass);
  });
  line = best.line(known);
}

void ngram_candidates::make(candidate_line& line, std::uint32_t before_last, std::uint32_t last,
                            std::uint16_t check) const noexcept {
  heaviest best;
  if (const ngram_table::row* const row = table_->row_of(before_last, last); row != nullptr) {
    const ngram_table::row& shorter = table_->row_of(last);
    table_->for_each_entry(*row, [&](const ngram_table::entry& entry) {
      best.add(table_->choice(shorter, entry.choice), entry.mass);
    });
  }
  line = best.line(check);
}

}  // namespace lmzip::model
