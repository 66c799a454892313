#include "app/lmzip/messages.h"

#include <fmt/format.h>

#include <new>
#include <span>

#include "app/lmzip/names.h"
#include "core/io/file.h"

namespace lmzip::app {

void write_to_standard_error(std::string_view text) noexcept {
  try {
    io::file::standard_error().write(std::as_bytes(std::span(text)));
  } catch (const std::exception&) {
    // Nobody listens.
  }
}

std::string describe(const lmzip::error& failure) {
  std::string text = failure.what();
  switch (failure.code()) {
    case errc::truncated:
      if (!text.starts_with("truncated")) text = "truncated: " + text;
      break;
    case errc::not_lmzip:
      if (text.find("not in lmzip format") == std::string::npos) text = "not in lmzip format";
      break;
    case errc::missing:
      if (text.starts_with("needs the model "))
        text += " (give its file with --model, or add it with lmzip model add)";
      if (text.starts_with("needs a base") || text.starts_with("needs another base"))
        text += " (give the checkpoint that it was made against with --base)";
      break;
    case errc::internal:
      return "internal error: " + text + " (this is a fault in lmzip: please report it)";
    case errc::memory_limit:
      if (text.starts_with("needs")) {
        text = "memory limit: " + text + " (raise it with --memlimit)";
      }
      break;
    default:
      break;
  }
  const bool is_about_bytes = failure.code() == errc::damaged || failure.code() == errc::truncated;
  if (is_about_bytes && failure.offset() != lmzip::error::no_offset &&
      text.find("offset") == std::string::npos) {
    text += fmt::format(" at offset {}", failure.offset());
  }
  return text;
}

void messages::write_line(std::string_view name, std::string_view text) {
  if (before_line_) before_line_();
  if (name.empty()) {
    write_to_standard_error(fmt::format("lmzip: {}\n", text));
  } else {
    write_to_standard_error(fmt::format("lmzip: {}: {}\n", printable(name), text));
  }
}

void messages::error(std::string_view name, std::string_view text, exit_code code) {
  status_.add(code);
  if (verbosity_ >= -1) write_line(name, text);
}

void messages::warning(std::string_view name, std::string_view text) {
  status_.add(exit_code::warning);
  if (verbosity_ >= 0) write_line(name, text);
}

void messages::note(std::string_view name, std::string_view text) {
  if (verbosity_ >= 0) write_line(name, text);
}

void messages::detail(std::string_view name, std::string_view text) {
  if (verbosity_ >= 1) write_line(name, text);
}

void messages::report(std::exception_ptr failure, std::string_view name) {
  try {
    std::rethrow_exception(failure);
  } catch (const io::file_error& caught) {
    if (caught.is_broken_pipe()) {
      output_is_gone_ = true;
      status_.add(exit_code::failure);
      return;
    }
    error(caught.path(), caught.what(), exit_code::failure);
  } catch (const lmzip::error& caught) {
    if (caught.code() == errc::canceled) {
      status_.add(exit_code::failure);
      return;
    }
    error(name, describe(caught), exit_code_of(caught.code()));
  } catch (const std::bad_alloc&) {
    error(name, "memory limit: not enough memory (use fewer threads or smaller blocks)",
          exit_code::memory_limit);
  } catch (const std::exception& caught) {
    error(name,
          fmt::format("internal error: {} (this is a fault in lmzip: please report it)",
                      caught.what()),
          exit_code::failure);
  }
}

}  // namespace lmzip::app
