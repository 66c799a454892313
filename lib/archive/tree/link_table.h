#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/io/file.h"

namespace lmzip::tree {

/// Where the first names of files with several names are stored.
class link_table {
 public:
  /// The stored name of the same file, or "". Forgets the file when its last name has come.
  std::string find(const io::file_status& status) {
    const auto at = files_.find(key(status));
    if (at == files_.end()) return {};
    std::string first = at->second.path;
    if (--at->second.names_to_come == 0) files_.erase(at);
    return first;
  }

  /// `path` is stored as the first name.
  void add(const io::file_status& status, const std::string& path) {
    if (status.links > 1) files_[key(status)] = {path, status.links - 1};
  }

 private:
  struct first_name {
    std::string path;
    std::uint64_t names_to_come = 0;
  };
  using identity = std::pair<std::uint64_t, std::uint64_t>;
  static identity key(const io::file_status& status) { return {status.device, status.inode}; }

  std::map<identity, first_name> files_;
};

}  // namespace lmzip::tree
