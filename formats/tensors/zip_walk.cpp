#include "formats/tensors/zip_walk.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/cursor.h"
#include "core/endian.h"
#include "formats/tensors/npy.h"
#include "formats/tensors/zip_directory.h"
#include "formats/tensors/zip_names.h"
#include "lmzip/error.h"

namespace lmzip::tensors {
namespace {

constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::uint32_t descriptor_signature = 0x08074b50;
constexpr std::size_t local_bytes = 30;
constexpr std::size_t descriptor_bytes = 16;
constexpr std::size_t descriptor64_bytes = 24;
constexpr std::uint16_t flag_encrypted = 1;
constexpr std::uint16_t flag_descriptor = 8;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;

std::span<const std::byte> peek_from(const peek_function& peek, std::uint64_t at,
                                     std::uint64_t count) {
  const auto seen = peek(static_cast<std::size_t>(at + count));
  return seen.subspan(std::min<std::size_t>(seen.size(), static_cast<std::size_t>(at)));
}

bool starts_with(std::span<const std::byte> bytes, std::uint32_t signature) noexcept {
  return bytes.size() >= 4 && load_le<std::uint32_t>(bytes.data()) == signature;
}

/// Bytes of a descriptor (of the member before) that stands before a local header; 0: none.
std::size_t descriptor_before_header(std::span<const std::byte> bytes) noexcept {
  if (!starts_with(bytes, descriptor_signature)) return 0;
  for (const std::size_t size : {descriptor_bytes, descriptor64_bytes})
    if (bytes.size() > size && starts_with(bytes.subspan(size), local_signature)) return size;
  return 0;
}

}  // namespace

std::uint64_t zip_walk::memory() const noexcept {
  constexpr std::uint64_t scan_times = 40;    // storage_table
  constexpr std::uint64_t layout_bytes = 16;  // of layout, at most, for a byte of members
  return scan_times * pickle_bytes_ + layout_bytes * window + window + limits_.header_bytes / 8;
}

std::optional<tensor_layout> zip_walk::next(const peek_function& peek) {
  tensor_layout layout;
  while (layout.bytes < window) {
    const auto found = member_at(peek, layout.bytes);
    if (!found) break;
    add(peek, *found, layout);
    layout.bytes = found->data + found->bytes;
  }
  is_first_ = false;
  if (layout.bytes == 0) return std::nullopt;
  layout.format = root_.empty() ? format_kind::npz : format_kind::torch_zip;
  return layout;
}

std::optional<zip_walk::member> zip_walk::member_at(const peek_function& peek,
                                                    std::uint64_t at) const {
  at += descriptor_before_header(peek_from(peek, at, descriptor64_bytes + 4));
  cursor header(peek_from(peek, at, local_bytes));
  if (header.remaining() < local_bytes || header.u32() != local_signature) return std::nullopt;
  header.u16();  // version
  const std::uint16_t flags = header.u16();
  const std::uint16_t method = header.u16();
  header.bytes(2 + 2 + 4);  // time, checksum
  zip_member sizes;
  sizes.bytes = header.u32();
  std::uint64_t plain_bytes = header.u32();
  const std::uint16_t name_bytes = header.u16();
  const std::uint16_t extra_bytes = header.u16();
  const auto rest = peek_from(peek, at + local_bytes, std::uint64_t{name_bytes} + extra_bytes);
  if (rest.size() < std::size_t{name_bytes} + extra_bytes) return std::nullopt;
  member m;
  m.name.assign(reinterpret_cast<const char*>(rest.data()), name_bytes);
  m.data = at + local_bytes + name_bytes + extra_bytes;
  m.is_stored = method == 0 && (flags & flag_encrypted) == 0;
  if ((flags & flag_descriptor) == 0) {
    try {
      read_extra64(cursor(rest.subspan(name_bytes)), plain_bytes, sizes);
    } catch (const error&) {
      return std::nullopt;
    }
    m.bytes = sizes.bytes;
  } else {
    const auto told = bytes_by_name(m);
    const auto size = told ? told : bytes_by_descriptor(peek, m.data);
    if (!size) return std::nullopt;
    m.bytes = *size;
  }
  if (m.bytes > most_bytes) return std::nullopt;
  return m;
}

std::optional<std::string_view> zip_walk::storage_key(const member& m) const {
  constexpr std::string_view folder = "/data/";
  const std::string_view name = m.name;
  if (root_.empty() || !name.starts_with(root_)) return std::nullopt;
  const std::string_view path = name.substr(root_.size());
  if (!path.starts_with(folder)) return std::nullopt;
  return path.substr(folder.size());
}

std::optional<std::uint64_t> zip_walk::bytes_by_name(const member& m) const {
  const auto key = storage_key(m);
  if (!key || !m.is_stored) return std::nullopt;
  return storages_.bytes_of(*key);
}

std::optional<std::uint64_t> zip_walk::bytes_by_descriptor(const peek_function& peek,
                                                           std::uint64_t data) const {
  constexpr std::uint64_t first_look = 4096;
  const std::uint64_t limit = limits_.header_bytes / 8;  // as for pickles read by the directory
  std::size_t at = 0;
  for (std::uint64_t look = std::min(first_look, limit);; look = std::min(2 * look, limit)) {
    const auto seen = peek_from(peek, data, look + descriptor_bytes);
    for (; at + descriptor_bytes <= seen.size(); ++at) {
      const std::byte* d = seen.data() + at;
      // The size in the archive stands after the checksum, and is the same in both forms.
      if (load_le<std::uint32_t>(d) == descriptor_signature && load_le<std::uint32_t>(d + 8) == at)
        return at;
    }
    if (look == limit || seen.size() < look + descriptor_bytes) return std::nullopt;
  }
}

void zip_walk::add(const peek_function& peek, const member& m, tensor_layout& layout) {
  const std::string root(root_by_pickle(m.name));
  if (!root.empty() && root_.empty() && is_first_ && m.is_stored) {
    const auto pickle = peek_from(peek, m.data, m.bytes);
    if (m.bytes <= limits_.header_bytes / 8 && pickle.size() == m.bytes) {
      storages_ = storage_table({pickle.begin(), pickle.end()});
      pickle_bytes_ = m.bytes;
    }
    root_ = root;
  } else if (!root_.empty() && m.name == root_ + "/byteorder") {
    const auto word = peek_from(peek, m.data, 3);
    is_big_endian_ = word.size() == 3 && word[0] == std::byte{'b'} && word[1] == std::byte{'i'};
  } else if (const auto key = storage_key(m); key && m.is_stored) {
    tensor t;
    t.name = m.name.substr(root_.size() + 1);
    t.offset = m.data;
    t.bytes = m.bytes;
    storages_.describe(*key, is_big_endian_, t);
    layout.tensors.push_back(std::move(t));
  } else if (root_.empty() && m.is_stored && is_npy_name(m.name)) {
    add_array(peek, m, layout);
  }
}

void zip_walk::add_array(const peek_function& peek, const member& m, tensor_layout& layout) const {
  const auto front = peek_from(peek, m.data, std::min(m.bytes, longest_npy_header));
  try {
    npy_header header = read_npy_header(
        front.first(static_cast<std::size_t>(std::min<std::uint64_t>(front.size(), m.bytes))));
    if (header.bytes > m.bytes || header.array.bytes > m.bytes - header.bytes) return;
    header.array.offset = m.data + header.bytes;
    header.array.name = m.name.substr(0, m.name.size() - npy_suffix.size());
    layout.tensors.push_back(std::move(header.array));
  } catch (const error&) {
    // Plain bytes, as by the directory.
  }
}

}  // namespace lmzip::tensors
