#pragma once

// Entries made by hand, and what restoring them gives.

#include <errno.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "archive/tree/restorer.h"
#include "core/io/system_calls.h"
#include "lmzip/error.h"
#include "tree_support.h"

namespace lmzip::test {

using tree::entry;
using tree::entry_kind;
using tree::restorer;
using outcome = restorer::outcome;

inline entry file_at(const std::string& path, const std::string& text) {
  entry file;
  file.path = path;
  file.mode = 0644;
  file.bytes = text.size();
  if (!text.empty()) file.content = {{0, 0, text.size()}};
  return file;
}

inline entry link_at(const std::string& path, const std::string& target) {
  entry link;
  link.path = path;
  link.kind = entry_kind::symbolic_link;
  link.target = target;
  return link;
}

inline entry folder_at(const std::string& path) {
  entry folder;
  folder.path = path;
  folder.kind = entry_kind::directory;
  folder.mode = 0755;
  return folder;
}

inline restorer::content_writer text(const std::string& content) {
  return [content](sink& out) { out.write(std::as_bytes(std::span(content))); };
}

/// Has no openat2().
class old_kernel final : public io::system_calls {
  int open_beneath(int, const char*, int) override {
    errno = ENOSYS;
    return -1;
  }
};

inline std::size_t entries_in(const std::string& path) {
  return static_cast<std::size_t>(
      std::distance(fs::recursive_directory_iterator(path), fs::recursive_directory_iterator()));
}

inline int reason_of(restorer& to, const entry& from) {
  try {
    to.restore(from, text("evil"));
  } catch (const io::file_error& cause) {
    return cause.reason();
  }
  return 0;
}

}  // namespace lmzip::test
