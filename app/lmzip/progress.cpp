#include "app/lmzip/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/lmzip/json.h"
#include "app/lmzip/messages.h"
#include "app/lmzip/names.h"
#include "app/lmzip/sizes.h"
#include "core/io/file.h"
#include "core/io/signals.h"

namespace lmzip::app {
namespace {

constexpr double bar_seconds = 0.1;        // between two updates of the bar
constexpr double line_seconds = 1.0;       // between two lines
constexpr double first_bar_seconds = 0.3;  // small files are done before it
constexpr std::uint64_t large_file = std::uint64_t{4} << 20;

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole >= 3600) {
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// Cuts a line to the width of the terminal, never within a character.
std::string fit(std::string line, std::size_t columns) {
  if (line.size() <= columns) return line;
  line.resize(columns);
  while (!line.empty() && !is_valid_utf8(line)) line.pop_back();
  return line;
}

}  // namespace

progress_display::progress_display(progress_style style, int verbosity, bool data_on_terminal)
    : style_(style) {
  const io::file terminal = io::file::standard_error();
  const bool on_terminal = terminal.is_terminal();
  if (style_ == progress_style::automatic) {
    const bool wanted = on_terminal && !data_on_terminal && verbosity >= 0;
    style_ = wanted ? progress_style::text : progress_style::off;
  }
  is_bar_ = style_ == progress_style::text && on_terminal;
  if (is_bar_) columns_ = terminal.terminal_columns();
}

void progress_display::start(std::string name, std::optional<std::uint64_t> total_bytes,
                             bool compressing) {
  name_ = std::move(name);
  total_bytes_ = total_bytes;
  compressing_ = compressing;
  now_ = {};
  begin_ = shown_ = clock::now();
  running_ = true;
  if (is_bar_ && total_bytes.value_or(0) >= large_file) show();
}

void progress_display::update(const progress& now) {
  now_ = now;
  if (io::take_status_request()) {
    erase();
    write_to_standard_error(fmt::format("lmzip: {}\n", line()));
  }
  if (style_ == progress_style::off) return;
  const std::chrono::duration<double> pause = clock::now() - shown_;
  const double wanted = !is_bar_ ? line_seconds : visible_ ? bar_seconds : first_bar_seconds;
  if (pause.count() >= wanted) show();
}

void progress_display::finish() {
  erase();
  // Front ends get the final figures, however short the work was.
  if (running_ && style_ == progress_style::json) show();
  running_ = false;
}

void progress_display::erase() {
  if (!visible_) return;
  write_to_standard_error("\r\033[K");
  visible_ = false;
}

double progress_display::seconds() const {
  return std::chrono::duration<double>(clock::now() - begin_).count();
}

double progress_display::fraction() const {
  if (total_bytes_.value_or(0) == 0) return 0;
  const std::uint64_t done = compressing_ ? now_.plain_bytes : now_.coded_bytes;
  return std::min(1.0, static_cast<double>(done) / static_cast<double>(*total_bytes_));
}

std::string progress_display::line() const {
  const double elapsed = std::max(seconds(), 1e-6);
  const auto bytes_per_second =
      static_cast<std::uint64_t>(static_cast<double>(now_.plain_bytes) / elapsed);
  std::string text = printable(name_) + ": ";
  if (total_bytes_) text += fmt::format("{:.1f} %, ", 100 * fraction());
  const auto from = compressing_ ? now_.plain_bytes : now_.coded_bytes;
  const auto to = compressing_ ? now_.coded_bytes : now_.plain_bytes;
  text += fmt::format("{} -> {} ({}), {}/s", human_size(from), human_size(to),
                      percentage(now_.coded_bytes, now_.plain_bytes), human_size(bytes_per_second));
  if (fraction() > 0) {
    text += fmt::format(", ETA {}", duration(elapsed / fraction() - elapsed));
  }
  return text;
}

std::string progress_display::json_line() const {
  json object = {{"event", "progress"}};
  add_name(object, "name", name_);
  object["plain_bytes"] = now_.plain_bytes;
  object["coded_bytes"] = now_.coded_bytes;
  object["total_bytes"] = total_bytes_ ? json(*total_bytes_) : json(nullptr);
  object["seconds"] = static_cast<std::uint64_t>(seconds() * 1000) / 1000.0;
  return to_line(object);
}

void progress_display::show() {
  shown_ = clock::now();
  if (style_ == progress_style::json) {
    write_to_standard_error(json_line());
  } else if (is_bar_) {
    write_to_standard_error("\r" + fit(line(), columns_ - 1) + "\033[K");
    visible_ = true;
  } else {
    write_to_standard_error(fmt::format("lmzip: {}\n", line()));
  }
}

}  // namespace lmzip::app
