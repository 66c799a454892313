#include <errno.h>
#include <fcntl.h>
#include <sys/sysmacros.h>

#include "core/io/folder.h"
#include "core/io/signals.h"
#include "core/io/system_calls.h"

namespace lmzip::io {
namespace {

mode_t type_of(const file_status& like) {
  if (like.kind == file_kind::fifo) return S_IFIFO;
  if (like.kind == file_kind::socket) return S_IFSOCK;
  return like.is_block_device ? S_IFBLK : S_IFCHR;
}

int reason_of(int result) { return result == 0 ? 0 : errno; }

}  // namespace

file folder::create_file(const std::string& name) {
  for (;;) {
    const int descriptor =
        handle_.calls_->open_in(handle_.descriptor_, name.c_str(),
                                O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
    if (descriptor >= 0) return file(descriptor, path_of(name), handle_.calls_);
    if (errno != EINTR) fail(name, "cannot create");
    throw_if_interrupted();
  }
}

bool folder::make_directory(const std::string& name, unsigned mode) {
  if (handle_.calls_->make_directory_in(handle_.descriptor_, name.c_str(),
                                        static_cast<mode_t>(mode)) == 0)
    return true;
  if (errno == EEXIST) return false;
  fail(name, "cannot create");
}

void folder::make_link(const std::string& name, const std::string& target) {
  if (handle_.calls_->make_link_in(handle_.descriptor_, name.c_str(), target.c_str()) != 0)
    fail(name, "cannot create");
}

void folder::make_node(const std::string& name, const file_status& like) {
  const dev_t number = makedev(like.device_major, like.device_minor);
  if (handle_.calls_->make_node_in(handle_.descriptor_, name.c_str(), type_of(like) | 0600,
                                   like.kind == file_kind::device ? number : 0) != 0)
    fail(name, "cannot create");
}

void folder::make_hard_link(const std::string& name, const folder& source,
                            const std::string& from) {
  if (handle_.calls_->link_in(source.handle_.descriptor_, from.c_str(), handle_.descriptor_,
                              name.c_str()) != 0)
    fail(name, "cannot link");
}

void folder::take(const std::string& to, const folder& source, const std::string& from,
                  bool replace) {
  system_calls& calls = *handle_.calls_;
  const int here = handle_.descriptor_;
  const int there = source.handle_.descriptor_;
  if (calls.rename_in(there, from.c_str(), here, to.c_str(), replace) == 0) return;
  const bool cannot_refuse = !replace && (errno == ENOSYS || errno == EINVAL || errno == ENOTSUP);
  if (!cannot_refuse) fail(to, "cannot create");
  // A hard link does not replace anything either. Where there are none, another process could
  // create the name between the question and the rename.
  if (calls.link_in(there, from.c_str(), here, to.c_str()) == 0) {
    calls.unlink_in(there, from.c_str(), false);
    return;
  }
  if (errno == EEXIST || status_of(to)) {
    errno = EEXIST;
    fail(to, "cannot create");
  }
  if (calls.rename_in(there, from.c_str(), here, to.c_str(), true) != 0) fail(to, "cannot create");
}

void folder::remove(const std::string& name, bool is_directory) {
  if (handle_.calls_->unlink_in(handle_.descriptor_, name.c_str(), is_directory) != 0)
    fail(name, "cannot remove");
}

int folder::set_mode_of(const std::string& name, unsigned mode) noexcept {
  return reason_of(
      handle_.calls_->change_mode_in(handle_.descriptor_, name.c_str(), static_cast<mode_t>(mode)));
}

int folder::set_owner_of(const std::string& name, std::optional<unsigned> owner,
                         std::optional<unsigned> group) noexcept {
  return reason_of(handle_.calls_->change_owner_in(handle_.descriptor_, name.c_str(),
                                                   owner.value_or(static_cast<uid_t>(-1)),
                                                   group.value_or(static_cast<gid_t>(-1))));
}

int folder::set_modified_of(const std::string& name, const file_time& modified) noexcept {
  const struct timespec times[2] = {
      {0, UTIME_OMIT},
      {static_cast<time_t>(modified.seconds), static_cast<long>(modified.nanoseconds)}};
  return reason_of(handle_.calls_->change_times_in(handle_.descriptor_, name.c_str(), times));
}

}  // namespace lmzip::io
