#include "formats/container/reader.h"

#include <algorithm>
#include <utility>

namespace lmzip::container {
namespace {

std::string at(std::uint64_t offset) { return " at offset " + std::to_string(offset); }

[[noreturn]] void damaged(const std::string& text, std::uint64_t offset) {
  throw error(errc::damaged, text, offset);
}

}  // namespace

event stream_reader::next() {
  while (pending_.empty()) step();
  event first = std::move(pending_.front());
  pending_.pop_front();
  return first;
}

void stream_reader::reuse(std::vector<std::byte> memory) noexcept {
  if (memory.capacity() > spare_.capacity()) spare_ = std::move(memory);
}

void stream_reader::step() {
  try {
    switch (state_) {
      case state::start:
      case state::between:
        return read_member_start();
      case state::member:
        return read_structure();
      case state::scanning:
        return scan();
      case state::done:
        pending_.emplace_back(end_of_archive{});
        return;
    }
  } catch (const error& cause) {
    const bool about_input = cause.code() == errc::damaged || cause.code() == errc::truncated ||
                             cause.code() == errc::not_lmzip || cause.code() == errc::unsupported;
    if (!options_.resynchronise || !about_input) throw;
    begin_scan(cause);
  }
}

std::span<const std::byte> stream_reader::need(std::size_t count) {
  const auto bytes = input_.peek(count);
  if (bytes.size() < count) {
    throw error(errc::truncated, "truncated" + at(input_.offset() + bytes.size()),
                input_.offset() + bytes.size());
  }
  return bytes;
}

// ---- members ---------------------------------------------------------------------------------

void stream_reader::read_member_start() {
  const std::uint64_t offset = input_.offset();
  const bool first = state_ == state::start;
  const auto ahead = input_.peek(frozen_header_bytes);
  if (ahead.empty()) {
    if (first) throw error(errc::not_lmzip, "not in lmzip format (empty)", offset);
    state_ = state::done;
    return;
  }
  constexpr std::size_t recognisable = 4;  // of the magic: enough to say "damaged", not "foreign"
  const auto seen = ahead.first(std::min(ahead.size(), recognisable));
  if (!std::equal(seen.begin(), seen.end(), magic.begin())) {
    if (first) throw error(errc::not_lmzip, "not in lmzip format", offset);
    return read_padding();
  }
  if (ahead.size() < frozen_header_bytes) {
    const auto known = ahead.first(std::min(ahead.size(), magic.size()));
    if (std::equal(known.begin(), known.end(), magic.begin())) need(frozen_header_bytes);
  }
  const std::size_t size = member_header_size(need(frozen_header_bytes), offset);
  const auto bytes = need(size);
  const member_header header = parse_member_header(bytes, offset);
  begin_member(header, bytes, offset, false);
  input_.skip(size);
}

void stream_reader::read_padding() {
  for (auto ahead = input_.peek_some(); !ahead.empty(); ahead = input_.peek_some()) {
    const auto zeros = std::find_if(ahead.begin(), ahead.end(),
                                    [](std::byte value) { return value != std::byte{0}; });
    const bool all = zeros == ahead.end();
    input_.skip(static_cast<std::size_t>(zeros - ahead.begin()));
    if (!all)
      damaged("trailing data is not in lmzip format" + at(input_.offset()), input_.offset());
  }
  state_ = state::done;
}

void stream_reader::begin_member(const member_header& header, std::span<const std::byte> bytes,
                                 std::uint64_t offset, bool lost) {
  strong_ = header.strong;
  block_bytes_ = header.block_bytes;
  complete_ = !lost;
  member_offset_ = offset;
  plain_bytes_ = 0;
  blocks_ = 0;
  entries_.clear();
  segment_offset_ = 0;
  segment_bytes_ = 0;
  after_segment_ = false;
  headers_hash_ = sha256();
  headers_hash_.update(bytes);
  in_member_ = true;
  model_lost_ = false;
  state_ = state::member;
  const member_begin begin{header, offset, lost};
  if (header.model_bytes != 0 && !options_.skip_payloads) return expect_model(begin);
  pending_.emplace_back(begin);
}

// ---- the model that a member brings along ----------------------------------------------------

void stream_reader::expect_model(const member_begin& begin) {
  check_model_size(begin.header, options_.model_limit);
  awaits_model_ = begin;
  model_.clear();
}

void stream_reader::take_model_block(const block& piece) {
  if (!awaits_model_) {
    if (model_lost_ || !complete_ || options_.skip_payloads) return;  // the damage was reported
    damaged(corrupt_block_text(piece.number, piece.offset) + ": a model where none belongs",
            piece.offset);
  }
  const std::uint64_t size = awaits_model_->header.model_bytes;
  if (!is_model_piece(piece.header, piece.payload) || piece.payload.size() > size - model_.size())
    damaged(corrupt_block_text(piece.number, piece.offset) + ": no piece of the model",
            piece.offset);
  model_.insert(model_.end(), piece.payload.begin(), piece.payload.end());
  if (model_.size() < size) return;
  awaits_model_->model_file = std::make_shared<const std::vector<std::byte>>(std::move(model_));
  model_ = {};
  release_member();
}

/// Gives out the start of a member, with its model or without.
void stream_reader::release_member() {
  if (!awaits_model_) return;
  model_lost_ = awaits_model_->model_file == nullptr;
  pending_.emplace_back(std::move(*awaits_model_));
  awaits_model_.reset();
}

// ---- structures of a member ------------------------------------------------------------------

void stream_reader::read_structure() {
  const std::uint64_t offset = input_.offset();
  const auto ahead = need(sync_word.size() + 1);
  if (!has_sync_word(ahead)) {
    if (after_segment_) damaged("corrupt trailer" + at(offset) + ": no marker", offset);
    damaged(corrupt_block_text(next_number(), offset) + ": no marker", offset);
  }
  const std::byte type = ahead[sync_word.size()];
  if (type == static_cast<std::byte>(block_type::trailer)) return read_trailer();
  if (type == static_cast<std::byte>(block_type::index)) return read_segment();
  read_block();
}

void stream_reader::read_block() {
  const std::uint64_t offset = input_.offset();
  const auto ahead = input_.peek(block_header_bytes + digest_bytes);
  const auto header = find_block_header(ahead);
  if (!header) {
    const auto type = std::to_integer<std::uint8_t>(ahead[sync_word.size()]);
    need(block_header_bytes + ((type & digest_flag) != 0 ? digest_bytes : 0));
    damaged(corrupt_block_text(next_number(), offset) + ": header checksum mismatch", offset);
  }
  check_block(*header);
  const bool is_model = header->type == block_type::model;
  const bool known = header->is_known() || is_model;
  if (!known && !header->skippable) {
    const error cause = unknown_block_type(*header, offset);
    if (!options_.resynchronise) throw cause;
    pending_.emplace_back(damage{cause.code(), cause.what(), offset, plain_bytes_,
                                 header->in_stream() ? header->plain_bytes : 0});
  }
  input_.skip(header->header_bytes());
  block found{*header, {}, offset, next_number()};
  if (read_payload(found)) {
    if (is_model) take_model_block(found);
    record(*header);
    if (known && !is_model) pending_.emplace_back(std::move(found));
  }
}

void stream_reader::check_block(const block_header& header) const {
  const std::uint64_t offset = input_.offset();
  const char* fault = nullptr;
  if (header.plain_offset != plain_bytes_) {
    fault = "out of sequence";
  } else if (header.plain_bytes > block_bytes_) {
    fault = "larger than the member header allows";
  } else if (header.digest.has_value() != strong_) {
    fault = "contradicts the member header";
  } else if (complete_ && entries_.size() == max_segment_entries) {
    fault = "an index segment is missing before it";
  } else if (awaits_model_ && header.type != block_type::model) {
    fault = "the model before it is incomplete";
  }
  if (fault) damaged(corrupt_block_text(next_number(), offset) + ": " + fault, offset);
}

bool stream_reader::read_payload(block& found) {
  const std::size_t size = found.header.coded_bytes;
  if (options_.skip_payloads) {
    if (input_.discard(size) == size) return true;
    throw error(errc::truncated, truncated_block_text(found), input_.offset());
  }
  found.payload = input_.take(size, std::exchange(spare_, {}));
  if (found.payload.size() < size) {
    payload_failed(found, {errc::truncated, truncated_block_text(found), input_.offset()});
    return false;
  }
  if (!unseal(found.header, found.payload)) {
    payload_failed(found, {errc::damaged,
                           corrupt_block_text(found.number, found.offset) + ": checksum mismatch",
                           found.offset});
    return false;
  }
  return true;
}

std::string stream_reader::truncated_block_text(const block& found) const {
  const std::string text = "truncated" + at(input_.offset()) + ": ends within a block";
  return found.number == 0 ? text : text + " (number " + std::to_string(found.number) + ")";
}

void stream_reader::record(const block_header& header) {
  const std::uint32_t added = header.in_stream() ? header.plain_bytes : 0;
  plain_bytes_ += added;
  ++blocks_;
  after_segment_ = false;
  if (!complete_) return;
  entries_.push_back({added, header.coded_bytes});
  headers_hash_.update(serialize(header));
}

void stream_reader::read_segment() {
  const std::uint64_t offset = input_.offset();
  const std::size_t size = segment_size(need(segment_fixed_bytes), offset);
  const index_segment segment = parse_segment(need(size), offset);
  const std::uint64_t distance = segment_offset_ == 0 ? 0 : offset - segment_offset_;
  const bool empty = segment.entries.empty() && (blocks_ > 0 || segment_offset_ != 0);
  if (complete_ &&
      (segment.entries != entries_ || segment.previous_distance != distance || empty)) {
    damaged("corrupt index" + at(offset) + ": contradicts the blocks", offset);
  }
  input_.skip(size);
  entries_.clear();
  segment_offset_ = offset;
  segment_bytes_ = static_cast<std::uint32_t>(size);
  after_segment_ = true;
}

void stream_reader::read_trailer() {
  const std::uint64_t offset = input_.offset();
  const trailer end = parse_trailer(need(trailer_bytes), offset);
  if (awaits_model_) damaged("corrupt trailer" + at(offset) + ": the model is incomplete", offset);
  if (complete_) {
    const bool agrees =
        after_segment_ && end.member_bytes == offset + trailer_bytes - member_offset_ &&
        end.plain_bytes == plain_bytes_ && end.blocks == blocks_ &&
        end.index_bytes == segment_bytes_ && end.headers_hash == headers_hash_.finish();
    if (!agrees) damaged("corrupt trailer" + at(offset) + ": contradicts the blocks", offset);
  } else if (end.plain_bytes != plain_bytes_) {
    const std::uint64_t lost = end.plain_bytes > plain_bytes_ ? end.plain_bytes - plain_bytes_ : 0;
    pending_.emplace_back(damage{errc::damaged,
                                 "corrupt trailer" + at(offset) + ": contradicts the blocks",
                                 offset, plain_bytes_, lost});
  }
  input_.skip(trailer_bytes);
  in_member_ = false;
  state_ = state::between;
  pending_.emplace_back(member_end{end, input_.offset(), false});
}

}  // namespace lmzip::container
