#include "engine/block_cutter.h"

#include <algorithm>
#include <cstring>

#include "engine/block_io.h"
#include "formats/tensors/detect.h"
#include "lmzip/error.h"

namespace lmzip::engine {

std::size_t block_cutter::peeking_source::read(std::span<std::byte> out) {
  if (used_ == seen_.size()) {
    seen_ = {};
    used_ = 0;
    return from_.read(out);
  }
  const std::size_t count = std::min(out.size(), seen_.size() - used_);
  std::memcpy(out.data(), seen_.data() + used_, count);
  used_ += count;
  return count;
}

std::span<const std::byte> block_cutter::peeking_source::peek(std::size_t count) {
  // Memory grows with what arrives, not with what a header asks for.
  constexpr std::size_t step = std::size_t{1} << 20;
  if (used_ > 0 && seen_.size() - used_ < count) {
    seen_.erase(seen_.begin(), seen_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ = 0;
  }
  while (seen_.size() - used_ < count) {
    const std::size_t have = seen_.size();
    seen_.resize(have + std::min(step, count - (have - used_)));
    const std::size_t room = seen_.size() - have;
    std::size_t got = 0;
    try {
      got = from_.read(std::span(seen_).subspan(have));
    } catch (...) {
      seen_.resize(have);
      throw;
    }
    if (got > room) throw error(errc::internal, "a source returned more than was asked");
    seen_.resize(have + got);
    if (got == 0) break;
  }
  const std::span<const std::byte> rest = std::span(seen_).subspan(used_);
  return rest.first(std::min(rest.size(), count));
}

block_cutter::block_cutter(source& in, std::uint64_t block_bytes, const base_pool* base,
                           gathering gather)
    : in_(in), block_bytes_(block_bytes), gather_(gather), base_(base) {
  constexpr std::uint64_t times = 11;  // the header itself, and what tensors::read_limits says
  look_ahead(max_header_bytes);
  if (!plain_) memory_ = zip_ ? zip_->memory() : times * in_.seen();
}

std::optional<tensors::tensor_layout> block_cutter::next_layout(std::uint64_t header_limit) {
  const auto peek = [this](std::size_t count) { return in_.peek(count); };
  if (zip_) return zip_->next(peek);
  const tensors::read_limits limits{.header_bytes = header_limit};
  tensors::probe_result found = tensors::probe_with(peek, std::nullopt, limits);
  if (found.is == tensors::probe_result::verdict::needs_the_end) {
    zip_.emplace(limits);
    return zip_->next(peek);
  }
  if (found.is != tensors::probe_result::verdict::decided ||
      found.layout.format == tensors::format_kind::none)
    return std::nullopt;
  return std::move(found.layout);
}

void block_cutter::look_ahead(std::uint64_t header_limit) {
  const auto layout = next_layout(header_limit);
  plain_ = !layout;
  next_ = 0;
  cuts_.clear();
  if (!layout) return;
  if (base_ != nullptr) partners_ = match(*layout, *base_);
  cuts_ =
      has_partners() ? cut_for_base(*layout, block_bytes_) : cut_by(*layout, block_bytes_, gather_);
}

bool block_cutter::has_partners() const noexcept {
  return std::any_of(partners_.begin(), partners_.end(),
                     [](const partners& each) { return !each.empty(); });
}

bool block_cutter::uses_base() const noexcept {
  if (base_ == nullptr || plain_) return false;
  // Of an archive only the first members were seen.
  return zip_ || has_partners();
}

std::size_t block_cutter::read(byte_buffer& into, cut& next, std::vector<based_part>& based) {
  based.clear();
  if (!plain_ && next_ == cuts_.size()) look_ahead(max_later_header_bytes);
  if (next_ == cuts_.size()) {
    next = {};
    return read_block(in_, block_bytes_, into);
  }
  next = std::move(cuts_[next_++]);
  for (const tensor_slice& slice : next.slices) based.push_back({slice, partners_[slice.tensor]});
  const std::size_t bytes = read_block(in_, next.bytes, into);
  if (bytes < next.bytes) based.clear();  // the input ends too early, perhaps within a number
  return bytes;
}

}  // namespace lmzip::engine
