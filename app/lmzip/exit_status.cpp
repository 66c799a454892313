#include "app/lmzip/exit_status.h"

namespace lmzip::app {
namespace {

int gravity(exit_code code) noexcept {
  switch (code) {
    case exit_code::damaged:
      return 7;
    case exit_code::something_missing:
      return 6;
    case exit_code::memory_limit:
      return 5;
    case exit_code::failure:
      return 4;
    case exit_code::busy:
      return 3;
    case exit_code::incomplete_backup:
      return 2;
    case exit_code::warning:
      return 1;
    case exit_code::success:
      return 0;
  }
  return 4;
}

}  // namespace

exit_code exit_code_of(errc code) noexcept {
  switch (code) {
    case errc::damaged:
    case errc::truncated:
    case errc::not_lmzip:
      return exit_code::damaged;
    case errc::memory_limit:
      return exit_code::memory_limit;
    case errc::unsupported:
    case errc::missing:
      return exit_code::something_missing;
    case errc::busy:
      return exit_code::busy;
    case errc::usage:
    case errc::io:
    case errc::canceled:
    case errc::internal:
      return exit_code::failure;
  }
  return exit_code::failure;
}

void exit_status::add(exit_code code) noexcept {
  if (gravity(code) > gravity(gravest_)) gravest_ = code;
}

int exit_status::value(bool no_warn) const noexcept {
  if (no_warn && gravest_ == exit_code::warning) return 0;
  return static_cast<int>(gravest_);
}

}  // namespace lmzip::app
