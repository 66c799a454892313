#include "archive/snapshots/chunk_store.h"

#include <algorithm>
#include <random>
#include <tuple>
#include <utility>

#include "core/hash.h"
#include "lmzip/error.h"

namespace lmzip::archive {
namespace {

std::string spool_name(const std::string& beside) {
  std::random_device device;
  return beside + ".new-" + std::to_string(device());
}

}  // namespace

chunk_store::chunk_store(chunk_index& index, std::uint32_t own_source, const std::string& beside)
    : index_(index), own_source_(own_source) {
  const std::string name = spool_name(beside);
  spool_out_ = io::file::create(name);
  try {
    spool_in_ = io::file::open_for_reading(name, false);
  } catch (...) {
    io::remove_file(name);
    throw;
  }
  io::remove_file(name);
}

void chunk_store::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const chunker::piece piece = chunker_.next(bytes);
    const auto part = bytes.first(piece.bytes);
    present_.insert(present_.end(), part.begin(), part.end());
    bytes = bytes.subspan(piece.bytes);
    if (piece.ends) end_chunk();
  }
}

void chunk_store::end_chunk() {
  const auto bytes = static_cast<std::uint32_t>(present_.size());
  if (bytes == 0) return;
  const hash256 hash = sha256_of(present_);
  if (const auto known = index_.find(hash, bytes)) {
    extents_.push_back({known->member, known->offset, bytes});
    saved_bytes_ += bytes;
  } else {
    // Of a hash that the index has with another length, the new chunk is stored each time.
    index_.insert(hash, {fresh_.size(), own_source_, bytes});
    extents_.push_back({own_source_, fresh_.size(), bytes});
    fresh_.push_back({hash, spooled_, 0, bytes});
    spool_out_.write(present_);
    spooled_ += bytes;
  }
  present_.clear();
}

std::vector<tree::content_extent> chunk_store::finish(const file_order& order) {
  end_chunk();
  chunker_.restart();
  if (fresh_.size() > first_of_file_)
    groups_.push_back({order, first_of_file_, fresh_.size() - first_of_file_});
  first_of_file_ = fresh_.size();
  return std::exchange(extents_, {});
}

/// Chunks of the file that were stored already stay, for they may be found again.
void chunk_store::discard() {
  present_.clear();
  finish({});
}

void chunk_store::place() {
  std::sort(groups_.begin(), groups_.end(), [](const group& a, const group& b) {
    return std::tie(a.order, a.first) < std::tie(b.order, b.first);
  });
  for (const group& each : groups_) {
    if (runs_.empty() || runs_.back().kind != each.order.kind)
      runs_.push_back({each.order.kind, order_.size(), 0});
    runs_.back().count += each.count;
    for (std::size_t i = each.first; i < each.first + each.count; ++i) {
      fresh_[i].placed = placed_bytes_;
      placed_bytes_ += fresh_[i].bytes;
      order_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  groups_.clear();
}

std::vector<tree::content_extent> chunk_store::resolve(
    const std::vector<tree::content_extent>& of) const {
  std::vector<tree::content_extent> joined;
  for (tree::content_extent each : of) {
    if (each.source == own_source_)
      each.offset = fresh_.at(static_cast<std::size_t>(each.offset)).placed;
    if (!joined.empty() && joined.back().source == each.source &&
        joined.back().offset + joined.back().bytes == each.offset)
      joined.back().bytes += each.bytes;
    else
      joined.push_back(each);
  }
  return joined;
}

void chunk_store::read(std::size_t number, std::span<std::byte> out) {
  std::uint64_t from = fresh_[order_[number]].spooled;
  while (!out.empty()) {
    const std::size_t count = spool_in_.read_at(from, out);
    if (count == 0) throw error(errc::io, "the file of new chunks became shorter");
    out = out.subspan(count);
    from += count;
  }
}

std::vector<chunk_entry> chunk_store::table() const {
  std::vector<chunk_entry> chunks;
  chunks.reserve(order_.size());
  for (const std::uint32_t number : order_)
    chunks.push_back({fresh_[number].hash, fresh_[number].bytes});
  return chunks;
}

}  // namespace lmzip::archive
