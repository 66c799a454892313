#pragma once

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

namespace lmzip::io {

/// The system calls through which lmzip touches files. Each returns what the call of the same name
/// returns and sets errno. Tests derive from it to make the n-th call fail; the program uses
/// real(). Safe to use from several threads.
class system_calls {
 public:
  virtual ~system_calls() = default;

  virtual int open(const char* path, int flags, mode_t mode);
  virtual int close(int descriptor);
  virtual ssize_t read(int descriptor, void* data, size_t size);
  virtual ssize_t read_at(int descriptor, void* data, size_t size, off_t offset);  ///< pread()
  virtual ssize_t write(int descriptor, const void* data, size_t size);
  virtual off_t seek(int descriptor, off_t offset, int whence);
  virtual int truncate(int descriptor, off_t size);
  virtual int sync(int descriptor);
  virtual int status(int descriptor, struct stat* result);
  virtual int status_at(const char* path, struct stat* result, bool follow_links);
  virtual int rename(const char* from, const char* to);
  /// renameat2() with RENAME_NOREPLACE: fails with EEXIST where `to` exists.
  virtual int rename_without_replacing(const char* from, const char* to);
  virtual int link(const char* from, const char* to);
  virtual int unlink(const char* path);
  virtual int change_mode(int descriptor, mode_t mode);
  virtual int change_owner(int descriptor, uid_t owner, gid_t group);
  virtual int change_times(int descriptor, const struct timespec times[2]);

  // Names in an open directory. None of these follows a symbolic link that the name itself is.
  /// O_NOFOLLOW is added to `flags`.
  virtual int open_in(int directory, const char* name, int flags, mode_t mode);
  /// openat2() that neither leaves `directory` nor passes a symbolic link; ENOSYS where the kernel
  /// has none.
  virtual int open_beneath(int directory, const char* path, int flags);
  virtual int status_in(int directory, const char* name, struct stat* result);
  virtual ssize_t read_entries(int directory, void* data, size_t size);  ///< getdents64()
  virtual ssize_t read_link_in(int directory, const char* name, char* target, size_t size);
  virtual int make_directory_in(int directory, const char* name, mode_t mode);
  virtual int make_node_in(int directory, const char* name, mode_t mode, dev_t number);
  virtual int make_link_in(int directory, const char* name, const char* target);  ///< symlinkat()
  virtual int link_in(int from_directory, const char* from, int directory, const char* name);
  virtual int rename_in(int from_directory, const char* from, int directory, const char* to,
                        bool replace);
  virtual int unlink_in(int directory, const char* name, bool is_directory);
  virtual int change_mode_in(int directory, const char* name, mode_t mode);
  virtual int change_owner_in(int directory, const char* name, uid_t owner, gid_t group);
  virtual int change_times_in(int directory, const char* name, const struct timespec times[2]);

  // Extended attributes of an open file, or of what stands at `path`, a link itself.
  virtual ssize_t list_attributes(int descriptor, char* names, size_t size);
  virtual ssize_t list_attributes_at(const char* path, char* names, size_t size);
  virtual ssize_t get_attribute(int descriptor, const char* name, void* value, size_t size);
  virtual ssize_t get_attribute_at(const char* path, const char* name, void* value, size_t size);
  virtual int set_attribute(int descriptor, const char* name, const void* value, size_t size);
  virtual int set_attribute_at(const char* path, const char* name, const void* value, size_t size);

  /// The kernel itself.
  static system_calls& real() noexcept;
};

}  // namespace lmzip::io
