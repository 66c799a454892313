#include "archive/tree/entry_writer.h"

#include "archive/tree/entry_format.h"
#include "core/varint.h"
#include "lmzip/error.h"

namespace lmzip::tree {
namespace {

using bytes = std::vector<std::byte>;

void require(bool condition) {
  if (!condition) throw error(errc::internal, "entry of a tree that cannot be stored");
}

void write_text(bytes& out, std::string_view text) {
  write_varint(out, text.size());
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  out.insert(out.end(), data, data + text.size());
}

void write_time(bytes& out, const io::file_time& time) {
  require(time.nanoseconds >= 0 && time.nanoseconds < nanoseconds_per_second);
  write_varint(out, to_zigzag(time.seconds));
  write_varint(out, static_cast<std::uint64_t>(time.nanoseconds));
}

std::uint64_t flags_of(const entry& from) {
  return (from.links != 1 ? flag_links : 0) | (!from.attributes.empty() ? flag_attributes : 0) |
         (from.has_holes ? flag_holes : 0);
}

void write_common(bytes& out, const entry& from) {
  require(from.mode <= max_mode && from.links > 0);
  write_varint(out, flags_of(from));
  for (const std::uint32_t number : {from.mode, from.owner.user, from.owner.group})
    write_varint(out, number);
  write_text(out, from.owner.user_name);
  write_text(out, from.owner.group_name);
  write_time(out, from.modified);
  if (from.links != 1) write_varint(out, from.links);
  if (from.attributes.empty()) return;
  write_varint(out, from.attributes.size());
  const io::attribute* before = nullptr;
  for (const io::attribute& each : from.attributes) {
    require(before == nullptr || before->name < each.name);
    before = &each;
    write_text(out, each.name);
    write_text(out, each.value);
  }
}

void write_data_ranges(bytes& out, const entry& from) {
  require(data_bytes(from) < from.bytes);
  write_varint(out, from.data.size());
  std::uint64_t end = 0;
  for (const data_range& each : from.data) {
    require(each.offset <= from.bytes && each.bytes > 0 && each.bytes <= from.bytes - each.offset &&
            each.offset >= end && (each.offset > end || end == 0));
    write_varint(out, each.offset - end);
    write_varint(out, each.bytes);
    end = each.offset + each.bytes;
  }
}

void write_content(bytes& out, const entry& from) {
  std::uint64_t left = data_bytes(from);
  const content_extent* before = nullptr;
  for (const content_extent& each : from.content) {
    require(each.bytes > 0 && each.bytes <= left && each.offset <= max_file_bytes - each.bytes);
    left -= each.bytes;
    write_varint(out, each.source);
    const bool continues = before != nullptr && before->source == each.source;
    const std::uint64_t expected = continues ? before->offset + before->bytes : 0;
    write_varint(out, to_zigzag(static_cast<std::int64_t>(each.offset - expected)));
    write_varint(out, each.bytes);
    before = &each;
  }
  require(left == 0);
}

void write_file(bytes& out, const entry& from) {
  require(from.bytes <= max_file_bytes);
  write_varint(out, from.bytes);
  if (from.has_holes) write_data_ranges(out, from);
  write_content(out, from);
}

void write_body(bytes& out, const entry& from) {
  require(is_entry_path(from.path) && (!from.path.empty() || from.kind == entry_kind::directory));
  out.push_back(static_cast<std::byte>(entry_version << 4 | static_cast<unsigned>(from.kind)));
  write_text(out, from.path);
  if (from.kind == entry_kind::hard_link) {
    require(is_entry_path(from.target) && !from.target.empty() &&
            compare_paths(from.target, from.path) < 0);
    write_text(out, from.target);
    return;
  }
  require(!from.has_holes || from.kind == entry_kind::file);
  write_common(out, from);
  if (from.kind == entry_kind::file) write_file(out, from);
  if (from.kind == entry_kind::symbolic_link) {
    require(!from.target.empty() && from.target.size() <= max_path_bytes &&
            from.target.find('\0') == from.target.npos);
    write_text(out, from.target);
  }
  if (from.kind == entry_kind::character_device || from.kind == entry_kind::block_device) {
    write_varint(out, from.device_major);
    write_varint(out, from.device_minor);
  }
}

}  // namespace

void write_entry(bytes& out, const entry& from) {
  bytes body;
  write_body(body, from);
  write_varint(out, body.size());
  out.insert(out.end(), body.begin(), body.end());
}

void write_stamp(bytes& out, const stat_stamp& from) {
  write_time(out, from.changed);
  write_varint(out, from.inode);
  write_varint(out, from.device);
}

}  // namespace lmzip::tree
