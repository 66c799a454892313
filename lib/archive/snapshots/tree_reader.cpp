#include "archive/snapshots/tree_reader.h"

#include <algorithm>

#include "archive/tree/entry_reader.h"
#include "core/varint.h"
#include "lmzip/error.h"

namespace lmzip::archive {
namespace {

constexpr std::size_t longest_varint = 10;
constexpr std::size_t longest_stamp = 4 * longest_varint;
// A path and a target of 1 MiB, attributes, and 2^22 extents.
constexpr std::uint64_t max_entry_bytes = std::uint64_t{1} << 27;

}  // namespace

std::span<const std::byte> extent_bytes::peek(std::size_t count) {
  constexpr std::uint64_t step = std::uint64_t{1} << 16;
  while (buffer_.size() - used_ < count && extent_ < extents_.size()) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ = 0;
    const tree::content_extent& extent = extents_[extent_];
    const auto more = static_cast<std::size_t>(std::min(step, extent.bytes - done_));
    const std::size_t at = buffer_.size();
    buffer_.resize(at + more);
    from_.read(of_, extent, done_, std::span(buffer_).subspan(at));
    done_ += more;
    if (done_ < extent.bytes) continue;
    ++extent_;
    done_ = 0;
  }
  return std::span(buffer_).subspan(used_, std::min(count, buffer_.size() - used_));
}

tree_reader::tree_reader(snapshot_archive& from, const snapshot& of)
    : entries_(from, of, of.root.entries), stamps_(from, of, of.root.stamps) {}

std::optional<tree::entry> tree_reader::next() {
  const auto head = entries_.peek(longest_varint);
  if (head.empty()) {
    if (!stamps_.peek(1).empty()) throw error(errc::damaged, "more stamps than entries");
    return std::nullopt;
  }
  cursor of_size(head);
  const std::uint64_t body = read_varint(of_size, max_entry_bytes);
  const std::size_t size = of_size.position() + static_cast<std::size_t>(body);
  cursor in(entries_.peek(size));
  tree::entry found = tree::read_entry(in);
  entries_.skip(size);
  if (!is_first_ && tree::compare_paths(last_path_, found.path) >= 0)
    throw error(errc::damaged, "entries of a tree out of order");
  is_first_ = false;
  last_path_ = found.path;
  cursor stamp(stamps_.peek(longest_stamp));
  found.stamp = tree::read_stamp(stamp);
  stamps_.skip(stamp.position());
  return found;
}

}  // namespace lmzip::archive
