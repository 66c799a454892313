#include "engine/tensor_gathering.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "codec/brevis/program.h"

namespace lmzip::engine {
namespace {

// Tensors from here on are not gathered, unless all tensors of a file are.
constexpr std::uint64_t alone_bytes = std::uint64_t{256} << 10;

// Bytes between tensors up to here are gathered with them.
constexpr std::uint64_t short_gap = 256;

using codec::brevis::tensor_part;

/// Puts ranges together, in order, and cuts them when enough have come.
class gatherer {
 public:
  gatherer(const tensors::tensor_layout& layout, std::uint64_t block_bytes)
      : layout_(layout), block_bytes_(block_bytes), ranges_(tensors::ranges_of(layout)) {
    for (const tensors::tensor& t : layout.tensors) all_tensors_ += t.bytes;
  }

  std::vector<cut> run() {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const tensors::range& range = ranges_[i];
      if (is_gap(range) && range.bytes > short_gap) {
        // What stands before tensors may lead a cut of them.
        finish(i);
        lead_ = range.bytes <= block_bytes_ / 2 ? range.bytes : 0;
        if (lead_ == 0) finish(i + 1);
      } else if (!is_gap(range) && is_alone(range)) {
        finish(i);
        finish_alone(i);
      } else {
        if (!fits(range)) finish(i);
        gathered_bytes_ += range.bytes;
        parts_.push_back(part_of(layout_, range));
      }
    }
    finish(ranges_.size());
    return std::move(cuts_);
  }

 private:
  bool is_gap(const tensors::range& range) const { return range.tensor == tensors::no_tensor; }

  bool is_alone(const tensors::range& range) const {
    const std::uint64_t most = std::min(block_bytes_, max_numbers_bytes);
    return range.bytes > most / 2 ||
           (range.bytes >= alone_bytes && all_tensors_ > max_numbers_bytes);
  }

  bool fits(const tensors::range& range) const {
    const std::uint64_t most = std::min(block_bytes_ - lead_, max_numbers_bytes);
    return parts_.size() < codec::brevis::max_tensors && gathered_bytes_ + range.bytes <= most;
  }

  /// Cuts what was gathered before range `end`.
  void finish(std::size_t end) {
    const auto ranges = std::span(ranges_).subspan(begin_, end - begin_);
    begin_ = end;
    auto parts = cut_ranges(layout_, ranges, block_bytes_);
    const bool tells = std::any_of(parts_.begin(), parts_.end(), [](const tensor_part& p) {
      return p.type.type != dtype::bytes;
    });
    if (tells) {
      cut whole{gathered_bytes_ + lead_, {}, lead_, {}};
      whole.holds.tensors = std::move(parts_);
      whole.parts = std::move(parts);
      cuts_.push_back(std::move(whole));
    } else {
      for (cut& part : parts) cuts_.push_back(std::move(part));
    }
    parts_.clear();
    gathered_bytes_ = lead_ = 0;
  }

  /// Cuts range `index` by itself; each piece is told of as a tensor.
  void finish_alone(std::size_t index) {
    begin_ = index + 1;
    const tensor_part whole = part_of(layout_, ranges_[index]);
    std::uint64_t first = 0;
    for (cut& piece : cut_ranges(layout_, std::span(ranges_).subspan(index, 1), block_bytes_)) {
      if (auto part = piece_of(whole, first, piece.bytes)) piece.holds.tensors = {*std::move(part)};
      first += piece.bytes;
      cuts_.push_back(std::move(piece));
    }
  }

  const tensors::tensor_layout& layout_;
  std::uint64_t block_bytes_;
  std::vector<tensors::range> ranges_;
  std::uint64_t all_tensors_ = 0;
  std::vector<cut> cuts_;
  std::size_t begin_ = 0;  // the first range that is not cut yet
  std::vector<tensor_part> parts_;
  std::uint64_t gathered_bytes_ = 0, lead_ = 0;
};

}  // namespace

tensor_part part_of(const tensors::tensor_layout& layout, const tensors::range& range) {
  if (range.tensor == tensors::no_tensor) return {{dtype::bytes, {range.bytes}}, {}, 0};
  const tensors::tensor& t = layout.tensors[range.tensor];
  tensor_part part{{t.type, t.shape}, codec::brevis::class_of_name(t.name), 0};
  if (!codec::brevis::valid(part.type) || part.type.bytes() != range.bytes)
    part.type = {dtype::bytes, {range.bytes}};
  return part;
}

std::optional<tensor_part> piece_of(tensor_part part, std::uint64_t first, std::uint64_t bytes) {
  const std::uint64_t bits = bits_of(part.type.type);
  if (part.type.type == dtype::bytes || bits % 8 != 0) return std::nullopt;
  if (bytes == part.type.bytes()) return part;
  const std::uint64_t element = bits / 8;
  const std::uint64_t columns = part.type.shape.size() < 2 ? 1 : part.type.shape.back();
  const std::uint64_t row = columns * element;
  if (row == 0 || first % row != 0 || bytes % row != 0) return std::nullopt;
  part.first_row = first / row;
  part.type.shape = {bytes / row};
  if (columns > 1) part.type.shape.push_back(columns);
  return part;
}

std::vector<cut> gathered_cuts(const tensors::tensor_layout& layout, std::uint64_t block_bytes) {
  return gatherer(layout, block_bytes).run();
}

}  // namespace lmzip::engine
