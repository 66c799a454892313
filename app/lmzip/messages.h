#pragma once

#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include "app/lmzip/exit_status.h"

namespace lmzip::app {

/// Everything the program says on standard error, "lmzip: NAME: text" in one line each, and the
/// exit status that follows from it. Names are given raw and escaped here.
class messages {
 public:
  /// `verbosity`: -2 nothing, -1 errors, 0 also warnings and notes, 1 also details.
  explicit messages(int verbosity) : verbosity_(verbosity) {}

  int verbosity() const noexcept { return verbosity_; }

  void error(std::string_view name, std::string_view text, exit_code code);
  void warning(std::string_view name, std::string_view text);
  /// Worth knowing, but changes no exit status.
  void note(std::string_view name, std::string_view text);
  void detail(std::string_view name, std::string_view text);

  /// Reports an exception that ended the work on `name` and adds its exit code. A reader of our
  /// output that went away, or a signal, is no news to anybody: only the code is added.
  void report(std::exception_ptr failure, std::string_view name);

  /// Called before a line is written, to take the progress bar off the screen.
  void before_each_line(std::function<void()> action) { before_line_ = std::move(action); }

  /// True once nobody can receive the output any more.
  bool output_is_gone() const noexcept { return output_is_gone_; }

  exit_status& status() noexcept { return status_; }

 private:
  void write_line(std::string_view name, std::string_view text);

  int verbosity_;
  bool output_is_gone_ = false;
  exit_status status_;
  std::function<void()> before_line_;
};

/// Writes to standard error; failures are ignored, there is nowhere to report them.
void write_to_standard_error(std::string_view text) noexcept;

/// An error's text with its offset, without a name.
std::string describe(const lmzip::error& failure);

}  // namespace lmzip::app
