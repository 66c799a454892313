#include "core/io/file_stream.h"

#include <algorithm>
#include <cstring>

#include "core/io/signals.h"

namespace lmzip::io {
namespace {

bool is_zero(std::span<const std::byte> bytes) {
  // Compares the bytes with themselves, one further on.
  return bytes.empty() || (bytes[0] == std::byte{0} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace

file_source::file_source(file& from) : from_(from) { from_.expect_sequential_reading(); }

std::size_t file_source::read(std::span<std::byte> out) {
  throw_if_interrupted();
  return out.empty() ? 0 : from_.read(out);
}

file_sink::file_sink(file& to, bool sparse) : to_(to) {
  if (!sparse) return;
  block_bytes_ = std::max<std::uint64_t>(to_.status().block_bytes, 512);
  position_ = to_.position().value_or(0);
}

void file_sink::write(std::span<const std::byte> data) {
  throw_if_interrupted();
  bytes_ += data.size();
  if (block_bytes_ == 0) {
    to_.write(data);
    return;
  }
  // Cut at the file's block borders; pieces that are all zero join the hole, the others are
  // written in runs as long as possible.
  std::span<const std::byte> run;
  while (!data.empty()) {
    const std::uint64_t to_border = block_bytes_ - position_ % block_bytes_;
    const auto piece = data.first(std::min<std::uint64_t>(to_border, data.size()));
    data = data.subspan(piece.size());
    position_ += piece.size();
    if (is_zero(piece)) {
      write_piece(run);
      run = {};
      hole_bytes_ += piece.size();
    } else {
      run = run.empty() ? piece : std::span(run.data(), run.size() + piece.size());
    }
  }
  write_piece(run);
}

void file_sink::write_piece(std::span<const std::byte> piece) {
  if (piece.empty()) return;
  if (hole_bytes_ != 0) to_.skip(hole_bytes_);
  hole_bytes_ = 0;
  to_.write(piece);
}

void file_sink::finish() {
  if (hole_bytes_ == 0) return;
  // The position moves too: whoever shares the descriptor goes on behind the hole.
  to_.skip(hole_bytes_);
  hole_bytes_ = 0;
  to_.set_length(position_);
}

bool can_be_sparse(const file& to) {
  const file_status status = to.status();
  return status.kind == file_kind::regular && !to.appends() && to.position() == status.bytes;
}

}  // namespace lmzip::io
