#include "core/io/file_error.h"

#include <errno.h>

#include <system_error>
#include <utility>

namespace lmzip::io {

std::string reason_text(int reason) { return std::generic_category().message(reason); }

file_error::file_error(std::string path, std::string_view doing, int reason)
    : file_error(std::string(doing) + ": " + reason_text(reason), std::move(path), reason) {}

file_error::file_error(const std::string& text, std::string path, int reason)
    : error(errc::io, text), path_(std::move(path)), reason_(reason) {}

file_error file_error::with_text(std::string path, const std::string& text) {
  return file_error(text, std::move(path), 0);
}

bool file_error::is_broken_pipe() const noexcept { return reason_ == EPIPE; }

bool file_error::is_existing() const noexcept { return reason_ == EEXIST; }

}  // namespace lmzip::io
