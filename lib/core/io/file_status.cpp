#include <errno.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "core/io/file.h"
#include "core/io/system_calls.h"

namespace lmzip::io {
namespace {

file_kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return file_kind::regular;
  if (S_ISDIR(mode)) return file_kind::directory;
  if (S_ISLNK(mode)) return file_kind::symbolic_link;
  if (S_ISFIFO(mode)) return file_kind::fifo;
  if (S_ISSOCK(mode)) return file_kind::socket;
  if (S_ISCHR(mode) || S_ISBLK(mode)) return file_kind::device;
  return file_kind::other;
}

}  // namespace

file_status from_stat(const struct stat& raw) noexcept {
  return {.kind = kind_of(raw.st_mode),
          .is_block_device = S_ISBLK(raw.st_mode),
          .bytes = raw.st_size > 0 ? static_cast<std::uint64_t>(raw.st_size) : 0,
          .block_bytes = raw.st_blksize > 0 ? static_cast<std::uint64_t>(raw.st_blksize) : 4096,
          .allocated_bytes = static_cast<std::uint64_t>(raw.st_blocks) * 512,
          .mode = raw.st_mode & 07777U,
          .owner = raw.st_uid,
          .group = raw.st_gid,
          .links = raw.st_nlink,
          .device = raw.st_dev,
          .inode = raw.st_ino,
          .device_major = major(raw.st_rdev),
          .device_minor = minor(raw.st_rdev),
          .modified = {raw.st_mtim.tv_sec, raw.st_mtim.tv_nsec},
          .accessed = {raw.st_atim.tv_sec, raw.st_atim.tv_nsec},
          .changed = {raw.st_ctim.tv_sec, raw.st_ctim.tv_nsec}};
}

bool is_same_file(const file_status& a, const file_status& b) noexcept {
  return a.device == b.device && a.inode == b.inode;
}

std::optional<file_status> status_of(const std::string& path, bool follow_links,
                                     system_calls* calls) {
  struct stat raw = {};
  system_calls& use = calls != nullptr ? *calls : system_calls::real();
  if (use.status_at(path.c_str(), &raw, follow_links) == 0) return from_stat(raw);
  if (errno == ENOENT) return std::nullopt;
  throw file_error(path, "cannot open", errno);
}

file_status file::status() const {
  struct stat raw = {};
  if (calls_->status(descriptor_, &raw) != 0) fail("I/O error");
  return from_stat(raw);
}

}  // namespace lmzip::io
