#include "archive/tree/observed.h"

#include <algorithm>
#include <utility>

namespace lmzip::tree {

std::optional<entry_kind> kind_of(const io::file_status& status) noexcept {
  switch (status.kind) {
    case io::file_kind::regular:
      return entry_kind::file;
    case io::file_kind::directory:
      return entry_kind::directory;
    case io::file_kind::symbolic_link:
      return entry_kind::symbolic_link;
    case io::file_kind::fifo:
      return entry_kind::fifo;
    case io::file_kind::device:
      return status.is_block_device ? entry_kind::block_device : entry_kind::character_device;
    default:
      return std::nullopt;
  }
}

entry entry_of(std::string path, entry_kind kind, const io::file_status& status,
               io::owner_names& names) {
  entry found;
  found.path = std::move(path);
  found.kind = kind;
  found.mode = status.mode;
  found.owner = {status.owner, status.group, names.user_name(status.owner),
                 names.group_name(status.group)};
  found.modified = status.modified;
  found.stamp = {status.changed, status.inode, status.device};
  if (kind == entry_kind::file) found.bytes = status.bytes;
  // The links of a directory are its subdirectories, on some file systems.
  if (kind != entry_kind::directory) found.links = std::max<std::uint64_t>(status.links, 1);
  if (kind == entry_kind::character_device || kind == entry_kind::block_device) {
    found.device_major = status.device_major;
    found.device_minor = status.device_minor;
  }
  return found;
}

void find_holes(const io::file& from, const io::file_status& status, entry& into) {
  // Most files have their blocks, and then two calls are saved.
  if (status.allocated_bytes >= into.bytes) return;
  std::vector<data_range> ranges;
  std::uint64_t data = 0;
  for (std::uint64_t at = 0; at < into.bytes;) {
    const auto next = from.next_data(at);
    if (!next || *next >= into.bytes) break;
    const std::uint64_t end = std::min(from.next_hole(*next), into.bytes);
    // A file that changes meanwhile can contradict itself.
    if (*next < at || end <= *next) return;
    if (!ranges.empty() && *next == at) {
      ranges.back().bytes += end - *next;
    } else {
      ranges.push_back({*next, end - *next});
    }
    data += end - *next;
    at = end;
  }
  if (data == into.bytes) return;
  into.has_holes = true;
  into.data = std::move(ranges);
}

}  // namespace lmzip::tree
