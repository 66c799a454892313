#include "formats/container/members.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "lmzip/error.h"

namespace lmzip::container {
namespace {

constexpr std::uint64_t step_bytes = std::uint64_t{1} << 16;

void read_exactly(const read_at_function& read_at, std::uint64_t offset,
                  std::span<std::byte> bytes) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const std::size_t got = read_at(offset + filled, bytes.subspan(filled));
    if (got == 0) throw error(errc::truncated, "truncated while it was read", offset + filled);
    filled += got;
  }
}

std::vector<std::byte> read_exactly(const read_at_function& read_at, std::uint64_t offset,
                                    std::uint64_t count) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  read_exactly(read_at, offset, bytes);
  return bytes;
}

/// The member whose trailer `end` stops at `end_offset`, or nothing if its header is not there.
/// Throws error(unsupported) if the header is newer.
std::optional<member_location> locate(const read_at_function& read_at, const trailer& end,
                                      std::uint64_t end_offset) {
  const std::uint64_t least = archive_overhead_bytes;
  if (end.member_bytes < least || end.member_bytes > end_offset) return {};
  member_location found;
  found.offset = end_offset - end.member_bytes;
  found.end = end;
  try {
    const auto frozen = read_exactly(read_at, found.offset, frozen_header_bytes);
    found.header_bytes = member_header_size(frozen, found.offset);
    if (found.header_bytes > end.member_bytes - trailer_bytes) return {};
    found.header =
        parse_member_header(read_exactly(read_at, found.offset, found.header_bytes), found.offset);
  } catch (const error& cause) {
    if (cause.code() == errc::damaged) return {};
    throw;
  }
  const std::uint64_t body = end.member_bytes - found.header_bytes - trailer_bytes;
  if (end.index_bytes < segment_fixed_bytes || end.index_bytes > body) return {};
  return found;
}

std::optional<member_location> member_ending_at(const read_at_function& read_at,
                                                std::uint64_t end_offset) {
  if (end_offset < archive_overhead_bytes) return {};
  const auto bytes = read_exactly(read_at, end_offset - trailer_bytes, trailer_bytes);
  const auto end = find_trailer(bytes);
  return end ? locate(read_at, *end, end_offset) : std::nullopt;
}

/// The last member that ends before `end_offset`.
std::optional<member_location> search_backwards(const read_at_function& read_at,
                                                std::uint64_t end_offset) {
  std::uint64_t to = end_offset;
  while (to >= archive_overhead_bytes) {
    const std::uint64_t from = to > step_bytes ? to - step_bytes : 0;
    // The pieces overlap so that every trailer lies within one of them.
    const std::uint64_t stop = std::min(end_offset, to + trailer_bytes - 1);
    const auto bytes = read_exactly(read_at, from, stop - from);
    for (std::size_t i = static_cast<std::size_t>(to - from); i-- > 0;) {
      if (bytes[i] != sync_word.front()) continue;
      const auto end = find_trailer(std::span(bytes).subspan(i));
      if (!end) continue;
      auto found = locate(read_at, *end, from + i + trailer_bytes);
      if (found) return found;
    }
    to = from;
  }
  return {};
}

bool all_zero(const read_at_function& read_at, std::uint64_t from, std::uint64_t to) {
  while (from < to) {
    const auto bytes = read_exactly(read_at, from, std::min(step_bytes, to - from));
    if (std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0}; })) {
      return false;
    }
    from += bytes.size();
  }
  return true;
}

[[noreturn]] void corrupt_index(std::uint64_t offset, const char* why) {
  throw error(errc::damaged,
              "corrupt index at offset " + std::to_string(offset) + ": " + std::string(why),
              offset);
}

}  // namespace

member_list find_members(const read_at_function& read_at, std::uint64_t size) {
  member_list list;
  std::uint64_t to = size;
  while (to > 0) {
    auto found = member_ending_at(read_at, to);
    if (!found) found = search_backwards(read_at, to);
    const std::uint64_t ends = found ? found->offset + found->end.member_bytes : 0;
    if (list.members.empty()) {
      if (!found) throw error(errc::not_lmzip, "not in lmzip format, or its end is lost", 0);
      list.end_offset = ends;
      list.torn = !all_zero(read_at, ends, size);
    } else if (ends < to) {
      list.gaps.push_back({ends, to - ends});
    }
    if (!found) break;
    to = found->offset;
    list.members.push_back(std::move(*found));
  }
  if (list.members.empty()) throw error(errc::not_lmzip, "not in lmzip format (empty)", 0);
  std::reverse(list.members.begin(), list.members.end());
  std::reverse(list.gaps.begin(), list.gaps.end());
  return list;
}

std::vector<block_location> read_index(const read_at_function& read_at,
                                       const member_location& member) {
  const std::uint64_t begin = member.offset + member.header_bytes;
  const std::uint64_t header_bytes = block_header_bytes + (member.header.strong ? digest_bytes : 0);

  // From the last segment to the first. The blocks of a segment stand right before it, so both
  // offsets follow by counting down.
  std::vector<block_location> blocks;
  std::uint64_t segment_at =
      member.offset + member.end.member_bytes - trailer_bytes - member.end.index_bytes;
  std::uint64_t segment_end = segment_at + member.end.index_bytes;
  std::uint64_t plain_end = member.end.plain_bytes;
  for (bool more = true; more;) {
    const auto head = read_exactly(read_at, segment_at, segment_fixed_bytes);
    const std::size_t size = segment_size(head, segment_at);
    if (size != segment_end - segment_at) corrupt_index(segment_at, "wrong size");
    const auto segment = parse_segment(read_exactly(read_at, segment_at, size), segment_at);
    std::uint64_t at = segment_at;
    for (auto entry = segment.entries.rbegin(); entry != segment.entries.rend(); ++entry) {
      if (entry->coded_bytes + header_bytes > at - begin || entry->plain_bytes > plain_end) {
        corrupt_index(segment_at, "contradicts the trailer");
      }
      at -= entry->coded_bytes + header_bytes;
      plain_end -= entry->plain_bytes;
      blocks.push_back({at, plain_end, *entry});
    }
    more = segment.previous_distance != 0;
    if (!more) {
      if (at != begin || plain_end != 0) corrupt_index(segment_at, "contradicts the trailer");
    } else if (segment.entries.empty() || segment.previous_distance > segment_at - begin ||
               segment_at - segment.previous_distance >= at) {
      corrupt_index(segment_at, "contradicts itself");
    } else {
      segment_end = at;  // the segment before ends where the first block of this one begins
      segment_at -= segment.previous_distance;
    }
    if (blocks.size() > member.end.blocks) corrupt_index(segment_at, "too many blocks");
  }
  if (blocks.size() != member.end.blocks) corrupt_index(segment_at, "blocks are missing");
  std::reverse(blocks.begin(), blocks.end());
  return blocks;
}

block read_any_block(const read_at_function& read_at, const member_header& member,
                     const block_location& place, std::uint64_t number,
                     std::vector<std::byte> into) {
  const auto corrupt = [&](const char* why) {
    return error(errc::damaged, corrupt_block_text(number, place.offset) + ": " + why,
                 place.offset);
  };
  const std::size_t header_bytes = block_header_bytes + (member.strong ? digest_bytes : 0);
  const auto header = find_block_header(read_exactly(read_at, place.offset, header_bytes));
  if (!header) throw corrupt("header checksum mismatch");
  if (header->digest.has_value() != member.strong || header->plain_bytes > member.block_bytes)
    throw corrupt("contradicts the member header");
  if (header->plain_offset != place.plain_offset ||
      (header->in_stream() ? header->plain_bytes : 0) != place.sizes.plain_bytes ||
      header->coded_bytes != place.sizes.coded_bytes)
    throw corrupt("contradicts the index");
  block found{*header, std::move(into), place.offset, number};
  found.payload.resize(header->coded_bytes);
  read_exactly(read_at, place.offset + header_bytes, found.payload);
  if (!unseal(found.header, found.payload)) throw corrupt("checksum mismatch");
  return found;
}

block read_block(const read_at_function& read_at, const member_header& member,
                 const block_location& place, std::uint64_t number, std::vector<std::byte> into) {
  block found = read_any_block(read_at, member, place, number, std::move(into));
  if (!found.header.in_stream()) throw unknown_block_type(found.header, place.offset);
  return found;
}

std::vector<std::byte> read_model(const read_at_function& read_at, const member_header& member,
                                  std::span<const block_location> blocks) {
  std::vector<std::byte> file;
  for (std::size_t i = 0; file.size() < member.model_bytes; ++i) {
    const std::uint64_t number = i + 1;
    if (i == blocks.size() || blocks[i].sizes.plain_bytes != 0)
      throw error(errc::damaged, "the model in the archive is incomplete");
    const block piece = read_any_block(read_at, member, blocks[i], number, {});
    if (!is_model_piece(piece.header, piece.payload) ||
        piece.payload.size() > member.model_bytes - file.size())
      throw error(errc::damaged,
                  corrupt_block_text(number, piece.offset) + ": no piece of the model",
                  piece.offset);
    file.insert(file.end(), piece.payload.begin(), piece.payload.end());
  }
  return file;
}

}  // namespace lmzip::container
