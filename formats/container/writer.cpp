#include "formats/container/writer.h"

#include <algorithm>
#include <utility>

#include "lmzip/error.h"

namespace lmzip::container {
namespace {

void require(bool condition, const char* text) {
  if (!condition) throw error(errc::internal, text);
}

}  // namespace

sealed_block seal(const block_header& header, std::vector<std::byte> payload) {
  require(!payload.empty() && payload.size() <= header.plain_bytes,
          "block payload is empty or larger than the plain bytes");
  sealed_block block{header, std::move(payload)};
  block.header.coded_bytes = static_cast<std::uint32_t>(block.payload.size());
  block.header.mask = choose_mask(block.payload);
  apply_mask(block.payload, block.header.mask);
  block.header.coded_hash = xxh3_64(block.payload);
  return block;
}

member_writer::member_writer(sink& out, const member_header& header)
    : out_(out),
      strong_(header.strong),
      block_bytes_(header.block_bytes),
      model_bytes_(header.model_bytes) {
  const auto bytes = serialize(header);
  headers_hash_.update(bytes);
  write(bytes);
}

void member_writer::append(const sealed_block& block) {
  require(!finished_, "block after the end of the member");
  require(block.header.plain_bytes <= block_bytes_, "block larger than its member allows");
  require(block.header.digest.has_value() == strong_, "digest missing or not wanted");
  require(block.header.coded_bytes == block.payload.size(), "block was not sealed");
  block_header header = block.header;
  header.plain_offset = plain_bytes_;
  const auto bytes = serialize(header);
  if (segment_.entries.size() == max_segment_entries) write_segment();
  headers_hash_.update(bytes);
  write(bytes);
  write(block.payload);
  const std::uint32_t added = header.in_stream() ? header.plain_bytes : 0;
  segment_.entries.push_back({added, header.coded_bytes});
  plain_bytes_ += added;
  ++blocks_;
}

void member_writer::append(const block_header& header, std::span<const std::byte> payload) {
  append(seal(header, {payload.begin(), payload.end()}));
}

void member_writer::append_model(std::span<const std::byte> file) {
  require(blocks_ == 0 && file.size() == model_bytes_, "another model than the header says");
  while (!file.empty()) {
    const auto piece = file.first(std::min<std::size_t>(file.size(), block_bytes_));
    block_header header;
    header.type = block_type::model;
    header.codec = stored_codec;
    header.plain_bytes = static_cast<std::uint32_t>(piece.size());
    header.plain_hash = xxh3_64(piece);
    if (strong_) header.digest = sha256_of(piece);
    append(header, piece);
    file = file.subspan(piece.size());
  }
}

member_totals member_writer::finish() {
  require(!finished_, "member finished twice");
  finished_ = true;
  write_segment();
  trailer end;
  end.member_bytes = position_ + trailer_bytes;
  end.plain_bytes = plain_bytes_;
  end.blocks = blocks_;
  end.headers_hash = headers_hash_.finish();
  end.index_bytes = segment_bytes_;
  write(serialize(end));
  return {position_, plain_bytes_, blocks_};
}

void member_writer::write_segment() {
  segment_.previous_distance = segment_position_ == 0 ? 0 : position_ - segment_position_;
  segment_position_ = position_;
  const auto bytes = serialize(segment_);
  segment_bytes_ = static_cast<std::uint32_t>(bytes.size());
  write(bytes);
  segment_.entries.clear();
}

void member_writer::write(std::span<const std::byte> bytes) {
  out_.write(bytes);
  position_ += bytes.size();
}

}  // namespace lmzip::container
