#include "formats/tensors/npy.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/cursor.h"
#include "formats/tensors/arithmetic.h"
#include "formats/tensors/npy_descr.h"
#include "lmzip/error.h"

namespace lmzip::tensors {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
/// What is read of an array first; most headers are no longer.
constexpr std::size_t first_read = 256;

}  // namespace

bool looks_like_npy(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), reinterpret_cast<const char*>(bytes.data()));
}

npy_header read_npy_header(std::span<const std::byte> bytes) {
  cursor in(bytes);
  in.bytes(magic.size());
  if (!looks_like_npy(bytes)) throw error(errc::damaged, "no array");
  const unsigned major = in.u8();
  const unsigned minor = in.u8();
  if (major < 1 || major > 3 || minor != 0) throw error(errc::damaged, "version is not known");
  const std::uint64_t length = major == 1 ? in.u16() : in.u32();
  if (length > longest_npy_header) throw error(errc::damaged, "the header is too large");
  const auto text = in.bytes(static_cast<std::size_t>(length));
  npy_header header;
  header.bytes = in.position();
  header.array = read_npy_literal({reinterpret_cast<const char*>(text.data()), text.size()});
  return header;
}

probe_result probe_npy(const beginning& from, const read_limits& limits) {
  const auto refused = [&](const std::string& why) {
    return probe_result::decide(plain_layout(from.known_bytes(), "not read as npy: " + why));
  };
  try {
    npy_header header = read_npy_header(from.bytes);
    const auto end = sum_of(header.bytes, header.array.bytes);
    if (!end) return refused("the array is too large");
    if (from.total && *end > *from.total) return refused("the file ends within its array");
    tensor_layout layout;
    layout.format = format_kind::npy;
    layout.bytes = *end;
    header.array.name = "arr_0";
    header.array.offset = header.bytes;
    layout.tensors.push_back(std::move(header.array));
    return probe_result::decide(std::move(layout));
  } catch (const error& e) {
    if (e.code() != errc::truncated) return refused(e.what());
    if (from.is_all()) return refused("the file ends within its header");
    const auto wanted = larger_prefix(from, std::min(limits.header_bytes, 2 * longest_npy_header));
    if (!wanted) return refused("the header is too large");
    return probe_result::ask_for(*wanted);
  }
}

std::optional<npy_header> read_npy_header_at(const random_input& in, std::uint64_t offset,
                                             std::uint64_t room) {
  const auto most = static_cast<std::size_t>(std::min(room, 2 * longest_npy_header));
  std::vector<std::byte> buffer;
  for (std::size_t length = std::min(first_read, most);; length = std::min(2 * length, most)) {
    buffer.resize(length);
    buffer.resize(read_fully(in, offset, buffer));
    try {
      npy_header header = read_npy_header(buffer);
      if (header.array.bytes > room - header.bytes) return std::nullopt;
      header.array.offset = offset + header.bytes;
      return header;
    } catch (const error& e) {
      if (e.code() != errc::truncated || buffer.size() < length || length == most)
        return std::nullopt;
    }
  }
}

tensor_layout read_npy_arrays(const random_input& in, const read_limits& limits) {
  tensor_layout layout;
  layout.format = format_kind::npy;
  layout.bytes = in.bytes;
  std::uint64_t offset = 0;
  std::uint64_t budget = limits.header_bytes;
  while (auto header = read_npy_header_at(in, offset, in.bytes - offset)) {
    if (header->bytes > budget) break;
    budget -= header->bytes;
    header->array.name = "arr_" + std::to_string(layout.tensors.size());
    offset = header->array.offset + header->array.bytes;
    layout.tensors.push_back(std::move(header->array));
  }
  return layout;
}

}  // namespace lmzip::tensors
