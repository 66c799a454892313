#pragma once

#include <string>

#include "core/io/file.h"

namespace lmzip::io {

/// A file that is written under a temporary name in the directory of its final name and gets that
/// name only when it is whole. Unless commit() succeeds, the destructor removes it and the final
/// name stays what it was, whichever system call failed.
///
/// The temporary file is created for its owner alone (mode 0600). Not thread-safe, but
/// remove_temporary_files() may run at any time.
class temporary_file {
 public:
  /// Throws file_error if the directory does not take a new file.
  explicit temporary_file(std::string final_path, system_calls* calls = nullptr);
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file();

  file& handle() noexcept { return handle_; }

  /// Closes the file and gives it its final name. Without `replace` an existing file of that name
  /// is never touched, even if it appeared this very moment: file_error with is_existing(). With
  /// `durable` the file and its directory are synced. May be called once.
  void commit(bool replace, bool durable);

 private:
  void rename_without_replacing();

  std::string final_path_;
  std::string path_;
  system_calls& calls_;
  file handle_;
  bool exists_ = false;
};

/// Removes all temporary files of the process, for one that is about to end at once. Safe to call
/// from any thread and from a signal handler.
void remove_temporary_files() noexcept;

}  // namespace lmzip::io
