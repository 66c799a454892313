#include "archive/tree/entry_reader.h"

#include <limits>
#include <utility>

#include "archive/tree/entry_format.h"
#include "core/varint.h"

namespace lmzip::tree {
namespace {

constexpr std::uint64_t max_u32 = std::numeric_limits<std::uint32_t>::max();

void require(bool condition, const cursor& in) {
  if (!condition) throw error(errc::damaged, "entry of a tree contradicts itself", in.offset());
}

std::uint32_t read_u32(cursor& in) { return static_cast<std::uint32_t>(read_varint(in, max_u32)); }

std::string read_text(cursor& in, std::size_t max_bytes) {
  const auto text = in.bytes(static_cast<std::size_t>(read_varint(in, max_bytes)));
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

std::string read_text(cursor& in) { return read_text(in, in.remaining()); }

io::file_time read_time(cursor& in) {
  io::file_time time;
  time.seconds = from_zigzag(read_varint(in));
  time.nanoseconds = static_cast<std::int64_t>(read_varint(in, nanoseconds_per_second - 1));
  return time;
}

void read_attributes(cursor& in, entry& into) {
  // Each takes two bytes at least.
  const std::uint64_t count = read_varint(in, in.remaining() / 2);
  require(count > 0, in);
  for (std::uint64_t i = 0; i < count; ++i) {
    io::attribute next;
    next.name = read_text(in);
    next.value = read_text(in);
    require(!next.name.empty() && next.name.find('\0') == std::string::npos, in);
    require(into.attributes.empty() || into.attributes.back().name < next.name, in);
    into.attributes.push_back(std::move(next));
  }
}

std::uint64_t read_common(cursor& in, entry& into) {
  const std::uint64_t flags = read_varint(in, all_flags);
  into.mode = static_cast<std::uint32_t>(read_varint(in, max_mode));
  into.owner.user = read_u32(in);
  into.owner.group = read_u32(in);
  into.owner.user_name = read_text(in);
  into.owner.group_name = read_text(in);
  into.modified = read_time(in);
  if ((flags & flag_links) != 0) {
    into.links = read_varint(in);
    require(into.links > 1, in);
  }
  if ((flags & flag_attributes) != 0) read_attributes(in, into);
  return flags;
}

void read_data_ranges(cursor& in, entry& into) {
  into.has_holes = true;
  const std::uint64_t count = read_varint(in, in.remaining() / 2);
  std::uint64_t end = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t hole = read_varint(in, into.bytes - end);
    require(hole > 0 || i == 0, in);
    const std::uint64_t size = read_varint(in, into.bytes - end - hole);
    require(size > 0, in);
    into.data.push_back({end + hole, size});
    end += hole + size;
  }
  require(data_bytes(into) < into.bytes, in);
}

void read_content(cursor& in, entry& into) {
  content_extent last;
  for (std::uint64_t left = data_bytes(into); left > 0; left -= last.bytes) {
    content_extent next;
    next.source = read_u32(in);
    const bool continues = !into.content.empty() && next.source == last.source;
    const std::uint64_t expected = continues ? last.offset + last.bytes : 0;
    next.offset = expected + static_cast<std::uint64_t>(from_zigzag(read_varint(in)));
    next.bytes = read_varint(in, left);
    require(next.bytes > 0 && next.offset <= max_file_bytes - next.bytes, in);
    into.content.push_back(next);
    last = next;
  }
}

void read_file(cursor& in, entry& into, bool has_holes) {
  into.bytes = read_varint(in, max_file_bytes);
  if (has_holes) read_data_ranges(in, into);
  read_content(in, into);
}

std::string read_path(cursor& in) {
  std::string path = read_text(in, max_path_bytes);
  require(is_entry_path(path), in);
  return path;
}

void read_body(cursor& in, entry& into) {
  const std::uint8_t head = in.u8();
  if (head >> 4 != entry_version)
    throw error(errc::unsupported, "tree made by a newer lmzip", in.offset());
  require((head & 15) < entry_kinds, in);
  into.kind = static_cast<entry_kind>(head & 15);
  into.path = read_path(in);
  require(!into.path.empty() || into.kind == entry_kind::directory, in);
  if (into.kind == entry_kind::hard_link) {
    into.target = read_path(in);
    require(!into.target.empty() && compare_paths(into.target, into.path) < 0, in);
    return;
  }
  const bool has_holes = (read_common(in, into) & flag_holes) != 0;
  require(!has_holes || into.kind == entry_kind::file, in);
  if (into.kind == entry_kind::file) read_file(in, into, has_holes);
  if (into.kind == entry_kind::symbolic_link) {
    into.target = read_text(in, max_path_bytes);
    require(!into.target.empty() && into.target.find('\0') == std::string::npos, in);
  }
  if (into.kind == entry_kind::character_device || into.kind == entry_kind::block_device) {
    into.device_major = read_u32(in);
    into.device_minor = read_u32(in);
  }
}

}  // namespace

entry read_entry(cursor& in) {
  const std::uint64_t size = read_varint(in);
  if (size > in.remaining()) throw error(errc::truncated, "ends too early", in.offset());
  const std::uint64_t offset = in.offset();
  cursor body(in.bytes(static_cast<std::size_t>(size)), offset);
  entry found;
  read_body(body, found);
  require(body.remaining() == 0, body);
  return found;
}

stat_stamp read_stamp(cursor& in) {
  stat_stamp stamp;
  stamp.changed = read_time(in);
  stamp.inode = read_varint(in);
  stamp.device = read_varint(in);
  return stamp;
}

std::optional<entry> entry_stream::next() {
  if (in_.remaining() == 0) return std::nullopt;
  entry found = read_entry(in_);
  require(is_first_ || compare_paths(last_path_, found.path) < 0, in_);
  require(last_leaf_.empty() || !is_below(found.path, last_leaf_), in_);
  is_first_ = false;
  last_path_ = found.path;
  if (found.kind != entry_kind::directory) last_leaf_ = found.path;
  return found;
}

}  // namespace lmzip::tree
