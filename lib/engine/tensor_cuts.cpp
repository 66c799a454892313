#include "engine/tensor_cuts.h"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/tensor_gathering.h"

namespace lmzip::engine {
namespace {

// Tensors from here on have blocks of their own: their numbers tell enough of their distribution.
constexpr std::uint64_t large_bytes = std::uint64_t{64} << 10;

// Of small tensors in one block.
constexpr std::uint64_t most_together = std::uint64_t{1} << 20;

// Of tensors that are coded against a base, in one block.
constexpr std::uint64_t most_differences = std::uint64_t{4} << 20;
constexpr std::size_t most_parts = 4096;

// A block costs nearly 60 bytes, and a codec for numbers has tables to write: less is not worth it.
constexpr std::uint64_t least_numbers = std::uint64_t{2} << 10;

/// Ranges of one type that follow each other, or one large tensor.
struct stretch {
  std::uint64_t bytes = 0;
  content holds;
  bool large = false;
};

std::uint64_t columns_of(const tensors::tensor& t) {
  return t.shape.size() < 2 ? 0 : t.shape.back();
}

stretch stretch_of(const tensors::tensor_layout& layout, const tensors::range& range) {
  stretch s{.bytes = range.bytes, .holds = {}, .large = false};
  if (range.tensor == tensors::no_tensor) return s;
  const tensors::tensor& t = layout.tensors[range.tensor];
  s.holds = {t.type, columns_of(t)};
  s.large = s.holds.has_numbers() && range.bytes >= large_bytes;
  return s;
}

/// Joins a stretch to the one before it if both are small and of one type.
bool continues(const stretch& before, const stretch& next) {
  return !before.large && !next.large && before.holds.type == next.holds.type &&
         (!next.holds.has_numbers() || before.bytes + next.bytes <= most_together);
}

void add_stretch(const stretch& next, std::vector<stretch>& all) {
  if (!all.empty() && continues(all.back(), next)) {
    all.back().bytes += next.bytes;
    all.back().holds.columns = 0;
  } else {
    all.push_back(next);
  }
}

std::vector<stretch> stretches_of(const tensors::tensor_layout& layout,
                                  std::span<const tensors::range> ranges) {
  std::vector<stretch> all;
  for (const tensors::range& range : ranges) add_stretch(stretch_of(layout, range), all);
  return all;
}

/// Makes numbers that are too few for a block part of the bytes around them.
std::vector<stretch> without_crumbs(const std::vector<stretch>& all) {
  std::vector<stretch> kept;
  for (stretch next : all) {
    if (next.bytes < least_numbers) next.holds = {};
    if (!kept.empty() && !kept.back().holds.has_numbers() && !next.holds.has_numbers())
      kept.back().bytes += next.bytes;
    else
      kept.push_back(next);
  }
  return kept;
}

/// What borders of blocks within a stretch are a multiple of.
std::uint64_t step_of(const content& holds, std::uint64_t most) {
  if (!holds.has_numbers()) return 1;
  // Elements of less than a byte begin with a byte every eight elements.
  const std::uint64_t bits = bits_of(holds.type);
  const std::uint64_t element = bits % 8 == 0 ? bits / 8 : bits;
  const std::uint64_t row = bits % 8 == 0 ? holds.columns * element : 0;
  return row != 0 && row <= most / 4 && holds.columns < most ? row : element;
}

void add_cuts(const stretch& s, std::uint64_t block_bytes, std::vector<cut>& cuts) {
  const std::uint64_t most =
      s.holds.has_numbers() ? std::min(block_bytes, max_numbers_bytes) : block_bytes;
  const std::uint64_t step = step_of(s.holds, most);
  const std::uint64_t largest = most / step * step;
  const std::uint64_t count = (s.bytes + largest - 1) / largest;
  // Numbers in equal parts; of bytes, the last block has the rest.
  std::uint64_t part = largest;
  if (s.holds.has_numbers()) {
    part = (s.bytes + count - 1) / count;
    part = std::min((part + step - 1) / step * step, largest);
  }
  for (std::uint64_t left = s.bytes; left > 0;) {
    const std::uint64_t bytes = std::min(left, part);
    cuts.push_back({bytes, s.holds});
    left -= bytes;
  }
}

std::vector<cut> cuts_of(const std::vector<stretch>& all, std::uint64_t block_bytes) {
  std::vector<cut> cuts;
  for (const stretch& s : without_crumbs(all)) add_cuts(s, block_bytes, cuts);
  return cuts;
}

/// Adds a tensor to the cut before it, or in cuts of its own if it is large.
void add_tensor(const tensors::tensor_layout& layout, const tensors::range& range,
                std::uint64_t block_bytes, std::vector<cut>& cuts) {
  const tensors::tensor& t = layout.tensors[range.tensor];
  const stretch s{.bytes = range.bytes, .holds = {t.type, columns_of(t)}, .large = true};
  const codec::brevis::tensor_part whole = part_of(layout, range);
  const std::uint64_t most = std::min(most_differences, block_bytes);
  if (!cuts.empty() && cuts.back().holds.type == t.type && cuts.back().slices.size() < most_parts &&
      cuts.back().bytes <= most && range.bytes <= most - cuts.back().bytes) {
    cuts.back().bytes += range.bytes;
    cuts.back().holds.columns = 0;
    cuts.back().slices.push_back({range.tensor, 0, range.bytes, s.holds.columns, whole});
    return;
  }
  std::vector<cut> own;
  add_cuts(s, block_bytes, own);
  std::uint64_t offset = 0;
  for (cut& each : own) {
    each.slices.push_back(
        {range.tensor, offset, each.bytes, s.holds.columns, piece_of(whole, offset, each.bytes)});
    offset += each.bytes;
    cuts.push_back(std::move(each));
  }
}

}  // namespace

std::vector<cut> cut_ranges(const tensors::tensor_layout& layout,
                            std::span<const tensors::range> ranges, std::uint64_t block_bytes) {
  return cuts_of(stretches_of(layout, ranges), block_bytes);
}

std::vector<cut> cut_by(const tensors::tensor_layout& layout, std::uint64_t block_bytes,
                        gathering gather) {
  if (gather == gathering::tensors) return gathered_cuts(layout, block_bytes);
  return cut_ranges(layout, tensors::ranges_of(layout), block_bytes);
}

std::vector<cut> cut_for_base(const tensors::tensor_layout& layout, std::uint64_t block_bytes) {
  std::vector<cut> cuts;
  std::uint64_t others = 0;
  const auto add_others = [&] {
    if (others > 0) add_cuts({.bytes = others, .holds = {}, .large = false}, block_bytes, cuts);
    others = 0;
  };
  for (const tensors::range& range : tensors::ranges_of(layout)) {
    if (range.tensor == tensors::no_tensor || layout.tensors[range.tensor].type == dtype::bytes) {
      others += range.bytes;
    } else {
      add_others();
      add_tensor(layout, range, block_bytes, cuts);
    }
  }
  add_others();
  return cuts;
}

std::vector<cut> cut_slices(dtype type, std::span<const tensor_slice> slices,
                            std::uint64_t block_bytes) {
  std::vector<stretch> all;
  for (const tensor_slice& slice : slices)
    add_stretch(
        {.bytes = slice.bytes, .holds = {type, slice.columns}, .large = slice.bytes >= large_bytes},
        all);
  return cuts_of(all, block_bytes);
}

}  // namespace lmzip::engine
