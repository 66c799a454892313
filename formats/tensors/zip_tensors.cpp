#include "formats/tensors/zip_tensors.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/endian.h"
#include "formats/tensors/npy.h"
#include "formats/tensors/storage_table.h"
#include "formats/tensors/zip_directory.h"
#include "formats/tensors/zip_names.h"
#include "lmzip/error.h"

namespace lmzip::tensors {
namespace {

constexpr std::string_view local_magic = "PK\x03\x04";
constexpr std::string_view empty_magic = "PK\x05\x06";
constexpr std::size_t local_bytes = 30;
/// Names of members that may come first in an archive of PyTorch, after its root folder.
constexpr std::array<std::string_view, 8> torch_names = {
    "/data.pkl",        "/constants.pkl",      "/version", "/byteorder",
    "/.format_version", "/.storage_alignment", "/data/0",  "/code/"};

/// The folder of the first member ROOT/data.pkl; "" if there is none.
std::string_view torch_root(const std::vector<zip_member>& members) noexcept {
  for (const zip_member& m : members)
    if (const std::string_view root = root_by_pickle(m.name); !root.empty()) return root;
  return {};
}

/// The stored member of that name if it has up to `most` bytes.
std::vector<std::byte> read_member(const random_input& in, const std::vector<zip_member>& members,
                                   const std::string& name, std::uint64_t most) {
  for (const zip_member& m : members) {
    if (m.name != name || !m.is_stored || m.bytes > most) continue;
    std::vector<std::byte> bytes(static_cast<std::size_t>(m.bytes));
    bytes.resize(read_fully(in, m.offset, bytes));
    return bytes;
  }
  return {};
}

void tell_of_compressed(std::size_t count, tensor_layout& layout) {
  if (count == 0) return;
  layout.reason = std::to_string(count) + (count == 1 ? " member is" : " members are") +
                  " compressed already, or no array";
}

tensor_layout read_npz(const random_input& in, const std::vector<zip_member>& members) {
  tensor_layout layout;
  layout.format = format_kind::npz;
  layout.bytes = in.bytes;
  std::size_t others = 0;
  for (const zip_member& m : members) {
    auto header = m.is_stored ? read_npy_header_at(in, m.offset, m.bytes) : std::nullopt;
    if (!header) {
      ++others;
      continue;
    }
    header->array.name = m.name.substr(0, m.name.size() - npy_suffix.size());
    layout.tensors.push_back(std::move(header->array));
  }
  tell_of_compressed(others, layout);
  return layout;
}

tensor_layout read_torch(const random_input& in, const std::vector<zip_member>& members,
                         std::string_view root, const read_limits& limits) {
  tensor_layout layout;
  layout.format = format_kind::torch_zip;
  layout.bytes = in.bytes;
  // A scan takes up to 40 times the memory of the pickle.
  const storage_table storages(read_member(in, members,
                                           std::string(root) + std::string(pickle_name),
                                           limits.header_bytes / 8));
  const auto order = read_member(in, members, std::string(root) + "/byteorder", 16);
  const bool is_big_endian =
      std::string_view(reinterpret_cast<const char*>(order.data()), order.size()) == "big";
  const std::string data_folder = std::string(root) + "/data/";
  const std::string constants_folder = std::string(root) + "/constants/";
  std::size_t compressed = 0;
  for (const zip_member& m : members) {
    const bool is_data = m.name.starts_with(data_folder);
    if (!is_data && !m.name.starts_with(constants_folder)) continue;
    if (!m.is_stored) {
      ++compressed;
      continue;
    }
    tensor t;
    t.name = m.name.substr(root.size() + 1);
    t.offset = m.offset;
    t.bytes = m.bytes;
    if (is_data)
      storages.describe(std::string_view(m.name).substr(data_folder.size()), is_big_endian, t);
    layout.tensors.push_back(std::move(t));
  }
  tell_of_compressed(compressed, layout);
  return layout;
}

}  // namespace

bool looks_like_zip(const beginning& from) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(from.bytes.data()), from.bytes.size());
  return text.starts_with(local_magic) || text.starts_with(empty_magic);
}

std::optional<bool> begins_like_tensor_zip(const beginning& from) noexcept {
  constexpr std::size_t enough = 1024;
  const bool is_enough = from.bytes.size() >= enough || from.is_all();
  if (from.bytes.size() < local_bytes) {
    if (!is_enough) return std::nullopt;
    return false;
  }
  const std::size_t length = load_le<std::uint16_t>(from.bytes.data() + 26);
  if (length > from.bytes.size() - local_bytes) {
    if (!is_enough) return std::nullopt;
    return false;
  }
  const std::string_view name(reinterpret_cast<const char*>(from.bytes.data()) + local_bytes,
                              length);
  if (is_npy_name(name)) return true;
  const std::size_t slash = name.find('/');
  if (slash == name.npos || slash == 0) return false;
  return std::any_of(torch_names.begin(), torch_names.end(),
                     [&](std::string_view start) { return name.substr(slash).starts_with(start); });
}

tensor_layout read_tensor_zip(const random_input& in, const read_limits& limits) {
  std::vector<zip_member> members;
  try {
    members = read_zip_directory(in, limits);
  } catch (const error& e) {
    if (e.code() != errc::damaged) throw;
    return plain_layout(in.bytes, std::string("not read as a zip archive: ") + e.what());
  }
  const std::string_view root = torch_root(members);
  if (!root.empty()) return read_torch(in, members, root, limits);
  if (!members.empty() && std::all_of(members.begin(), members.end(),
                                      [](const zip_member& m) { return is_npy_name(m.name); }))
    return read_npz(in, members);
  return plain_layout(in.bytes);
}

}  // namespace lmzip::tensors
