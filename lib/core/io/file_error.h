#pragma once

#include <string>
#include <string_view>

#include "lmzip/error.h"

namespace lmzip::io {

/// A system call on a file failed: error(io) that also knows the file and the reason.
class file_error : public error {
 public:
  /// `doing` says in words what failed ("cannot open"); `reason` is the value of errno.
  file_error(std::string path, std::string_view doing, int reason);

  /// A refusal that no system call made; reason() is 0.
  static file_error with_text(std::string path, const std::string& text);

  /// The same for a file that the user knows by another name.
  file_error with_path(std::string path) const;

  /// Name of the file as messages show it (not escaped).
  const std::string& path() const noexcept { return path_; }
  int reason() const noexcept { return reason_; }

  /// The reader of a pipe has gone away.
  bool is_broken_pipe() const noexcept;
  /// Something of that name exists already.
  bool is_existing() const noexcept;

 private:
  file_error(int reason, std::string path, const std::string& text);

  std::string path_;
  int reason_;
};

/// Text of an errno value, independent of the locale.
std::string reason_text(int reason);

}  // namespace lmzip::io
