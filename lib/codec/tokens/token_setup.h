#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/tokens/token_values.h"
#include "codec/tokens/tokens_data.h"
#include "core/io/memory.h"
#include "model/candidate_set.h"
#include "model/row_mixture.h"

namespace lmzip::codec::tokens {

inline constexpr unsigned min_log2_lines = 8;
inline constexpr unsigned max_log2_lines = 16;

/// Contexts whose lines lie in hash tables: all but the last token.
inline constexpr std::size_t line_tables = tokens::lines - 1;

/// Those of three tokens, of the place in the line of text and of two tokens have no more lines
/// than that: larger tables would leave the cache.
inline constexpr std::array<unsigned, line_tables> max_log2_table{max_log2_lines, 14, 14};

/// What encoder and decoder of a block have in common.
struct token_setup {
  const tokens_data* data = nullptr;
  std::span<const std::byte> values;  ///< start values, an image of the data's layout
  unsigned log2_lines = 0;            ///< size of the model's tables
};

/// Where the tables of a model lie in its memory.
struct table_plan {
  std::size_t bytes = 0;  ///< first, since placing the tables counts it up
  unsigned log2_slots;
  std::array<unsigned, line_tables> log2_lines;
  std::size_t values;
  std::array<std::size_t, line_tables> lines;
  std::size_t last_lines, slots, matches;
  unsigned log2_far_matches;  ///< of tokens of which only one in 16 is entered
  std::size_t far_matches;

  explicit table_plan(const token_setup& setup)
      : log2_slots(std::min(setup.log2_lines + 1, 15U)),
        log2_lines(log2_tables(setup.log2_lines)),
        values(place(setup.data->layout().bytes())),
        lines(place_lines()),
        last_lines(place(sizeof(model::candidate_line) * setup.data->tree().leaf_count())),
        slots(place(sizeof(model::distribution_row) << log2_slots)),
        matches(place(sizeof(std::uint32_t) << setup.log2_lines)),
        log2_far_matches(setup.log2_lines == max_log2_lines ? 18 : setup.log2_lines),
        far_matches(place(sizeof(std::uint32_t) << log2_far_matches)) {
    // The end of large tables gets onto a huge page only if all of that is there.
    if (bytes >= 2 * io::huge_page)
      bytes = (bytes + io::huge_page - 1) / io::huge_page * io::huge_page;
  }

 private:
  static std::array<unsigned, line_tables> log2_tables(unsigned log2_lines) {
    std::array<unsigned, line_tables> log2{};
    for (std::size_t t = 0; t < line_tables; ++t) log2[t] = std::min(log2_lines, max_log2_table[t]);
    return log2;
  }
  std::array<std::size_t, line_tables> place_lines() {
    std::array<std::size_t, line_tables> places{};
    for (std::size_t t = 0; t < line_tables; ++t)
      places[t] = place(sizeof(model::candidate_line) << log2_lines[t]);
    return places;
  }
  std::size_t place(std::size_t size) {
    const std::size_t start = bytes;
    bytes += (size + 127) / 128 * 128;
    return start;
  }
};

}  // namespace lmzip::codec::tokens
