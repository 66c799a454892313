#include <algorithm>
#include <string>

#include "core/cursor.h"
#include "core/endian.h"
#include "formats/container/append.h"
#include "formats/container/format.h"
#include "lmzip/error.h"

namespace lmzip::container {
namespace {

constexpr std::size_t segment_head_bytes = 20;

[[noreturn]] void corrupt(const char* what, std::uint64_t offset, const std::string& why) {
  throw error(errc::damaged,
              std::string("corrupt ") + what + " at offset " + std::to_string(offset) + ": " + why,
              offset);
}

bool begins_with(std::span<const std::byte> bytes, block_type type) noexcept {
  return has_sync_word(bytes) && bytes.size() > sync_word.size() &&
         bytes[sync_word.size()] == static_cast<std::byte>(type);
}

struct segment_head {
  std::uint8_t reserved;
  std::size_t entries;
  std::size_t extra_bytes;
  std::uint64_t previous_distance;
};

segment_head parse_segment_head(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (!begins_with(bytes, block_type::index)) corrupt("index", offset, "no marker");
  cursor in(bytes, offset);
  in.bytes(sync_word.size() + 1);
  segment_head head{};
  head.reserved = in.u8();
  head.entries = in.u16();
  head.extra_bytes = in.u32();
  head.previous_distance = in.u64();
  if (head.entries > max_segment_entries || head.extra_bytes > max_segment_extra_bytes) {
    corrupt("index", offset, "impossible size");
  }
  return head;
}

}  // namespace

std::vector<std::byte> serialize(const index_segment& segment) {
  if (segment.entries.size() > max_segment_entries) {
    throw error(errc::internal, "index segment out of range");
  }
  std::vector<std::byte> out;
  out.reserve(segment_fixed_bytes + segment.entries.size() * index_entry_bytes);
  append_bytes(out, sync_word);
  append_le(out, static_cast<std::uint8_t>(block_type::index));
  append_le(out, std::uint8_t{0});
  append_le(out, static_cast<std::uint16_t>(segment.entries.size()));
  append_le(out, std::uint32_t{0});  // names of entries, later
  append_le(out, segment.previous_distance);
  for (const index_entry& entry : segment.entries) {
    append_le(out, entry.plain_bytes);
    append_le(out, entry.coded_bytes);
  }
  append_le(out, xxh3_64(out));
  return out;
}

std::size_t segment_size(std::span<const std::byte> fixed, std::uint64_t offset) {
  const segment_head head = parse_segment_head(fixed, offset);
  return segment_fixed_bytes + head.entries * index_entry_bytes + head.extra_bytes;
}

std::size_t segment_entries(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < segment_fixed_bytes || !begins_with(bytes, block_type::index)) return 0;
  return load_le<std::uint16_t>(bytes.data() + sync_word.size() + 2);
}

index_segment parse_segment(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (bytes.size() < segment_fixed_bytes || segment_size(bytes, offset) != bytes.size()) {
    corrupt("index", offset, "wrong size");
  }
  const auto body = bytes.first(bytes.size() - sizeof(std::uint64_t));
  if (xxh3_64(body) != load_le<std::uint64_t>(bytes.data() + body.size())) {
    corrupt("index", offset, "checksum mismatch");
  }
  const segment_head head = parse_segment_head(body, offset);
  if (head.reserved != 0) throw error(errc::unsupported, "needs a newer lmzip (index)", offset);
  index_segment segment;
  segment.previous_distance = head.previous_distance;
  segment.entries.resize(head.entries);
  cursor in(body.subspan(segment_head_bytes), offset + segment_head_bytes);
  for (index_entry& entry : segment.entries) {
    entry.plain_bytes = in.u32();
    entry.coded_bytes = in.u32();
  }
  return segment;
}

std::vector<std::byte> serialize(const trailer& end) {
  std::vector<std::byte> out;
  out.reserve(trailer_bytes);
  append_bytes(out, sync_word);
  append_le(out, static_cast<std::uint8_t>(block_type::trailer));
  append_bytes(out, std::array<std::byte, 3>{});
  append_le(out, end.member_bytes);
  append_le(out, end.plain_bytes);
  append_le(out, end.blocks);
  append_bytes(out, end.headers_hash);
  append_le(out, end.index_bytes);
  append_le(out, xxh3_64(out));
  append_bytes(out, end_magic);
  return out;
}

trailer parse_trailer(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (bytes.size() != trailer_bytes || !begins_with(bytes, block_type::trailer)) {
    corrupt("trailer", offset, "no marker");
  }
  if (!std::equal(end_magic.begin(), end_magic.end(), bytes.end() - end_magic.size())) {
    corrupt("trailer", offset, "no end marker");
  }
  const auto body = bytes.first(trailer_bytes - end_magic.size() - sizeof(std::uint64_t));
  if (xxh3_64(body) != load_le<std::uint64_t>(bytes.data() + body.size())) {
    corrupt("trailer", offset, "checksum mismatch");
  }
  cursor in(body, offset);
  in.bytes(sync_word.size() + 1);
  for (const std::byte reserved : in.bytes(3)) {
    if (reserved != std::byte{0}) {
      throw error(errc::unsupported, "needs a newer lmzip (trailer)", offset);
    }
  }
  trailer end;
  end.member_bytes = in.u64();
  end.plain_bytes = in.u64();
  end.blocks = in.u64();
  const auto hash = in.bytes(end.headers_hash.size());
  std::copy(hash.begin(), hash.end(), end.headers_hash.begin());
  end.index_bytes = in.u32();
  return end;
}

std::optional<trailer> find_trailer(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < trailer_bytes || !begins_with(bytes, block_type::trailer)) return {};
  try {
    return parse_trailer(bytes.first(trailer_bytes), 0);
  } catch (const error&) {
    return {};
  }
}

}  // namespace lmzip::container
