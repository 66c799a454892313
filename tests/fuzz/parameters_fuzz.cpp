// A parameter file, and the n-gram section in it, is read completely or refused; masses of what is
// read never fall.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "codec/parameter_file.h"
#include "core/cursor.h"
#include "lmzip/error.h"
#include "model/ngram_table.h"

namespace {

constexpr std::size_t max_section = std::size_t{1} << 22;
constexpr std::uint32_t max_symbols = 1U << 14;

void check(bool holds) {
  if (!holds) std::abort();
}

void check_ngrams(std::span<const std::uint8_t> section) {
  lmzip::cursor header(std::as_bytes(section));
  header.bytes(12);
  const std::uint32_t symbols = std::min(header.u32(), max_symbols);
  const auto table = lmzip::model::ngram_table::parse(section, symbols);
  lmzip::model::ngram_distribution distribution(table);
  for (std::uint32_t step = 0; step < 40; ++step) {
    std::uint64_t last = 0;
    for (std::uint32_t leaf = 0; leaf <= symbols; leaf += 1 + leaf / 8) {
      check(distribution.mass_below(leaf) >= last);
      last = distribution.mass_below(leaf);
    }
    check(distribution.mass_below(symbols) >= last);
    check(distribution.mass_below(symbols) == distribution.total());
    distribution.advance(step * 7 % symbols);
  }
}

void check_file(std::span<const std::byte> bytes) {
  const auto file = lmzip::codec::parameter_file::parse(bytes);
  check_ngrams(file.section("ngrams", std::min<std::size_t>(file.size_of("ngrams"), max_section)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span all(data, size);
  try {
    check_file(std::as_bytes(all));
  } catch (const lmzip::error&) {
  }
  try {
    check_ngrams(all);
  } catch (const lmzip::error&) {
  }
  return 0;
}
