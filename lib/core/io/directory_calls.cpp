// The system calls on names in open directories and on extended attributes.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/io/system_calls.h"

namespace lmzip::io {

int system_calls::open_in(int directory, const char* name, int flags, mode_t mode) {
  return ::openat(directory, name, flags | O_NOFOLLOW, mode);
}

int system_calls::open_beneath(int directory, const char* path, int flags) {
#ifdef SYS_openat2
  struct open_how how = {};
  how.flags = static_cast<unsigned>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, directory, path, &how, sizeof how));
#else
  (void)directory;
  (void)path;
  (void)flags;
  errno = ENOSYS;
  return -1;
#endif
}

int system_calls::status_in(int directory, const char* name, struct stat* result) {
  return ::fstatat(directory, name, result, AT_SYMLINK_NOFOLLOW);
}

ssize_t system_calls::read_entries(int directory, void* data, size_t size) {
  return ::getdents64(directory, data, size);
}

ssize_t system_calls::read_link_in(int directory, const char* name, char* target, size_t size) {
  return ::readlinkat(directory, name, target, size);
}

int system_calls::make_directory_in(int directory, const char* name, mode_t mode) {
  return ::mkdirat(directory, name, mode);
}

int system_calls::make_node_in(int directory, const char* name, mode_t mode, dev_t number) {
  return ::mknodat(directory, name, mode, number);
}

int system_calls::make_link_in(int directory, const char* name, const char* target) {
  return ::symlinkat(target, directory, name);
}

int system_calls::link_in(int from_directory, const char* from, int directory, const char* name) {
  return ::linkat(from_directory, from, directory, name, 0);
}

int system_calls::rename_in(int from_directory, const char* from, int directory, const char* to,
                            bool replace) {
  if (replace) return ::renameat(from_directory, from, directory, to);
#ifdef RENAME_NOREPLACE
  return ::renameat2(from_directory, from, directory, to, RENAME_NOREPLACE);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int system_calls::unlink_in(int directory, const char* name, bool is_directory) {
  return ::unlinkat(directory, name, is_directory ? AT_REMOVEDIR : 0);
}

int system_calls::change_mode_in(int directory, const char* name, mode_t mode) {
  return ::fchmodat(directory, name, mode, AT_SYMLINK_NOFOLLOW);
}

int system_calls::change_owner_in(int directory, const char* name, uid_t owner, gid_t group) {
  return ::fchownat(directory, name, owner, group, AT_SYMLINK_NOFOLLOW);
}

int system_calls::change_times_in(int directory, const char* name, const struct timespec times[2]) {
  return ::utimensat(directory, name, times, AT_SYMLINK_NOFOLLOW);
}

ssize_t system_calls::list_attributes(int descriptor, char* names, size_t size) {
  return ::flistxattr(descriptor, names, size);
}

ssize_t system_calls::list_attributes_at(const char* path, char* names, size_t size) {
  return ::llistxattr(path, names, size);
}

ssize_t system_calls::get_attribute(int descriptor, const char* name, void* value, size_t size) {
  return ::fgetxattr(descriptor, name, value, size);
}

ssize_t system_calls::get_attribute_at(const char* path, const char* name, void* value,
                                       size_t size) {
  return ::lgetxattr(path, name, value, size);
}

int system_calls::set_attribute(int descriptor, const char* name, const void* value, size_t size) {
  return ::fsetxattr(descriptor, name, value, size, 0);
}

int system_calls::set_attribute_at(const char* path, const char* name, const void* value,
                                   size_t size) {
  return ::lsetxattr(path, name, value, size, 0);
}

}  // namespace lmzip::io
