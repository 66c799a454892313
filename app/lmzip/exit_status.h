#pragma once

#include "lmzip/error.h"

namespace lmzip::app {

/// Exit codes of the program. They are part of its interface: lmzip(1), EXIT STATUS.
enum class exit_code : int {
  success = 0,
  failure = 1,
  warning = 2,
  incomplete_backup = 3,
  damaged = 4,
  memory_limit = 5,
  something_missing = 6,
  busy = 7,
};

exit_code exit_code_of(errc code) noexcept;

/// Collects what happened to all the files of one run.
class exit_status {
 public:
  void add(exit_code code) noexcept;

  /// The gravest code added: 4, 6, 5, 1, 7, 3, 2, 0 in this order. `no_warn` turns 2 into 0.
  int value(bool no_warn) const noexcept;

 private:
  exit_code gravest_ = exit_code::success;
};

}  // namespace lmzip::app
