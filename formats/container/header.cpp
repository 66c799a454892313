#include <algorithm>
#include <utility>

#include "core/cursor.h"
#include "core/endian.h"
#include "formats/container/append.h"
#include "formats/container/format.h"
#include "lmzip/error.h"

namespace lmzip::container {
namespace {

constexpr std::uint32_t known_features = 0;
constexpr std::uint32_t strong_bit = 1;
constexpr std::uint32_t known_flags = strong_bit;

// Optional fields. Tags stand in rising order, each at most once.
constexpr std::uint16_t skippable_tag = 0x8000;
constexpr std::uint16_t model_tag = 0x0001;
constexpr std::uint16_t base_tag = 0x0002;
constexpr std::uint16_t window_tag = 0x0003;
constexpr std::uint16_t model_bytes_tag = 0x0004;
constexpr std::uint16_t tree_tag = 0x0005;
constexpr std::uint16_t name_tag = 0x8001;

[[noreturn]] void corrupt_header(std::uint64_t offset, const std::string& why) {
  throw error(errc::damaged, "corrupt header at offset " + std::to_string(offset) + ": " + why,
              offset);
}

[[noreturn]] void needs_newer(std::uint64_t offset, const std::string& what) {
  throw error(errc::unsupported, "needs a newer lmzip (" + what + ")", offset);
}

void append_field(std::vector<std::byte>& out, std::uint16_t tag,
                  std::span<const std::byte> bytes) {
  append_le(out, tag);
  append_le(out, static_cast<std::uint16_t>(bytes.size()));
  append_bytes(out, bytes);
}

void append_number(std::vector<std::byte>& out, std::uint16_t tag, std::uint64_t number) {
  std::vector<std::byte> bytes;
  append_le(bytes, number);
  append_field(out, tag, bytes);
}

hash256 to_hash(std::span<const std::byte> bytes, std::uint64_t offset) {
  hash256 hash;
  if (bytes.size() != hash.size()) corrupt_header(offset, "an identifier has the wrong size");
  std::copy(bytes.begin(), bytes.end(), hash.begin());
  return hash;
}

std::uint64_t to_model_bytes(std::span<const std::byte> bytes, std::uint64_t offset) {
  const std::uint64_t size =
      bytes.size() == sizeof(std::uint64_t) ? load_le<std::uint64_t>(bytes.data()) : 0;
  if (size == 0 || size > max_model_bytes) corrupt_header(offset, "impossible size of a model");
  return size;
}

std::uint16_t to_base_depth(std::span<const std::byte> bytes, std::uint64_t offset) {
  const std::uint16_t depth =
      bytes.size() == sizeof(std::uint16_t) ? load_le<std::uint16_t>(bytes.data()) : 0;
  if (depth == 0 || depth > max_base_depth) corrupt_header(offset, "impossible depth of a base");
  return depth;
}

std::uint64_t to_window(std::span<const std::byte> bytes, std::uint64_t offset) {
  const std::uint64_t window =
      bytes.size() == sizeof(std::uint64_t) ? load_le<std::uint64_t>(bytes.data()) : 0;
  if (window == 0 || window > max_window) corrupt_header(offset, "impossible window");
  return window;
}

/// Of another version nobody knows how to read the tree.
bool to_tree(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (bytes.size() != sizeof(std::uint16_t)) corrupt_header(offset, "impossible version of a tree");
  const std::uint16_t version = load_le<std::uint16_t>(bytes.data());
  if (version != tree_version) needs_newer(offset, "tree " + std::to_string(version));
  return true;
}

std::string to_name(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (bytes.empty() || bytes.size() > max_name_bytes ||
      std::find(bytes.begin(), bytes.end(), std::byte{0}) != bytes.end()) {
    corrupt_header(offset, "the name is not one");
  }
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void parse_fields(cursor& in, member_header& header, std::uint64_t offset) {
  int last_tag = -1;
  while (in.remaining() > 0) {
    if (in.remaining() < 4) corrupt_header(offset, "an optional field is cut");
    const std::uint16_t tag = in.u16();
    const std::uint16_t size = in.u16();
    if (size > in.remaining()) corrupt_header(offset, "an optional field is cut");
    if (tag <= last_tag) corrupt_header(offset, "optional fields out of order");
    last_tag = tag;
    const auto bytes = in.bytes(size);
    if (tag == model_tag) {
      header.model = to_hash(bytes, offset);
    } else if (tag == base_tag) {
      header.base_depth = to_base_depth(bytes, offset);
    } else if (tag == window_tag) {
      header.window = to_window(bytes, offset);
    } else if (tag == model_bytes_tag) {
      header.model_bytes = to_model_bytes(bytes, offset);
    } else if (tag == tree_tag) {
      header.tree = to_tree(bytes, offset);
    } else if (tag == name_tag) {
      header.name = to_name(bytes, offset);
    } else if ((tag & skippable_tag) == 0) {
      needs_newer(offset, "header field " + std::to_string(tag));
    }
  }
  if (header.model_bytes != 0 && !header.model) corrupt_header(offset, "a model without id");
}

}  // namespace

std::vector<std::byte> serialize(const member_header& header) {
  if (header.block_bytes < min_block_size || header.block_bytes > max_block_size ||
      header.model_bytes > max_model_bytes || header.window > max_window ||
      (header.model_bytes != 0 && !header.model) || header.base_depth > max_base_depth ||
      header.name.size() > max_name_bytes || header.name.find('\0') != std::string::npos) {
    throw error(errc::internal, "member header out of range");
  }
  std::vector<std::byte> out;
  append_bytes(out, magic);
  append_le(out, format_version);
  append_le(out, std::uint16_t{0});  // the size, known at the end
  append_le(out, known_features);
  append_le(out, header.strong ? strong_bit : 0);
  append_le(out, header.block_bytes);
  append_le(out, header.memory);
  append_bytes(out, header.codec_data);
  if (header.model) append_field(out, model_tag, *header.model);
  if (header.base_depth != 0) {
    std::vector<std::byte> depth;
    append_le(depth, header.base_depth);
    append_field(out, base_tag, depth);
  }
  if (header.window != 0) append_number(out, window_tag, header.window);
  if (header.model_bytes != 0) append_number(out, model_bytes_tag, header.model_bytes);
  if (header.tree) {
    std::vector<std::byte> version;
    append_le(version, tree_version);
    append_field(out, tree_tag, version);
  }
  if (!header.name.empty()) append_field(out, name_tag, std::as_bytes(std::span(header.name)));
  store_le(out.data() + magic.size() + 2,
           static_cast<std::uint16_t>(out.size() + sizeof(std::uint64_t)));
  append_le(out, xxh3_64(out));
  return out;
}

void check_model_size(const member_header& header, std::uint64_t limit) {
  if (limit != 0 && header.model_bytes > limit)
    throw error(errc::memory_limit, "the model in the archive has " +
                                        std::to_string(header.model_bytes) +
                                        " bytes, more than the limit of " + std::to_string(limit));
}

std::size_t member_header_size(std::span<const std::byte> frozen, std::uint64_t offset) {
  cursor in(frozen, offset);
  const auto found = in.bytes(magic.size());
  if (!std::equal(magic.begin(), magic.end(), found.begin())) {
    corrupt_header(offset, "the magic is damaged, as by a transfer in text mode");
  }
  const std::uint16_t version = in.u16();
  const std::uint16_t size = in.u16();
  // Of another version nothing but the frozen fields and the hash can be assumed.
  const bool possible = version == format_version
                            ? size >= min_header_bytes && size <= max_header_bytes
                            : size >= frozen_header_bytes + sizeof(std::uint64_t);
  if (!possible) corrupt_header(offset, "impossible size");
  return size;
}

member_header parse_member_header(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (member_header_size(bytes, offset) != bytes.size()) corrupt_header(offset, "wrong size");
  const auto body = bytes.first(bytes.size() - sizeof(std::uint64_t));
  if (xxh3_64(body) != load_le<std::uint64_t>(bytes.data() + body.size())) {
    corrupt_header(offset, "checksum mismatch");
  }
  cursor in(body, offset);
  in.bytes(magic.size());
  const std::uint16_t version = in.u16();
  if (version != format_version) needs_newer(offset, "format " + std::to_string(version));
  in.u16();  // the size, checked above
  const std::uint32_t features = in.u32();
  if ((features & ~known_features) != 0) {
    needs_newer(offset, "features " + std::to_string(features & ~known_features));
  }
  const std::uint32_t flags = in.u32();
  if ((flags & ~known_flags) != 0) {
    needs_newer(offset, "flags " + std::to_string(flags & ~known_flags));
  }
  member_header header;
  header.strong = (flags & strong_bit) != 0;
  header.block_bytes = in.u32();
  if (header.block_bytes < min_block_size || header.block_bytes > max_block_size) {
    corrupt_header(offset, "impossible block size");
  }
  header.memory = in.u64();
  const auto id = in.bytes(header.codec_data.size());
  std::copy(id.begin(), id.end(), header.codec_data.begin());
  parse_fields(in, header, offset);
  return header;
}

}  // namespace lmzip::container
