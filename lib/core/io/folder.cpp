#include "core/io/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/io/signals.h"
#include "core/io/system_calls.h"

namespace lmzip::io {
namespace {

constexpr int directory_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY;
/// Paths given to the kernel at once; its limit is 4096 with the NUL.
constexpr std::size_t piece_bytes = 4000;

bool must_repeat() {
  if (errno != EINTR) return false;
  throw_if_interrupted();
  return true;
}

/// Calls `open` with O_NOATIME and, where that is not permitted, without.
template <class Open>
int open_unnoticed(const Open& open) {
  const int descriptor = open(O_NOATIME);
  return descriptor < 0 && errno == EPERM ? open(0) : descriptor;
}

/// The part of `path` up to a slash that is handed to the kernel at once: at least one name.
std::string_view first_piece(std::string_view path) {
  if (path.size() <= piece_bytes) return path;
  auto slash = path.rfind('/', piece_bytes);
  if (slash == std::string_view::npos) slash = path.find('/');
  return path.substr(0, slash);
}

std::string_view first_name(std::string_view path) { return path.substr(0, path.find('/')); }

void append_names(std::string_view records, std::vector<std::string>& names) {
  while (!records.empty()) {
    unsigned short size = 0;
    std::memcpy(&size, records.data() + offsetof(struct dirent64, d_reclen), sizeof size);
    const std::string_view name = records.data() + offsetof(struct dirent64, d_name);
    if (name != "." && name != "..") names.emplace_back(name);
    records.remove_prefix(size);
  }
}

}  // namespace

folder folder::open(const std::string& path, system_calls* calls) {
  system_calls& use = calls != nullptr ? *calls : system_calls::real();
  for (;;) {
    const int descriptor =
        open_unnoticed([&](int more) { return use.open(path.c_str(), directory_flags | more, 0); });
    if (descriptor >= 0) return folder(file(descriptor, path, calls));
    if (!must_repeat()) throw file_error(path, "cannot open", errno);
  }
}

std::string folder::path_of(const std::string& name) const {
  const std::string& own = path();
  return own.empty() || own.back() == '/' ? own + name : own + "/" + name;
}

void folder::fail(const std::string& name, std::string_view doing) const {
  const int reason = errno;
  throw file_error(path_of(name), doing, reason);
}

std::vector<std::string> folder::names() const {
  std::vector<std::string> names;
  alignas(struct dirent64) char buffer[32768];
  for (;;) {
    const ssize_t size = handle_.calls_->read_entries(handle_.descriptor_, buffer, sizeof buffer);
    if (size == 0) break;
    if (size > 0) {
      append_names({buffer, static_cast<std::size_t>(size)}, names);
    } else if (!must_repeat()) {
      throw file_error(path(), "cannot read", errno);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<file_status> folder::status_of(const std::string& name) const {
  struct stat raw;
  if (handle_.calls_->status_in(handle_.descriptor_, name.c_str(), &raw) == 0)
    return from_stat(raw);
  if (errno == ENOENT) return std::nullopt;
  fail(name, "cannot open");
}

folder folder::open_directory(const std::string& name, int extra_flags) const {
  for (;;) {
    const int descriptor = open_unnoticed([&](int more) {
      return handle_.calls_->open_in(handle_.descriptor_, name.c_str(),
                                     directory_flags | extra_flags | more, 0);
    });
    if (descriptor >= 0) return folder(file(descriptor, path_of(name), handle_.calls_));
    if (!must_repeat()) fail(name, "cannot open");
  }
}

folder folder::open_folder(const std::string& name) const { return open_directory(name, 0); }

folder folder::open_parent() const { return open_directory("..", 0); }

/// Nothing if the kernel has no such call, or was disturbed by renames again and again.
std::optional<folder> folder::open_by_one_call(const std::string& path) const {
  for (int i = 0; i < 8; ++i) {
    const int descriptor =
        handle_.calls_->open_beneath(handle_.descriptor_, path.c_str(), directory_flags);
    if (descriptor >= 0) return folder(file(descriptor, path_of(path), handle_.calls_));
    if (errno == ENOSYS || errno == EPERM) return std::nullopt;
    if (errno != EAGAIN && !must_repeat()) fail(path, "cannot open");
  }
  return std::nullopt;
}

folder folder::open_beneath(const std::string& path) const {
  const folder* from = this;
  folder reached;
  for (std::string_view rest = path; !rest.empty();) {
    std::string_view piece = first_piece(rest);
    auto next = from->open_by_one_call(std::string(piece));
    if (!next) {
      piece = first_name(rest);
      if (piece.empty() || piece == "..") {
        errno = EXDEV;
        from->fail(std::string(piece), "cannot open");
      }
      next = from->open_folder(std::string(piece));
    }
    reached = std::move(*next);
    from = &reached;
    rest.remove_prefix(std::min(rest.size(), piece.size() + 1));
  }
  return reached;
}

file folder::open_file(const std::string& name) const {
  constexpr int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
  for (;;) {
    const int descriptor = open_unnoticed([&](int more) {
      return handle_.calls_->open_in(handle_.descriptor_, name.c_str(), flags | more, 0);
    });
    if (descriptor >= 0) return file(descriptor, path_of(name), handle_.calls_);
    if (!must_repeat()) fail(name, "cannot open");
  }
}

std::string folder::read_link(const std::string& name) const {
  std::string target(256, '\0');
  for (;;) {
    const ssize_t size = handle_.calls_->read_link_in(handle_.descriptor_, name.c_str(),
                                                      target.data(), target.size());
    if (size < 0) fail(name, "cannot read link");
    // A full buffer may hold only the beginning.
    if (static_cast<std::size_t>(size) < target.size()) {
      target.resize(static_cast<std::size_t>(size));
      return target;
    }
    target.resize(target.size() * 4);
  }
}

}  // namespace lmzip::io
