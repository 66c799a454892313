#include "core/io/file_error.h"

#include <errno.h>

#include <system_error>
#include <utility>

namespace lmzip::io {

std::string reason_text(int reason) { return std::generic_category().message(reason); }

namespace {

std::string message_of(std::string_view doing, int reason) {
  std::string text(doing);
  text.append(": ").append(reason_text(reason));
  return text;
}

}  // namespace

file_error::file_error(std::string path, std::string_view doing, int reason)
    : file_error(reason, std::move(path), message_of(doing, reason)) {}

file_error::file_error(int reason, std::string path, const std::string& text)
    : error(errc::io, text), path_(std::move(path)), reason_(reason) {}

file_error file_error::with_text(std::string path, const std::string& text) {
  return file_error(0, std::move(path), text);
}

file_error file_error::with_path(std::string path) const {
  return file_error(reason_, std::move(path), what());
}

bool file_error::is_broken_pipe() const noexcept { return reason_ == EPIPE; }

bool file_error::is_existing() const noexcept { return reason_ == EEXIST; }

}  // namespace lmzip::io
