#include "archive/snapshots/root_record.h"

#include <algorithm>

#include "core/varint.h"
#include "lmzip/error.h"

namespace lmzip::archive {
namespace {

constexpr std::uint8_t root_version = 0;
constexpr std::uint64_t max_offset = std::uint64_t{1} << 62;
constexpr std::uint64_t nanoseconds_per_second = 1'000'000'000;

[[noreturn]] void damaged(const char* what) {
  throw error(errc::damaged, std::string("corrupt root of a snapshot: ") + what);
}

void write_text(std::vector<std::byte>& out, const std::string& text) {
  if (text.size() > max_tag_bytes) throw error(errc::internal, "root of a snapshot out of range");
  write_varint(out, text.size());
  const auto bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

std::string read_text(cursor& in) {
  const auto bytes = in.bytes(static_cast<std::size_t>(read_varint(in, max_tag_bytes)));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_extents(std::vector<std::byte>& out, const std::vector<tree::content_extent>& extents) {
  write_varint(out, extents.size());
  for (const tree::content_extent& each : extents) {
    write_varint(out, each.source);
    write_varint(out, each.offset);
    write_varint(out, each.bytes);
  }
}

std::vector<tree::content_extent> read_extents(cursor& in, std::size_t members,
                                               std::uint64_t plain_bytes) {
  constexpr std::size_t least_extent_bytes = 3;
  std::vector<tree::content_extent> extents(
      static_cast<std::size_t>(read_varint(in, in.remaining() / least_extent_bytes)));
  for (tree::content_extent& each : extents) {
    each.source = static_cast<std::uint32_t>(read_varint(in, members));
    const std::uint64_t end = each.source == members ? plain_bytes : max_offset;
    each.offset = read_varint(in, end);
    each.bytes = read_varint(in, end - each.offset);
    if (each.bytes == 0) damaged("an empty extent");
  }
  return extents;
}

std::vector<hash256> read_members(cursor& in) {
  std::vector<hash256> members(
      static_cast<std::size_t>(read_varint(in, in.remaining() / sizeof(hash256))));
  for (hash256& each : members) std::ranges::copy(in.bytes(each.size()), each.begin());
  return members;
}

}  // namespace

std::vector<std::byte> write_root(const root_record& from) {
  std::vector<std::byte> out;
  out.push_back(std::byte{root_version});
  write_varint(out, to_zigzag(from.start.seconds));
  write_varint(out, static_cast<std::uint64_t>(from.start.nanoseconds));
  write_text(out, from.tag);
  write_text(out, from.host);
  write_varint(out, from.members.size());
  for (const hash256& each : from.members) out.insert(out.end(), each.begin(), each.end());
  const snapshot_counts& counts = from.counts;
  for (const std::uint64_t each :
       {counts.entries, counts.files, counts.bytes, counts.new_bytes, counts.saved_bytes})
    write_varint(out, each);
  write_extents(out, from.entries);
  write_extents(out, from.stamps);
  const auto table = write_chunk_table(from.chunks);
  out.insert(out.end(), table.begin(), table.end());
  return out;
}

root_record read_root(std::span<const std::byte> bytes, std::uint64_t plain_bytes) {
  cursor in(bytes);
  root_record root;
  if (in.u8() != root_version)
    throw error(errc::unsupported, "needs a newer lmzip (root of a snapshot)");
  root.start.seconds = from_zigzag(read_varint(in));
  root.start.nanoseconds = static_cast<std::int64_t>(read_varint(in, nanoseconds_per_second - 1));
  root.tag = read_text(in);
  root.host = read_text(in);
  root.members = read_members(in);
  snapshot_counts& counts = root.counts;
  for (std::uint64_t* each :
       {&counts.entries, &counts.files, &counts.bytes, &counts.new_bytes, &counts.saved_bytes})
    *each = read_varint(in);
  if (counts.new_bytes != plain_bytes) damaged("another size than the member's");
  root.entries = read_extents(in, root.members.size(), plain_bytes);
  root.stamps = read_extents(in, root.members.size(), plain_bytes);
  root.chunks = read_chunk_table(in.bytes(in.remaining()), {.plain_bytes = plain_bytes});
  std::uint64_t sum = 0;
  for (const chunk_entry& each : root.chunks) sum += each.bytes;
  if (sum != plain_bytes) damaged("chunks of another size than the member's");
  return root;
}

}  // namespace lmzip::archive
