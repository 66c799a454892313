#include "core/io/file_error.h"

#include <errno.h>

#include <system_error>
#include <utility>

namespace lmzip::io {

std::string reason_text(int reason) { return std::generic_category().message(reason); }

file_error::file_error(std::string path, std::string_view doing, int reason)
    : error(errc::io, std::string(doing) + ": " + reason_text(reason)),
      path_(std::move(path)),
      reason_(reason) {}

bool file_error::is_broken_pipe() const noexcept { return reason_ == EPIPE; }

bool file_error::is_existing() const noexcept { return reason_ == EEXIST; }

}  // namespace lmzip::io
