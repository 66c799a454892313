#include "formats/tensors/zip_directory.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>

#include "core/cursor.h"
#include "core/endian.h"
#include "formats/tensors/arithmetic.h"
#include "lmzip/error.h"

namespace lmzip::tensors {
namespace {

constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::uint32_t central_signature = 0x02014b50;
constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t end64_signature = 0x06064b50;
constexpr std::uint32_t locator64_signature = 0x07064b50;
constexpr std::size_t local_bytes = 30;
constexpr std::size_t central_bytes = 46;
constexpr std::size_t end_bytes = 22;
constexpr std::size_t end64_bytes = 56;
constexpr std::size_t locator64_bytes = 20;
constexpr std::uint16_t extra64 = 1;
constexpr std::uint16_t flag_encrypted = 1;
constexpr std::uint32_t in_extra32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t in_extra16 = std::numeric_limits<std::uint16_t>::max();

[[noreturn]] void refuse(const char* what) { throw error(errc::damaged, what); }

/// Where the central directory stands.
struct directory_place {
  std::uint64_t entries = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t end = 0;  ///< of the last byte that may belong to it
};

std::vector<std::byte> read_exactly(const random_input& in, std::uint64_t offset,
                                    std::uint64_t count) {
  if (offset > in.bytes || count > in.bytes - offset) refuse("it ends too early");
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  if (read_fully(in, offset, bytes) != bytes.size()) refuse("it ends too early");
  return bytes;
}

/// The 64-bit record, where a locator before the end record names one.
std::optional<directory_place> find_directory64(const random_input& in, std::uint64_t end) {
  if (end < locator64_bytes) return std::nullopt;
  const auto locator = read_exactly(in, end - locator64_bytes, locator64_bytes);
  cursor from(locator);
  if (from.u32() != locator64_signature) return std::nullopt;
  from.u32();  // disk
  const std::uint64_t at = from.u64();
  if (at > end || end - at < locator64_bytes + end64_bytes) refuse("its directory is not found");
  const auto record = read_exactly(in, at, end64_bytes);
  cursor fields(record);
  if (fields.u32() != end64_signature) refuse("its directory is not found");
  fields.bytes(8 + 2 + 2 + 4 + 4 + 8);  // size, versions, disks, entries of this disk
  directory_place place;
  place.entries = fields.u64();
  place.bytes = fields.u64();
  place.offset = fields.u64();
  place.end = at;
  return place;
}

directory_place find_directory(const random_input& in) {
  constexpr std::uint64_t longest_comment = 0xffff;
  if (in.bytes < end_bytes) refuse("it has no directory");
  const std::uint64_t tail_bytes = std::min(in.bytes, end_bytes + longest_comment);
  const std::uint64_t tail_offset = in.bytes - tail_bytes;
  const auto tail = read_exactly(in, tail_offset, tail_bytes);
  for (std::size_t at = tail.size() - end_bytes + 1; at-- > 0;) {
    cursor record{std::span(tail).subspan(at)};
    if (record.u32() != end_signature) continue;
    record.bytes(2 + 2 + 2);  // disks, entries of this disk
    directory_place place;
    place.entries = record.u16();
    place.bytes = record.u32();
    place.offset = record.u32();
    if (record.u16() != record.remaining()) continue;  // a comment up to the end
    place.end = tail_offset + at;
    const bool is_small =
        place.entries != in_extra16 && place.bytes != in_extra32 && place.offset != in_extra32;
    if (const auto large = find_directory64(in, place.end)) {
      // Both must agree where both tell.
      if (is_small && (large->entries != place.entries || large->offset != place.offset))
        refuse("it has two directories");
      return *large;
    }
    if (!is_small && (place.bytes == in_extra32 || place.offset == in_extra32))
      refuse("its directory is not found");
    return place;
  }
  refuse("it has no directory");
}

}  // namespace

void read_extra64(cursor extra, std::uint64_t& plain_bytes, zip_member& member) {
  while (extra.remaining() >= 4) {
    const std::uint16_t id = extra.u16();
    const std::uint16_t length = extra.u16();
    if (length > extra.remaining()) return;  // no such field: some writers pad with anything
    cursor field(extra.bytes(length));
    if (id != extra64) continue;
    for (std::uint64_t* value : {&plain_bytes, &member.bytes, &member.header_offset})
      if (*value == in_extra32) *value = field.u64();
    return;
  }
}

namespace {

zip_member read_entry(cursor& in) {
  if (in.u32() != central_signature) refuse("its directory is damaged");
  in.bytes(2 + 2);  // versions
  const std::uint16_t flags = in.u16();
  const std::uint16_t method = in.u16();
  in.bytes(2 + 2 + 4);  // time, checksum
  zip_member member;
  member.bytes = in.u32();
  std::uint64_t plain_bytes = in.u32();
  const std::uint16_t name_bytes = in.u16();
  const std::uint16_t extra_bytes = in.u16();
  const std::uint16_t comment_bytes = in.u16();
  in.bytes(2 + 2 + 4);  // disk, attributes
  member.header_offset = in.u32();
  const auto name = in.bytes(name_bytes);
  member.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  read_extra64(cursor(in.bytes(extra_bytes)), plain_bytes, member);
  in.bytes(comment_bytes);
  member.is_stored = method == 0 && (flags & flag_encrypted) == 0;
  if (member.is_stored && plain_bytes != member.bytes) refuse("a member has two sizes");
  return member;
}

/// Finds the data of `member`, which must end before `end`.
void place_data(const random_input& in, std::uint64_t end, zip_member& member) {
  std::array<std::byte, local_bytes> bytes;
  if (member.header_offset > end || end - member.header_offset < local_bytes ||
      read_fully(in, member.header_offset, bytes) != bytes.size())
    refuse("a member stands outside");
  if (load_le<std::uint32_t>(bytes.data()) != local_signature) refuse("a member has no header");
  const std::uint64_t name_bytes = load_le<std::uint16_t>(bytes.data() + 26);
  const std::uint64_t extra_bytes = load_le<std::uint16_t>(bytes.data() + 28);
  member.offset = member.header_offset + local_bytes + name_bytes + extra_bytes;
  if (member.offset > end || member.bytes > end - member.offset) refuse("a member stands outside");
}

}  // namespace

std::vector<zip_member> read_zip_directory(const random_input& in, const read_limits& limits) {
  const directory_place place = find_directory(in);
  if (place.bytes > limits.header_bytes) refuse("its directory is too large");
  if (place.offset > place.end || place.bytes > place.end - place.offset)
    refuse("its directory stands outside");
  if (place.entries > place.bytes / central_bytes) refuse("its directory is damaged");
  const auto directory = read_exactly(in, place.offset, place.bytes);
  std::vector<zip_member> members;
  try {
    cursor entries(directory, place.offset);
    for (std::uint64_t i = 0; i < place.entries; ++i) {
      members.push_back(read_entry(entries));
      place_data(in, place.offset, members.back());
    }
  } catch (const error& e) {
    if (e.code() != errc::truncated) throw;
    refuse("its directory is damaged");
  }
  std::sort(members.begin(), members.end(), [](const zip_member& a, const zip_member& b) {
    return a.header_offset < b.header_offset;
  });
  for (std::size_t i = 1; i < members.size(); ++i)
    if (members[i - 1].offset + members[i - 1].bytes > members[i].header_offset)
      refuse("two members overlap");
  return members;
}

}  // namespace lmzip::tensors
