// The half of stream_reader that goes on after damage.

#include <algorithm>
#include <utility>

#include "formats/container/reader.h"

namespace lmzip::container {

void stream_reader::begin_scan(const error& cause) {
  release_member();
  if (!fault_) fault_ = fault{cause.code(), cause.what(), cause.offset()};
  complete_ = false;
  state_ = state::scanning;
}

/// Looks for the next intact structure from the current position on, that one included. Each byte
/// is looked at once; a candidate costs at most the hash of one member header.
void stream_reader::scan() {
  constexpr std::size_t shortest = 8;
  const auto may_begin = [](std::byte value) {
    return value == sync_word.front() || value == magic.front();
  };
  for (;;) {
    const bool at_end = input_.peek(max_header_bytes).size() < max_header_bytes;
    const auto window = input_.peek_some();
    if (window.size() < shortest) break;
    const auto limit = window.end() - (at_end ? 0 : max_header_bytes - 1);
    const auto found = std::find_if(window.begin(), limit, may_begin);
    input_.skip(static_cast<std::size_t>(found - window.begin()));
    if (found == limit) continue;
    if (accept(input_.peek(max_header_bytes))) return;
    input_.skip(1);
  }
  scan_ended();
}

bool stream_reader::accept(std::span<const std::byte> ahead) {
  if (ahead.size() >= frozen_header_bytes &&
      std::equal(magic.begin(), magic.end(), ahead.begin())) {
    return accept_header(ahead);
  }
  // Of a member in a newer format only the end is of interest: the next header.
  if (foreign_ || !has_sync_word(ahead)) return false;
  if (const auto header = find_block_header(ahead)) return accept_block(*header);
  if (const auto end = find_trailer(ahead)) return accept_trailer(*end);
  return false;
}

bool stream_reader::accept_header(std::span<const std::byte> ahead) {
  const std::uint64_t offset = input_.offset();
  try {
    const std::size_t size = member_header_size(ahead, offset);
    if (size > ahead.size()) return false;
    const auto bytes = ahead.first(size);
    const member_header header = parse_member_header(bytes, offset);
    report(0);
    end_member_without_trailer();
    begin_member(header, bytes, offset, false);
    input_.skip(size);
    return true;
  } catch (const error& cause) {
    if (cause.code() != errc::unsupported) return false;
    if (in_member_ || (fault_ && fault_->offset != offset)) {
      report(0);
      end_member_without_trailer();
    }
    fault_ = fault{cause.code(), cause.what(), offset};
    foreign_ = true;
    return false;
  }
}

bool stream_reader::accept_block(const block_header& header) {
  // A block that belongs before what was read already is one of the next member, whose header was
  // lost; anything else that does not fit the member is no block of this archive.
  if (!in_member_ || header.plain_offset < plain_bytes_) {
    begin_member_without_header(header.digest.has_value());
  } else if (header.plain_bytes > block_bytes_ || header.digest.has_value() != strong_) {
    return false;
  }
  report(header.plain_offset - plain_bytes_);
  plain_bytes_ = header.plain_offset;
  state_ = state::member;
  return true;
}

bool stream_reader::accept_trailer(const trailer& end) {
  if (!in_member_ || end.plain_bytes < plain_bytes_) begin_member_without_header(false);
  report(end.plain_bytes - plain_bytes_);
  plain_bytes_ = end.plain_bytes;
  state_ = state::member;
  return true;
}

void stream_reader::begin_member_without_header(bool strong) {
  const std::optional<fault> kept = fault_;
  if (in_member_) {
    report(0);
    end_member_without_trailer();
  }
  member_header header;
  header.strong = strong;
  begin_member(header, {}, input_.offset(), true);
  fault_ = kept;
  if (fault_ && fault_->code == errc::not_lmzip) {
    fault_->code = errc::damaged;
    fault_->text = "corrupt header at offset " + std::to_string(fault_->offset);
  }
}

void stream_reader::end_member_without_trailer() {
  if (!in_member_) return;
  trailer counted;
  counted.member_bytes = input_.offset() - member_offset_;
  counted.plain_bytes = plain_bytes_;
  counted.blocks = blocks_;
  pending_.emplace_back(member_end{counted, input_.offset(), true});
  in_member_ = false;
}

void stream_reader::report(std::uint64_t plain_bytes) {
  foreign_ = false;
  if (!fault_) return;
  pending_.emplace_back(
      damage{fault_->code, fault_->text, fault_->offset, plain_bytes_, plain_bytes});
  fault_.reset();
}

void stream_reader::scan_ended() {
  input_.skip(input_.peek_some().size());
  report(0);
  end_member_without_trailer();
  state_ = state::done;
}

/// Whether what stands at the current position, or the end of the data, is what follows a block
/// with this header.
bool stream_reader::continues_after(const block_header& header) {
  const auto ahead = input_.peek(block_header_bytes + digest_bytes);
  const std::uint64_t plain_end = plain_bytes_ + (header.in_stream() ? header.plain_bytes : 0);
  if (ahead.empty()) return true;
  if (const auto next = find_block_header(ahead)) return next->plain_offset == plain_end;
  if (const auto end = find_trailer(ahead)) return end->plain_bytes == plain_end;
  return complete_ && segment_entries(ahead) == entries_.size() + 1;
}

/// What to do about a payload that was read but is cut or wrong. If the block's end is where its
/// header says, only the payload is lost. Else bytes are missing or were inserted, and what was
/// taken for payload is searched for the next structure. Searching is limited to as many bytes as
/// were received, so that headers that claim overlapping payloads cannot make it quadratic.
void stream_reader::payload_failed(block& found, const error& cause) {
  if (!options_.resynchronise) throw cause;
  const bool whole = found.payload.size() == found.header.coded_bytes;
  const std::uint64_t size = found.payload.size();
  if ((whole && continues_after(found.header)) || rescanned_ + size > input_.bytes_received()) {
    release_member();
    pending_.emplace_back(damage{cause.code(), cause.what(), cause.offset(), plain_bytes_,
                                 found.header.in_stream() ? found.header.plain_bytes : 0});
    return record(found.header);
  }
  rescanned_ += size;
  input_.unread(std::move(found.payload));
  begin_scan(cause);
}

}  // namespace lmzip::container
