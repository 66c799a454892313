#include "core/io/system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

namespace lmzip::io {

int system_calls::open(const char* path, int flags, mode_t mode) {
  return ::open(path, flags, mode);
}

int system_calls::close(int descriptor) { return ::close(descriptor); }

ssize_t system_calls::read(int descriptor, void* data, size_t size) {
  return ::read(descriptor, data, size);
}

ssize_t system_calls::read_at(int descriptor, void* data, size_t size, off_t offset) {
  return ::pread(descriptor, data, size, offset);
}

ssize_t system_calls::write(int descriptor, const void* data, size_t size) {
  return ::write(descriptor, data, size);
}

off_t system_calls::seek(int descriptor, off_t offset, int whence) {
  return ::lseek(descriptor, offset, whence);
}

int system_calls::truncate(int descriptor, off_t size) { return ::ftruncate(descriptor, size); }

int system_calls::sync(int descriptor) { return ::fsync(descriptor); }

int system_calls::status(int descriptor, struct stat* result) {
  return ::fstat(descriptor, result);
}

int system_calls::status_at(const char* path, struct stat* result, bool follow_links) {
  return follow_links ? ::stat(path, result) : ::lstat(path, result);
}

int system_calls::rename(const char* from, const char* to) { return ::rename(from, to); }

int system_calls::rename_without_replacing(const char* from, const char* to) {
#ifdef RENAME_NOREPLACE
  return ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
#else
  (void)from;
  (void)to;
  errno = ENOSYS;
  return -1;
#endif
}

int system_calls::link(const char* from, const char* to) { return ::link(from, to); }

int system_calls::unlink(const char* path) { return ::unlink(path); }

int system_calls::change_mode(int descriptor, mode_t mode) { return ::fchmod(descriptor, mode); }

int system_calls::change_owner(int descriptor, uid_t owner, gid_t group) {
  return ::fchown(descriptor, owner, group);
}

int system_calls::change_times(int descriptor, const struct timespec times[2]) {
  return ::futimens(descriptor, times);
}

system_calls& system_calls::real() noexcept {
  static system_calls kernel;
  return kernel;
}

}  // namespace lmzip::io
