#pragma once

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

  /// The kernel itself.
  static system_calls& real() noexcept;
};

}  // namespace lmzip::io
